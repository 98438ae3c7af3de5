"""NumPy archives: SciPy sparse matrices and plain arrays, never pickles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph.converters.arrays import check_structure, from_scipy
from hoscpool.graph.raw import RawGraph
from hoscpool.graph.readers.opening import FileFormatError, reporting

_BEGINNINGS = (b"PK", b"\x93NUMPY")
"""How archives and single arrays begin; NumPy takes anything else for a pickle and advises to trust it."""


def read_npz(path: Path) -> RawGraph:
    """Raw arcs of a square matrix written by ``scipy.sparse.save_npz``.

    Raises:
        ValueError: The archive is damaged, contains pickles, or is not a SciPy sparse matrix.
    """
    return from_scipy(load_sparse(path))


def load_sparse(path: Path) -> Any:
    """The SciPy sparse matrix in an ``.npz`` archive.

    Raises:
        ValueError: The archive is damaged, contains pickles, or is not a SciPy sparse matrix.
    """
    keys = _keys(path)
    if not {"format", "shape", "data"} <= keys:
        raise FileFormatError(
            path, f"expected a matrix written by scipy.sparse.save_npz, got an archive of {', '.join(sorted(keys))}"
        )
    with reporting(path, "a SciPy sparse matrix"), path.open("rb") as stream:
        matrix = sp.load_npz(stream)
        check_structure(matrix)
        return matrix


def load_array(path: Path) -> Any:
    """The one array in an ``.npy`` or ``.npz`` file, or the SciPy sparse matrix in it.

    Raises:
        ValueError: The file is damaged, contains pickles, or has several arrays.
    """
    if path.suffix.lower() == ".npy":
        with reporting(path, "a NumPy array"), path.open("rb") as stream:
            return np.load(stream, allow_pickle=False)
    keys = _keys(path)
    if {"format", "shape", "data"} <= keys:
        return load_sparse(path)
    if len(keys) != 1:
        raise FileFormatError(path, f"expected one array, got an archive of {', '.join(sorted(keys)) or 'nothing'}")
    with reporting(path, "a NumPy archive"), path.open("rb") as stream:
        return np.load(stream, allow_pickle=False)[keys.pop()]


def _keys(path: Path) -> set[str]:
    with path.open("rb") as stream:
        if not stream.read(6).startswith(_BEGINNINGS):
            raise FileFormatError(path, "is not a NumPy archive; write it with scipy.sparse.save_npz or numpy.savez")
    with reporting(path, "a NumPy archive"), path.open("rb") as stream:  # NumPy leaves its own handle open on errors
        archive = np.load(stream, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise FileFormatError(path, "expected a NumPy archive (.npz), got a single array (.npy)")
        return set(archive.files)
