"""Processed datasets as plain ``.npz`` files in the cache folder: never pickled, never beside the raw data.

The name of a file holds a digest of where the raw files are, how large and how old they are, and the version of
the format, so that another data root or an exchanged file never gives stale results. A file appears under its name
only when it is complete; one that cannot be read is built again.
"""

from __future__ import annotations

import hashlib
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.datasets.dataset_catalog import DatasetInfo
from hoscpool.datasets.paths import cache_folder
from hoscpool.support.files import whole_file

FORMAT = 1
Arrays = dict[str, npt.NDArray[Any]]


def cached(info: DatasetInfo, folder: Path, build: Callable[[], Arrays]) -> Arrays:
    """The processed arrays of a raw folder: from the cache, or built and put there."""
    path = cache_folder() / "processed" / f"{info.name}-{_digest(folder)}.npz"
    arrays = read_arrays(path)
    if arrays is None:
        arrays = build()
        try:
            write_arrays(path, arrays)
        except OSError as error:
            warnings.warn(f"the cache could not be written ({error}); {info.name} is rebuilt each time", stacklevel=4)
    return arrays


def read_arrays(path: Path) -> Arrays | None:
    """The arrays of a file, or ``None`` when it is missing, torn or altered."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, EOFError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error):
        return None


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write a file that is either complete or not there, whoever else writes it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        np.savez(file, allow_pickle=False, **arrays)


def _digest(folder: Path) -> str:
    parts = [str(FORMAT), str(folder.resolve())]
    for path in sorted(folder.iterdir()):
        status = path.stat()
        parts.append(f"{path.name}:{status.st_size}:{status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
