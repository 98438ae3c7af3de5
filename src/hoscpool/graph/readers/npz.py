"""NumPy archives with SciPy sparse matrices or plain arrays. Pickles are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph.converters.arrays import from_scipy
from hoscpool.graph.raw import RawGraph
from hoscpool.graph.readers.opening import FileFormatError, reporting
from hoscpool.graph.sparse_structure import check_integers, check_structure

_BEGINNINGS = (b"PK", b"\x93NUMPY")
"""The first bytes of archives and single arrays. NumPy would take any other file for a pickle."""
_INDEX_ARRAYS = {
    "csr": ["indices", "indptr"],
    "csc": ["indices", "indptr"],
    "bsr": ["indices", "indptr"],
    "dia": ["offsets"],
    "coo": ["row", "col"],
}
"""The arrays beside ``data`` and ``shape`` in the files of ``scipy.sparse.save_npz``, by format."""


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
        parts = dict(np.load(stream, allow_pickle=False))
        matrix = _assemble(parts)
        check_structure(matrix, "the matrix")
        return matrix


def _assemble(parts: dict[str, Any]) -> Any:
    """Build the matrix from the arrays of ``save_npz``. Check only that indices are integers of a valid size.

    SciPy's constructors would silently turn fractions and very large numbers into other indices.
    """
    form = parts["format"].item()
    form = form.decode("ascii") if isinstance(form, bytes) else form
    if form not in _INDEX_ARRAYS:
        raise ValueError(f"the format {form!r} is not known; expected one of {', '.join(_INDEX_ARRAYS)}")
    names = ["coords"] if form == "coo" and "coords" in parts else _INDEX_ARRAYS[form]
    data, shape = parts["data"], tuple(parts["shape"].tolist())
    for name in names:
        check_integers(name, parts[name].ravel(), limit=max(*shape, data.size))
    index: Any = tuple(parts[names[0]]) if names == ["coords"] else tuple(parts[name] for name in names)
    return getattr(sp, f"{form}_array")((data, index) if form == "coo" else (data, *index), shape=shape)


def load_array(path: Path) -> Any:
    """The array or the SciPy sparse matrix in an ``.npy`` or ``.npz`` file.

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
