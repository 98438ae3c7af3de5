"""Checks of sparse matrices. Compiled code trusts index arrays, so wrong ones make it read outside of memory.

SciPy's own ``check_format`` is not enough: if the last pointer is 0, it accepts decreasing pointers.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp


def check_structure(matrix: Any, what: str = "adjacency") -> None:
    """Check the index arrays of a SciPy sparse matrix. Call it before any computation.

    Args:
        matrix: A matrix or array of any format.
        what: The name of the argument, for the message.

    Raises:
        ValueError: An index or a pointer is out of range, or the arrays do not fit each other.
    """
    check = {"csr": _check_rows, "csc": _check_rows, "bsr": _check_blocks, "coo": _check_coordinates,
             "dia": _check_diagonals, "lil": _check_lists}.get(matrix.format)  # fmt: skip
    if check is None:  # DOK is a dictionary. SciPy checks it on conversion.
        return
    try:
        check(matrix)
    except ValueError as error:
        raise ValueError(f"{what}: the {matrix.format.upper()} index arrays are inconsistent ({error})") from None


def check_compressed(
    indptr: npt.NDArray[Any], indices: npt.NDArray[Any], num_values: int, num_rows: int, num_cols: int
) -> None:
    """Check the arrays of a CSR matrix, or of a CSC matrix with rows and columns exchanged.

    Args:
        indptr: Row pointers ``[num_rows + 1]``.
        indices: The column of every entry.
        num_values: Number of values.
        num_rows: Number of rows.
        num_cols: Number of columns.

    Raises:
        ValueError: An index or a pointer is out of range, or the arrays do not fit each other.
    """
    check_integers("indptr", indptr)
    _check_range("indices", indices, num_cols)
    if len(indptr) != num_rows + 1:
        raise ValueError(f"indptr: expected {num_rows + 1:,} pointers, got {len(indptr):,}")
    if indptr[0] != 0:
        raise ValueError(f"indptr: expected the first pointer to be 0, got {indptr[0]}")
    if (indptr[1:] < indptr[:-1]).any():
        raise ValueError("indptr: expected pointers that never decrease")
    if num_values != len(indices):
        raise ValueError(f"indices: expected {num_values:,}, one for every value, got {len(indices):,}")
    if indptr[-1] > len(indices):
        raise ValueError(f"indptr: expected pointers of at most {len(indices):,}, got {indptr[-1]}")


def csr_from_parts(
    data: npt.NDArray[Any], indices: npt.NDArray[Any], indptr: npt.NDArray[Any], shape: tuple[int, ...]
) -> sp.csr_array:
    """Build a CSR matrix from arrays of a file.

    Raises:
        ValueError: The arrays are not consistent.
    """
    if len(shape) != 2 or data.ndim != 1:
        raise ValueError(f"expected a matrix, got shape {shape} and values of shape {data.shape}")
    check_compressed(indptr, indices, len(data), *shape)
    return sp.csr_array((data, indices, indptr), shape=shape)


def _check_rows(matrix: Any) -> None:
    rows, cols = (1, *matrix.shape)[-2:]
    if matrix.format == "csc":
        rows, cols = cols, rows
    if matrix.data.ndim != 1:
        raise ValueError(f"data: expected a vector, got shape {matrix.data.shape}")
    check_compressed(matrix.indptr, matrix.indices, len(matrix.data), rows, cols)
    matrix.check_format(full_check=True)  # also drops unused memory at the end and gives both arrays one index type


def _check_blocks(matrix: Any) -> None:
    (rows, cols), sizes = matrix.shape, matrix.data.shape
    if len(sizes) != 3 or 0 in sizes[1:] or rows % sizes[1] or cols % sizes[2]:
        raise ValueError(f"data: expected blocks that fill {rows:,} × {cols:,} entries, got shape {sizes}")
    check_compressed(matrix.indptr, matrix.indices, sizes[0], rows // sizes[1], cols // sizes[2])
    matrix.check_format(full_check=True)


def _check_coordinates(matrix: Any) -> None:
    for axis, (index, size) in enumerate(zip(matrix.coords, matrix.shape, strict=True)):
        _check_range(f"coords[{axis}]", index, size)
        if index.shape != matrix.data.shape:
            raise ValueError(f"coords[{axis}]: expected {matrix.data.shape} indices, got {index.shape}")


def _check_diagonals(matrix: Any) -> None:
    rows, cols = matrix.shape
    check_integers("offsets", matrix.offsets)
    if matrix.data.ndim != 2 or len(matrix.data) != len(matrix.offsets):
        raise ValueError(f"data: expected {len(matrix.offsets):,} diagonals, got shape {matrix.data.shape}")
    if len(matrix.offsets) and not -rows <= matrix.offsets.min() <= matrix.offsets.max() <= cols:
        raise ValueError(f"offsets: expected {-rows:,} to {cols:,}")


def _check_lists(matrix: Any) -> None:
    lengths = [list(map(len, lists)) for lists in (matrix.rows, matrix.data)]
    if lengths[0] != lengths[1] or len(lengths[0]) != matrix.shape[0]:
        raise ValueError("rows and data: expected two lists of the same length for every row")
    _check_range("rows", np.array(list(chain.from_iterable(matrix.rows))), matrix.shape[1])


def without_diagonal(matrix: Any) -> sp.csr_array:
    """A copy without the entries on the diagonal.

    Before SciPy 1.15 ``setdiag(0)`` can put other entries into the wrong row.
    """
    entries = matrix.tocoo()
    apart = entries.row != entries.col
    return sp.csr_array((entries.data[apart], (entries.row[apart], entries.col[apart])), shape=matrix.shape)


def check_integers(name: str, array: npt.NDArray[Any], limit: int | None = None) -> None:
    """Check that an array is a vector of integers.

    Args:
        name: The name of the array in the message.
        array: The array.
        limit: The largest absolute value allowed.

    Raises:
        ValueError: It is not, or a number is too large.
    """
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"{name}: expected a vector of integers, got {array.dtype} of shape {array.shape}")
    if limit is not None and array.size and not -limit <= array.min() <= array.max() <= limit:
        raise ValueError(f"{name}: expected numbers up to {limit:,}, got {array.min()} to {array.max()}")


def _check_range(name: str, index: npt.NDArray[Any], size: int) -> None:
    check_integers(name, index)
    if index.size and (index.min() < 0 or index.max() >= size):
        raise ValueError(f"{name}: expected indices from 0 to {size - 1:,}, got {index.min()} to {index.max()}")
