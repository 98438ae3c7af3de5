"""SciPy sparse matrices and dense NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.graph.raw import RawGraph
from hoscpool.graph.sparse_structure import check_structure
from hoscpool.graph.validate import check_numeric, check_square


def from_scipy(matrix: Any) -> RawGraph:
    """Raw arcs of a square SciPy sparse matrix or array. Entry (i, j) is the weight of arc i → j.

    Raises:
        ValueError: It is not square, not real, or its index arrays are inconsistent.
    """
    check_numeric(matrix.dtype, "adjacency")
    num_nodes = check_square(matrix.shape)
    check_structure(matrix)
    coo = matrix.tocoo()
    if matrix.format == "bsr":  # zeros fill up its blocks; they are not edges of weight 0
        coo.eliminate_zeros()
    return RawGraph(coo.row, coo.col, coo.data, num_nodes)


def from_dense(array: Any) -> RawGraph:
    """Raw arcs of a square NumPy array. Entry (i, j) ≠ 0 is the weight of arc i → j.

    Raises:
        ValueError: It is not square, not real, or masked.
    """
    if np.ma.isMaskedArray(array):
        raise ValueError("adjacency: expected a plain array, got a masked array; fill it first, as in array.filled(0)")
    array = np.asarray(array)
    check_numeric(array.dtype, "adjacency")
    num_nodes = check_square(array.shape)
    rows, cols = np.nonzero(array)
    return RawGraph(rows, cols, array[rows, cols], num_nodes)
