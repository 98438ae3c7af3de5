"""Put the edges of blocks into one structure, and take values on its entries back to the blocks.

Node r of the range of the rows is node ``row + row_step·r`` of the structure, and the columns are numbered likewise.
``cursor`` holds the place of the next entry of every node. Whoever puts and whoever takes must go through the blocks in
the same order.
"""

from __future__ import annotations

from typing import Any

from hoscpool.motifs.kernels.cycle4 import cycle4
from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def put_rows(
    indptr: Array, indices: Array, row: int, row_step: int, column: int, column_step: int, cursor: Array,
    targets: Array, stride: int,
) -> None:  # fmt: skip
    """Write every edge to the row of its lower end, at ``targets[stride·entry]``."""
    for r in range(len(indptr) - 1):
        at = cursor[row + row_step * r]
        for e in range(indptr[r], indptr[r + 1]):
            targets[stride * at] = column + column_step * indices[e]
            at += 1
        cursor[row + row_step * r] = at


@compiled()
def put_columns(
    indptr: Array, indices: Array, row: int, row_step: int, column: int, column_step: int, cursor: Array,
    targets: Array, stride: int,
) -> None:  # fmt: skip
    """Write every edge to the row of its higher end."""
    for r in range(len(indptr) - 1):
        for e in range(indptr[r], indptr[r + 1]):
            node = column + column_step * indices[e]
            targets[stride * cursor[node]] = row + row_step * r
            cursor[node] += 1


@compiled()
def take_rows(indptr: Array, row: int, row_step: int, cursor: Array, values: Array, stride: int, out: Array) -> None:
    """Add to every edge the value of the entry that `put_rows` wrote."""
    for r in range(len(indptr) - 1):
        at = cursor[row + row_step * r]
        for e in range(indptr[r], indptr[r + 1]):
            out[e] += values[stride * at]
            at += 1
        cursor[row + row_step * r] = at


@compiled()
def take_columns(
    indptr: Array, indices: Array, column: int, column_step: int, cursor: Array, values: Array, stride: int, out: Array
) -> None:
    """Add to every edge the value of the entry that `put_columns` wrote."""
    for r in range(len(indptr) - 1):
        for e in range(indptr[r], indptr[r + 1]):
            node = column + column_step * indices[e]
            out[e] += values[stride * cursor[node]]
            cursor[node] += 1


@compiled()
def cycle4_of_even(
    indptr: Array, ranked: Array, start: int, stop: int, count: Array, touched: Array, out: Array
) -> None:
    """The kernel `cycle4` for every second node as the highest: 2·start, 2·start + 2, … below 2·stop."""
    for r in range(start, stop):
        cycle4(indptr, ranked, 2 * r, 2 * r + 1, count, touched, out)
