"""Files are written whole and checked when read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from hoscpool.nn.files import read, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write(tmp_path / "new" / "m", {"a": torch.arange(6.0).reshape(2, 3)}, {"k": [1, 2.5, "x"]})
    return tmp_path / "new" / "m"


def test_what_was_written_is_read(path: Path) -> None:
    tensors, content = read(path)
    assert torch.equal(tensors["a"], torch.arange(6.0).reshape(2, 3))
    assert content["k"] == [1, 2.5, "x"]
    assert sorted(file.name for file in path.parent.iterdir()) == ["m.json", "m.safetensors"]


@pytest.mark.parametrize("keep", [0, 10, -1])
@pytest.mark.parametrize("suffix", [".json", ".safetensors"])
def test_truncated_files(path: Path, suffix: str, keep: int) -> None:
    file = path.with_suffix(suffix)
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(ValueError, match=f"m\\{suffix}: the file .*(truncated|altered)"):
        read(path)


def test_altered_files(path: Path) -> None:
    file = path.with_suffix(".safetensors")
    raw = bytearray(file.read_bytes())
    raw[-1] ^= 1
    file.write_bytes(raw)
    with pytest.raises(ValueError, match="truncated or altered"):
        read(path)


@pytest.mark.parametrize(("name", "value"), [("k", [1]), ("tensors_sha256", "0"), ("format", 2)])
def test_altered_settings(path: Path, name: str, value: object) -> None:
    file = path.with_suffix(".json")
    file.write_text(json.dumps({**json.loads(file.read_text()), name: value}))
    with pytest.raises(ValueError, match="altered"):
        read(path)


def test_other_json(path: Path) -> None:
    path.with_suffix(".json").write_text("[1]")
    with pytest.raises(ValueError, match="not written by this library"):
        read(path)


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")
