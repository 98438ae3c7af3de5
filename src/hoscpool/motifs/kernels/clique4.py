"""Four-cliques on each edge, without touching a single instance."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from hoscpool.motifs.kernels.intrinsics import popcount
from hoscpool.motifs.kernels.triangle import candidates, enter, leave, look_ahead, place_in

Array = Any


@numba.njit(nogil=True, cache=True)
def clique4(
    offsets: Array,
    cells: Array,
    start: int,
    stop: int,
    width: int,
    table: Array,
    mark: Array,
    found: Array,
    support: Array,
) -> None:
    """Add to ``support[slot]`` the four-cliques on each edge whose lowest node u is in [start, stop).

    The graph induced on out(u) is a bit matrix; its edge (a, b) lies in popcount(row a & row b) triangles there, and
    each of them is a four-clique with u. ``width`` is the largest out-degree.
    """
    rows = np.zeros((width, (width + 63) // 64), np.uint64)
    around = np.zeros(width, np.int64)
    pairs = np.empty((1024, 3), np.int32)
    last = np.int64(offsets[len(offsets) - 1]) - 1
    for u in range(start, stop):
        first, stop_slot = np.int64(offsets[u]), np.int64(offsets[u + 1])
        size = stop_slot - first
        if size < 3:
            continue
        most = _most_pairs(offsets, cells, first, size)
        if most > len(pairs):
            pairs = np.empty((most, 3), np.int32)
        exact = enter(cells, first, stop_slot, table, mark)
        count = 0
        for e in range(first, stop_slot):
            look_ahead(offsets, cells, e, last)
            v = cells[2 * e]
            near = candidates(cells, np.int64(offsets[v]), np.int64(offsets[v + 1]), table, found)
            for x in range(near):
                f = place_in(cells, first, cells[2 * found[x]], table, mark, exact)
                if f >= 0:
                    pairs[count, 0], pairs[count, 1], pairs[count, 2] = e - first, f - first, found[x]
                    count += 1
        leave(cells, first, stop_slot, table, mark, exact)
        if count >= 3:  # a clique takes three edges among the targets
            _count_cliques(pairs[:count], rows, around, first, size, support)


@numba.njit(nogil=True, cache=True, inline="always")
def _most_pairs(offsets: Array, cells: Array, first: int, size: int) -> int:
    """Bound on the number of edges among the targets of a node."""
    most = 0
    for e in range(first, first + size):
        v = cells[2 * e]
        most += min(size, offsets[v + 1] - offsets[v])
    return most


@numba.njit(nogil=True, cache=True)
def _count_cliques(pairs: Array, rows: Array, around: Array, first: int, size: int, support: Array) -> None:
    """Triangles of the graph with these edges (a, b, slot), added to the slots of all edges that they span with u."""
    words, one = (size + 63) // 64, np.uint64(1)
    for a in range(size):
        around[a] = 0
        rows[a, :words] = 0
    for x in range(len(pairs)):
        a, b = pairs[x, 0], pairs[x, 1]
        rows[a, b >> 6] |= one << np.uint64(b & 63)
        rows[b, a >> 6] |= one << np.uint64(a & 63)
    for x in range(len(pairs)):
        a, b = pairs[x, 0], pairs[x, 1]
        common = np.int64(0)
        for word in range(words):
            common += np.int64(popcount(rows[a, word] & rows[b, word]))
        support[pairs[x, 2]] += common
        around[a] += common
        around[b] += common
    for a in range(size):
        support[first + a] += around[a] // 2  # each clique (u, a, b, c) was met at (a, b) and at (a, c)
