"""The benchmark of Bianchi et al.: an ``.npz`` of pickled arrays and SciPy matrices, read without unpickling."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.datasets.pickled_arrays import decode_array, decode_csr, decode_objects, describe
from hoscpool.graph import check_members, read_header, read_stream, reporting

SPLITS = ("train", "val", "test")
_PREFIX = {"train": "tr", "val": "val", "test": "te"}


def read_bench(path: Path) -> list[tuple[str, sp.csr_array, np.ndarray[Any, Any], int]]:
    """Every graph of the file: its split, adjacency ``[n, n]``, features ``[n, F]`` and class.

    Raises:
        ValueError: The file is damaged, or holds other objects than arrays and CSR matrices.
    """
    with reporting(path, "a benchmark file"), zipfile.ZipFile(path) as archive:
        check_members(path, archive)
        return [graph for split in SPLITS for graph in _read_split(archive, split)]


def _read_split(archive: zipfile.ZipFile, split: str) -> list[tuple[str, sp.csr_array, np.ndarray[Any, Any], int]]:
    adjacency, features, classes = (
        _read_member(archive, f"{_PREFIX[split]}_{part}.npy") for part in ("adj", "feat", "class")
    )
    if not isinstance(classes, np.ndarray):
        raise ValueError("expected classes as an array of numbers, got an array of objects")
    return [
        (split, decode_csr(a), decode_array(x).astype(np.float32, copy=False), int(np.argmax(y)))
        for a, x, y in zip(decode_objects(adjacency), decode_objects(features), classes, strict=True)
    ]


def _read_member(archive: zipfile.ZipFile, name: str) -> Any:
    """An array of numbers, or the result of `describe` if the array holds objects."""
    with archive.open(name) as file:
        if read_header(file)[2] is None:  # an array of objects
            return describe(file.read())
    with archive.open(name) as file:
        return read_stream(file, archive.getinfo(name).file_size)
