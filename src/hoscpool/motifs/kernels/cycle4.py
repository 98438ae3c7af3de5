"""Four-cycles on each edge, counted on a copy of the structure in which nodes are numbered by rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.motifs.kernels.intrinsics import following, pointer, prefetch
from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def degree_order(indptr: Array) -> tuple[Array, Array]:
    """The nodes in the order of (degree, id), by counting sort, and the rank of every node."""
    degree, largest = np.diff(indptr), 0
    for d in degree:
        largest = max(largest, d)
    start = np.zeros(largest + 2, np.int64)
    for d in degree:
        start[d + 1] += 1
    start = np.cumsum(start)
    order, rank = np.empty(len(degree), np.int32), np.empty(len(degree), np.int32)
    for i in range(len(degree)):
        r = start[degree[i]]
        order[r], rank[i] = i, r
        start[degree[i]] = r + 1
    return order, rank


@compiled()
def by_rank(
    indptr: Array,
    indices: Array,
    order: Array,
    rank: Array,
    cursor: Array,
    ranked_indptr: Array,
    ranked: Array,
    place: Array,
) -> None:
    """Write the structure with nodes renamed to their rank. Entry p becomes entry ``place[p]``.

    Nodes are appended to the rows of their neighbours in order, so that rows ascend without a sort. An entry is matched
    with its mirror image, which belongs to the same edge. ``cursor`` is scratch memory.
    """
    num_nodes = len(order)
    indptr, indices, order, rank, cursor = (
        pointer(indptr), pointer(indices), pointer(order), pointer(rank), pointer(cursor),
    )  # fmt: skip
    ranked_indptr, ranked, place = pointer(ranked_indptr), pointer(ranked), pointer(place)
    end = np.int64(0)
    for r in range(num_nodes):
        ranked_indptr[r] = cursor[r] = end
        end += indptr[order[r] + 1] - indptr[order[r]]
    ranked_indptr[num_nodes] = end
    for r in range(num_nodes):
        prefetch(indptr, np.int64(order[min(r + 8, num_nodes - 1)]))
        prefetch(indices, indptr[order[min(r + 4, num_nodes - 1)]])
        p, stop = indptr[order[r]], indptr[order[r] + 1]
        while p < stop:
            row = rank[indices[p]]
            end = np.int64(cursor[row])
            ranked[end] = r
            place[p] = end
            cursor[row] = end + 1
            p = following(p)


@compiled()
def cycle4(indptr: Array, ranked: Array, start: int, stop: int, count: Array, touched: Array, out: Array) -> None:
    """Add to the entries ``out`` of the ranked structure the four-cycles whose highest node is in [start, stop).

    For the highest node u and the opposite node w, c wedges u–v–w make c·(c−1)/2 cycles, and each of their edges lies
    in c−1 of them. ``count`` holds a zero for every node. ``touched`` is scratch memory for N + 1 nodes. The total of
    an edge is the sum over its two entries.
    """
    last = len(ranked) - 1
    indptr, ranked, count = pointer(indptr), pointer(ranked), pointer(count)
    touched, out = pointer(touched), pointer(out)
    for u in range(start, stop):
        first, row_stop = np.int64(indptr[u]), np.int64(indptr[u + 1])
        if row_stop - first < 2 or ranked[first + 1] > u:
            continue  # a cycle needs two neighbours below u
        p, size, closed = first, 0, False
        while p < row_stop and ranked[p] < u:
            prefetch(indptr, np.int64(ranked[min(p + 8, last)]))
            prefetch(ranked, np.int64(indptr[ranked[min(p + 4, last)]]))
            q, v_stop = np.int64(indptr[ranked[p]]), np.int64(indptr[ranked[p] + 1])
            while q < v_stop and ranked[q] < u:
                w = ranked[q]
                before = count[w]
                touched[size] = w
                size += before == 0
                closed |= before > 0
                count[w] = before + 1
                q = following(q)
            p = following(p)
        if closed:
            _spread(indptr, ranked, u, first, p, count, out)
        for x in range(size):
            count[touched[x]] = 0


@compiled(inline="always")
def _spread(indptr: Array, ranked: Array, u: int, first: int, stop: int, count: Array, out: Array) -> None:
    """Add to both edges of every wedge u–v–w the number of other wedges between u and w."""
    p = first
    while p < stop:
        total = np.int64(0)
        q, v_stop = np.int64(indptr[ranked[p]]), np.int64(indptr[ranked[p] + 1])
        while q < v_stop and ranked[q] < u:
            others = np.int64(count[ranked[q]]) - 1
            out[q] += others
            total += others
            q = following(q)
        out[p] += total
        p = following(p)


@compiled()
def fold(
    indptr: Array,
    indices: Array,
    is_up: Array,
    place: Array,
    entries: Array,
    offsets: Array,
    cursor: Array,
    slots: Array,
) -> None:
    """Add the two entries of every edge to its slot. Entry p is at ``place[p]``. For ``cursor`` see `emit`."""
    num_nodes, last = len(indptr) - 1, len(indices) - 1
    indptr, indices, is_up, place = pointer(indptr), pointer(indices), pointer(is_up), pointer(place)
    entries, offsets, slots, cursor = pointer(entries), pointer(offsets), pointer(slots), pointer(cursor)
    for i in range(num_nodes):
        own = np.int64(offsets[i])
        p, stop = indptr[i], indptr[i + 1]
        while p < stop:
            prefetch(entries, np.int64(place[min(p + 16, last)]))
            prefetch(slots, np.int64(cursor[indices[min(p + 8, last)]]))
            j, up = indices[p], np.int64(is_up[p])
            theirs = np.int64(cursor[j])
            cursor[j] = theirs + 1 - up
            slots[own if up else theirs] += entries[place[p]]
            own += up
            p = following(p)
