"""Orienting the edges of a symmetric CSR structure, and writing values on edges back as a symmetric matrix."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from hoscpool.motifs.kernels.intrinsics import prefetch

Array = Any


@numba.njit(nogil=True, cache=True)
def orient(indptr: Array, indices: Array, degree: Array, offsets: Array, cells: Array, is_up: Array) -> None:
    """Keep of every row the neighbours of higher (degree, id), in the order of the row.

    Writes the neighbour to ``cells[2·slot]``, the row pointers to ``offsets``, and to ``is_up`` which entries stayed.
    """
    slot, last = 0, len(indices) - 1
    offsets[0] = 0
    for i in range(len(degree)):
        for p in range(indptr[i], indptr[i + 1]):
            prefetch(degree, np.int64(indices[min(p + 16, last)]))
            j = indices[p]
            up = (degree[j] > degree[i]) | ((degree[j] == degree[i]) & (j > i))
            cells[2 * slot] = j
            is_up[p] = up
            slot += up
        offsets[i + 1] = slot


@numba.njit(nogil=True, cache=True)
def cursors(offsets: Array, cells: Array, start: int) -> Array:
    """For every node the first slot whose target is ``start`` or more: where a pass over rows from ``start`` reads."""
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


@numba.njit(nogil=True, cache=True)
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

    Zeros are left out; row ``start`` begins at its place in the full structure. Row i meets the slots of its lower
    neighbours j in the order in which out(j) lists them, so one cursor a node replaces every search.
    """
    end, last = indptr[start], len(indices) - 1
    for i in range(start, stop):
        own = np.int64(offsets[i])
        for p in range(indptr[i], indptr[i + 1]):
            prefetch(cursor, np.int64(indices[min(p + 16, last)]))
            prefetch(values, stride * np.int64(cursor[indices[min(p + 8, last)]]))
            j = indices[p]
            if is_up[p]:
                slot = own
                own += 1
            else:
                slot = np.int64(cursor[j])
                cursor[j] += 1
            value = values[stride * slot]
            out_indices[end] = j
            out_data[end] = value
            end += value != 0
        row_ends[i] = end
    return end
