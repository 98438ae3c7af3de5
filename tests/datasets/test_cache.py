from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from hoscpool.datasets.cache import (
    cache_folder,
    cached,
    given_data_root,
    missing_files,
    raw_folder,
    read_arrays,
    write_arrays,
)
from hoscpool.datasets.dataset_catalog import dataset_info
from hoscpool.datasets.reading import find_raw
from hoscpool.support.errors import DatasetNotFoundError

INFO = dataset_info("cora")


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    (folder / "file").write_text("one")
    return folder


class Builder:
    """Counts how often it is asked, and answers with that number."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        self.calls += 1
        return {"call": np.array([self.calls])}


def test_builds_once(cache: Path, raw: Path) -> None:
    build = Builder()
    assert [cached(INFO, raw, build)["call"][0] for _ in range(3)] == [1, 1, 1]
    assert len(list(cache.rglob("*"))) == 2, "one folder, one file, nothing left over"


def test_another_file_size_or_time_is_another_key(cache: Path, raw: Path) -> None:
    build = Builder()
    cached(INFO, raw, build)
    (raw / "file").write_text("longer")
    cached(INFO, raw, build)
    os.utime(raw / "file", ns=(1, 1))
    cached(INFO, raw, build)
    assert build.calls == 3
    assert cache.exists()


def test_another_root_is_another_key(cache: Path, raw: Path, tmp_path: Path) -> None:
    build = Builder()
    cached(INFO, raw, build)
    other = raw.rename(tmp_path / "elsewhere")
    cached(INFO, other, build)
    assert build.calls == 2
    assert cache.exists()


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 torn", None])
def test_a_damaged_file_is_rebuilt(cache: Path, raw: Path, damage: bytes | None) -> None:
    build = Builder()
    cached(INFO, raw, build)
    (path,) = (cache / "processed").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert cached(INFO, raw, build)["call"][0] == 2
    assert cached(INFO, raw, build)["call"][0] == 2


def test_a_flipped_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write_arrays(path, {"a": np.zeros(1000)})
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    assert read_arrays(path) is None


def test_pickles_are_neither_written_nor_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        write_arrays(path, {"a": np.array([object()])})
    assert list(tmp_path.iterdir()) == []
    np.savez(path, a=np.array([{}], dtype=object))
    assert read_arrays(path) is None


def test_an_unwritable_cache_is_said_and_survived(raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOSCPOOL_CACHE", str(tmp_path / "file"))
    with pytest.warns(UserWarning, match="cannot write to the cache"):
        assert cached(INFO, raw, Builder())["call"][0] == 1


def test_readers_never_see_a_half_written_file(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    arrays = {"a": np.arange(50_000)}
    write_arrays(path, arrays)

    def write() -> None:
        for _ in range(20):
            write_arrays(path, arrays)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    seen = [read_arrays(path) for _ in range(60)]
    for writer in writers:
        writer.join()
    assert all(found is not None and np.array_equal(found["a"], arrays["a"]) for found in seen)
    assert [file.name for file in tmp_path.iterdir()] == ["a.npz"]


def test_the_argument_beats_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSCPOOL_DATA", "/by/variable")
    assert given_data_root("/by/argument") == Path("/by/argument")
    assert given_data_root(None) == Path("/by/variable")


def test_an_empty_variable_counts_as_unset(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSCPOOL_DATA", "")
    assert given_data_root(None) is None
    assert raw_folder(dataset_info("cora")) == cache / "downloads/Planetoid/Cora/raw"


def test_the_cache_folder_is_the_users_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOSCPOOL_CACHE")
    assert cache_folder().name == "hoscpool"


def test_missing_files(tmp_path: Path) -> None:
    info = dataset_info("polblogs")
    (tmp_path / "labels.tsv").touch()
    assert missing_files(info, tmp_path) == ["adjacency.tsv"]


def test_the_full_benchmark_file_stands_in_for_the_small_one(tmp_path: Path) -> None:
    info = dataset_info("bench-hard")
    assert missing_files(info, tmp_path) == ["hard_small.npz"]
    (tmp_path / "hard.npz").touch()
    assert missing_files(info, tmp_path) == []


@pytest.mark.parametrize("by_variable", [True, False])
def test_not_found_says_where_what_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_variable: bool
) -> None:
    monkeypatch.setenv("HOSCPOOL_DATA", str(tmp_path))
    folder = tmp_path / "PolBlogs" / "raw"
    with pytest.raises(DatasetNotFoundError) as caught:
        find_raw(dataset_info("polblogs"), None if by_variable else tmp_path)
    message = str(caught.value)
    assert f"no adjacency.tsv, labels.tsv in {folder}" in message
    assert ("given by HOSCPOOL_DATA" if by_variable else "given as data_root") in message
    assert "to download them" in message
    assert not folder.exists()
