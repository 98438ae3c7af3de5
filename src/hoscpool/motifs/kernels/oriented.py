"""Orient the edges of a symmetric CSR structure, and write values on edges as a symmetric matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.motifs.kernels.intrinsics import following, pointer, prefetch
from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def orient(indptr: Array, indices: Array, degree: Array, offsets: Array, cells: Array, is_up: Array) -> Any:
    """Keep in every row the neighbours of higher (degree, id), in the same order.

    Writes the neighbour to ``cells[2·slot]``, a zero counter to the next cell, the row pointers to ``offsets``, and
    which entries are kept to ``is_up``. ``degree`` is scratch memory. Cells after the last slot are set to zero.
    Returns the largest number of neighbours kept.
    """
    num_nodes, last, tail = len(degree), len(indices) - 1, len(indices)
    size = len(cells)
    indptr, indices, degree = pointer(indptr), pointer(indices), pointer(degree)
    offsets, cells, is_up = pointer(offsets), pointer(cells), pointer(is_up)
    for i in range(num_nodes):
        degree[i] = indptr[i + 1] - indptr[i]
    slot, width = np.int64(0), np.int64(0)
    for i in range(num_nodes):
        first = offsets[i] = slot
        here = np.int64(degree[i]) << 32 | i
        p, stop = indptr[i], indptr[i + 1]
        while p < stop:
            prefetch(degree, np.int64(indices[min(p + 16, last)]))
            j = np.int64(indices[p])
            up = (np.int64(degree[j]) << 32 | j) > here
            cells[2 * slot] = j
            cells[2 * slot + 1] = 0
            is_up[p] = up
            slot += up
            p = following(p)
        width = max(width, slot - first)
    offsets[num_nodes] = slot
    for x in range(tail, size):
        cells[x] = 0
    return width


@compiled()
def cursors(offsets: Array, cells: Array, start: int) -> Array:
    """For every node, its first slot whose target is at least ``start``. A pass from row ``start`` begins there."""
    first = np.empty(len(offsets) - 1, np.int32)
    for j in range(len(first)):
        low, high = np.int64(offsets[j]), np.int64(offsets[j + 1])
        while low < high:
            middle = (low + high) // 2
            if cells[2 * middle] < start:
                low = middle + 1
            else:
                high = middle
        first[j] = low
    return first


@compiled()
def emit(
    indptr: Array,
    indices: Array,
    is_up: Array,
    offsets: Array,
    cursor: Array,
    values: Array,
    stride: int,
    start: int,
    stop: int,
    row_ends: Array,
    out_indices: Array,
    out_data: Array,
) -> int:
    """Write rows ``start`` to ``stop`` of the symmetric matrix of the values at ``values[stride·slot]``.

    Zeros are left out. Row ``start`` begins at its place in the full structure. Row i reads the slots of its lower
    neighbours j in the order of out(j), so one cursor per node replaces all searches.
    """
    last = len(indices) - 1
    indptr, indices, is_up, offsets = pointer(indptr), pointer(indices), pointer(is_up), pointer(offsets)
    cursor, values, row_ends = pointer(cursor), pointer(values), pointer(row_ends)
    out_indices, out_data = pointer(out_indices), pointer(out_data)
    end = indptr[start]
    for i in range(start, stop):
        own = np.int64(offsets[i])
        p, row_stop = indptr[i], indptr[i + 1]
        while p < row_stop:
            prefetch(cursor, np.int64(indices[min(p + 32, last)]))
            prefetch(values, stride * np.int64(cursor[indices[min(p + 16, last)]]))
            # without branches: the processor cannot predict which end of an edge is the higher
            j, up = indices[p], np.int64(is_up[p])
            theirs = np.int64(cursor[j])
            cursor[j] = theirs + 1 - up
            value = values[stride * (own if up else theirs)]
            own += up
            out_indices[end] = j
            out_data[end] = value
            end += value != 0
            p = following(p)
        row_ends[i] = end
    return end
