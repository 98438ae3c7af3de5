"""Four-cycles on each edge."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from hoscpool.motifs.kernels.intrinsics import prefetch

Array = Any


@numba.njit(nogil=True, cache=True)
def degree_ranks(degree: Array, largest: int) -> Array:
    """Place of every node in the order of (degree, id), by counting."""
    start = np.zeros(largest + 2, np.int64)
    for d in degree:
        start[d + 1] += 1
    for d in range(largest + 1):
        start[d + 1] += start[d]
    rank = np.empty(len(degree), np.int32)
    for i in range(len(degree)):
        rank[i] = start[degree[i]]
        start[degree[i]] += 1
    return rank


@numba.njit(nogil=True, cache=True)
def cycle4(
    indptr: Array, indices: Array, ranks: Array, rank: Array, start: int, stop: int, count: Array, out: Array
) -> None:
    """Add to the entries ``out`` of the CSR structure the four-cycles whose highest node is in [start, stop).

    With u the highest node and w opposite to it, c wedges u–v–w make c·(c−1)/2 cycles, and each of their edges lies in
    c−1 of them. ``rank`` orders the nodes, ``ranks`` is the rank of every entry's node, ``count`` a zero a node. An
    edge's total is the sum over its two entries.
    """
    touched = np.empty(len(rank) + 1, np.int32)  # one is written ahead
    last = len(ranks) - 1
    for u in range(start, stop):
        top, size, closed = rank[u], 0, False
        for p in range(indptr[u], indptr[u + 1]):
            prefetch(indptr, np.int64(indices[min(p + 16, last)]))
            prefetch(ranks, indptr[indices[min(p + 8, last)]])
            if ranks[p] < top:
                v = indices[p]
                for q in range(indptr[v], indptr[v + 1]):
                    # without branches: whether w lies below u is a coin toss that no processor predicts
                    w = ranks[q]
                    below, seen = w < top, count[w] > 0
                    touched[size] = w
                    size += below & (not seen)
                    closed |= below & seen
                    count[w] += below
        if closed:
            for p in range(indptr[u], indptr[u + 1]):
                if ranks[p] < top:
                    v, total = indices[p], np.int64(0)
                    for q in range(indptr[v], indptr[v + 1]):
                        others = (count[ranks[q]] - 1) if ranks[q] < top else 0
                        out[q] += others
                        total += others
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
