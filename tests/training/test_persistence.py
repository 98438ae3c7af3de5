"""Files are written whole and checked when read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save

from hoscpool.training.persistence import read, write


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


@pytest.mark.parametrize("after", ["m.{digest}.safetensors", "m.json", "m.safetensors"])
def test_a_write_that_is_killed_leaves_the_old_or_the_new(
    path: Path, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    replace, digest = Path.replace, hashlib.sha256(save({"a": torch.ones(4)})).hexdigest()

    def kill(self: Path, target: Path) -> Path:
        replace(self, target)
        if target.name == after.format(digest=digest):
            raise SystemExit
        return target

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", kill)
        with pytest.raises(SystemExit):
            write(path, {"a": torch.ones(4)}, {"k": "new"})
    tensors, content = read(path)
    is_new = after != "m.{digest}.safetensors"
    assert content["k"] == ("new" if is_new else [1, 2.5, "x"])
    assert tensors["a"].shape == ((4,) if is_new else (2, 3))
    write(path, {"a": torch.zeros(5)}, {"k": "last"})
    assert read(path)[0]["a"].shape == (5,)
    assert sorted(file.name for file in path.parent.iterdir()) == ["m.json", "m.safetensors"]


def test_what_cannot_be_written_harms_nothing(path: Path) -> None:
    with pytest.raises(TypeError, match="got set"):
        write(path, {"a": torch.ones(4)}, {"k": {1}})
    assert read(path)[1]["k"] == [1, 2.5, "x"]


def test_numpys_numbers(path: Path) -> None:
    write(path, {}, {"k": [np.int64(3), {"w": np.float32(0.5)}, np.bool_(True)]})
    assert read(path)[1]["k"] == [3, {"w": 0.5}, True]


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
