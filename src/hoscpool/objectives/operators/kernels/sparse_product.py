"""Sparse matrix times dense matrix, a range of rows at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.objectives.operators.kernels.vectors import sum_rows
from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def multiply_rows(
    lanes: Any,
    ahead: Any,
    indptr: Array,
    indices: Array,
    values: Array,
    table: Array,
    out: Array,
    column: int,
    begin: int,
    end: int,
) -> None:
    """Rows ``begin`` to ``end`` of A·S, columns ``column`` to ``column + len(lanes)``.

    Args:
        lanes: A tuple whose length is the number of columns, known when the kernel is compiled.
        ahead: How many entries ahead to prefetch, int64, or ``None`` if the table fits in the cache.
        indptr: Row pointers of A, int64.
        indices: Column indices of A, int32.
        values: Entries of A, or ``None`` if all are 1.
        table: S, contiguous.
        out: A·S, contiguous. This function fills it. It may have more columns than the table.
        column: The first column.
        begin: The first row.
        end: The row after the last.
    """
    stride, out_stride = np.int64(table.shape[1]), np.int64(out.shape[1])
    flat_table, flat_out = table.ravel(), out.ravel()
    for i in range(begin, end):
        place = np.int64(i) * out_stride + column
        first, stop = np.int64(indptr[i]), np.int64(indptr[i + 1])
        sum_rows(lanes, ahead, indices, values, flat_table, flat_out, first, stop, stride, np.int64(column), place)
