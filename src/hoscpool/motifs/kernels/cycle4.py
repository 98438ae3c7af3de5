"""Four-cycles on each edge."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from hoscpool.motifs.kernels.intrinsics import prefetch

Array = Any


@numba.njit(nogil=True, cache=True)
def cycle4(
    indptr: Array, ranks: Array, neighbours: Array, order: Array, start: int, stop: int, count: Array, out: Array
) -> None:
    """Add to the entries ``out`` of the CSR structure the four-cycles whose highest node has rank in [start, stop).

    With u the highest node and w opposite to it, c wedges u–v–w make c·(c−1)/2 cycles, and each of their edges lies in
    c−1 of them. ``ranks`` holds the rank of every entry's node, ``order`` the node of every rank, ``count`` a zero a
    node. An edge's total is the sum over its two entries.
    """
    touched = np.empty(len(order), np.int32)
    last = len(ranks) - 1
    for top in range(start, stop):
        u, size = order[top], 0
        for p in range(indptr[u], indptr[u + 1]):
            prefetch(ranks, indptr[neighbours[min(p + 2, last)]])
            if ranks[p] < top:
                v = neighbours[p]
                for q in range(indptr[v], indptr[v + 1]):
                    w = ranks[q]
                    if w < top:
                        touched[size] = w
                        size += count[w] == 0
                        count[w] += 1
        for p in range(indptr[u], indptr[u + 1]):
            if ranks[p] < top:
                v, total = neighbours[p], np.int64(0)
                for q in range(indptr[v], indptr[v + 1]):
                    w = ranks[q]
                    if w < top and count[w] > 1:
                        out[q] += count[w] - 1
                        total += count[w] - 1
                out[p] += total
        for x in range(size):
            count[touched[x]] = 0


@numba.njit(nogil=True, cache=True)
def fold(indptr: Array, indices: Array, is_up: Array, entries: Array, offsets: Array, slots: Array) -> None:
    """Add the two entries of every edge into its slot."""
    cursor = offsets[:-1].copy()
    for i in range(len(indptr) - 1):
        own = np.int64(offsets[i])
        for p in range(indptr[i], indptr[i + 1]):
            if is_up[p]:
                slots[own] += entries[p]
                own += 1
            else:
                j = indices[p]
                slots[cursor[j]] += entries[p]
                cursor[j] += 1
