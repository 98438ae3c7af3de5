"""NumPy archives with SciPy sparse matrices or plain arrays. Pickles are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import scipy.sparse as sp

from hoscpool.graph.converters.arrays import from_scipy
from hoscpool.graph.raw import RawGraph
from hoscpool.graph.readers.numpy_files import Arrays, read_arrays, read_npy
from hoscpool.graph.readers.opening import FileFormatError, check_claimed_nodes, reporting
from hoscpool.graph.sparse_structure import check_integers, check_structure
from hoscpool.graph.validate import check_numeric

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
    matrix = load_sparse(path)
    check_claimed_nodes(path, max(matrix.shape))
    return from_scipy(matrix)


def load_sparse(path: Path) -> Any:
    """The SciPy sparse matrix in an ``.npz`` archive.

    Raises:
        ValueError: The archive is damaged, contains pickles, or is not a SciPy sparse matrix.
    """
    parts = read_arrays(path)
    if not _is_matrix(parts):
        raise FileFormatError(
            path, f"expected a matrix written by scipy.sparse.save_npz, got an archive of {', '.join(sorted(parts))}"
        )
    return _to_matrix(path, parts)


def load_array(path: Path) -> Any:
    """The array or the SciPy sparse matrix in an ``.npy`` or ``.npz`` file.

    Raises:
        ValueError: The file is damaged, contains pickles, or has several arrays.
    """
    if path.suffix.lower() == ".npy":
        return read_npy(path)
    parts = read_arrays(path)
    if _is_matrix(parts):
        return _to_matrix(path, parts)
    if len(parts) != 1:
        raise FileFormatError(path, f"expected one array, got an archive of {', '.join(sorted(parts)) or 'nothing'}")
    return next(iter(parts.values()))


def _is_matrix(parts: Arrays) -> bool:
    return parts.keys() >= {"format", "shape", "data"}


def _to_matrix(path: Path, parts: Arrays) -> Any:
    with reporting(path, "a SciPy sparse matrix"):
        matrix = _assemble(parts)
        check_structure(matrix, "the matrix")
        return matrix


def _assemble(parts: Arrays) -> Any:
    """Build the matrix from the arrays of ``save_npz``. Check only that numbers are real and indices of a valid size.

    SciPy's constructors would silently turn fractions and very large numbers into other indices.
    """
    form = parts["format"].item()
    form = form.decode("ascii") if isinstance(form, bytes) else form
    if form not in _INDEX_ARRAYS:
        raise ValueError(f"the format {form!r} is not known; expected one of {', '.join(_INDEX_ARRAYS)}")
    names = ["coords"] if form == "coo" and "coords" in parts else _INDEX_ARRAYS[form]
    data, shape = parts["data"], tuple(parts["shape"].tolist())
    check_numeric(data.dtype, "data")
    if len(shape) != 2 or not all(type(size) is int and 0 <= size < 2**63 for size in shape):
        raise ValueError(f"shape: expected two whole numbers ≥ 0, got {shape}")
    for name in names:
        check_integers(name, parts[name].ravel(), limit=max(*shape, data.size))
    index: Any = tuple(parts[names[0]]) if names == ["coords"] else tuple(parts[name] for name in names)
    return getattr(sp, f"{form}_array")((data, index) if form == "coo" else (data, *index), shape=shape)
