from __future__ import annotations

from pathlib import Path

import pytest

from hoscpool.datasets.dataset_catalog import dataset_info
from hoscpool.datasets.paths import cache_folder, given_data_root, missing_files, raw_folder
from hoscpool.datasets.reading import find_raw
from hoscpool.support.errors import DatasetNotFoundError


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
