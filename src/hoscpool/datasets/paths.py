"""The folders of raw files and of processed files. This module does not import torch."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from hoscpool.datasets.dataset_catalog import DatasetInfo
from hoscpool.support.errors import DatasetNotFoundError

DATA_VARIABLE = "HOSCPOOL_DATA"
CACHE_VARIABLE = "HOSCPOOL_CACHE"
PathLike = str | os.PathLike[str]


def cache_folder() -> Path:
    """The folder for downloads and processed files: ``HOSCPOOL_CACHE``, or the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("hoscpool")


def given_data_root(data_root: PathLike | None) -> Path | None:
    """The data root from the argument or from ``HOSCPOOL_DATA``, or ``None`` if the user gave none."""
    chosen = data_root if data_root is not None else os.environ.get(DATA_VARIABLE) or None
    return None if chosen is None else Path(chosen).expanduser().absolute()


def raw_folder(info: DatasetInfo, data_root: PathLike | None = None) -> Path:
    """The folder of the raw files of a dataset."""
    root = given_data_root(data_root) or cache_folder().absolute() / "downloads"
    return root / str(info.folder) / "raw"


def missing_files(info: DatasetInfo, folder: Path) -> list[str]:
    """The raw files of a dataset that are not in the folder."""
    if info.full_file and (folder / info.full_file).is_file():
        return []
    return [name for name in info.raw_files if not (folder / name).is_file()]


def not_found(
    info: DatasetInfo, folder: Path, data_root: PathLike | None, cause: object = None
) -> DatasetNotFoundError:
    """The error for missing files: it names the folder and the files, and says what to do."""
    missing = ", ".join(missing_files(info, folder))
    if given_data_root(data_root) is None:
        why = f"downloading it failed ({cause})" if cause else "it was not downloaded"
        advice = f"check the connection, or set {DATA_VARIABLE} to a folder that holds {info.folder}/raw"
    else:
        origin = f"given by {DATA_VARIABLE}" if data_root is None else "given as data_root"
        why = f"the data root is {origin}"
        advice = f"put the files there, or leave data_root and {DATA_VARIABLE} unset to download them"
    return DatasetNotFoundError(f"dataset {info.name!r}: no {missing} in {folder}; {why}; {advice}")
