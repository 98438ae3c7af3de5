"""Four-cliques on each edge, without touching a single instance."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from hoscpool.motifs.kernels.intrinsics import popcount

Array = Any


@numba.njit(nogil=True, cache=True)
def clique4(offsets: Array, cells: Array, start: int, stop: int, mark: Array, width: int, support: Array) -> None:
    """Add to ``support[slot]`` the four-cliques on each edge whose lowest node u is in [start, stop).

    The graph induced on out(u) is a bit matrix; its edge (a, b) lies in popcount(row a & row b) triangles there, and
    each of them is a four-clique with u. ``width`` is the largest out-degree, ``mark`` a zeroed int32 a node.
    """
    words = (width + 63) // 64
    rows = np.zeros((width, words), np.uint64)
    around = np.zeros(width, np.int64)
    pairs = np.empty((1024, 3), np.int32)
    for u in range(start, stop):
        first, size = np.int64(offsets[u]), np.int64(offsets[u + 1]) - np.int64(offsets[u])
        if size < 3:
            continue
        used, most = (size + 63) // 64, np.int64(0)
        for a in range(size):
            v = cells[2 * (first + a)]
            most += min(size, np.int64(offsets[v + 1]) - np.int64(offsets[v]))
            mark[v] = a + 1
            around[a] = 0
            for word in range(used):
                rows[a, word] = 0
        if most > len(pairs):
            pairs = np.empty((most, 3), np.int32)
        count = _induced(offsets, cells, first, size, mark, rows, pairs)
        for x in range(count):
            a, b, slot = pairs[x, 0], pairs[x, 1], pairs[x, 2]
            common = np.int64(0)
            for word in range(used):
                common += np.int64(popcount(rows[a, word] & rows[b, word]))
            support[slot] += common
            around[a] += common
            around[b] += common
        for a in range(size):
            mark[cells[2 * (first + a)]] = 0
            support[first + a] += around[a] // 2  # each clique (u, a, b, c) was met at (a, b) and at (a, c)


@numba.njit(nogil=True, cache=True, inline="always")
def _induced(offsets: Array, cells: Array, first: int, size: int, mark: Array, rows: Array, pairs: Array) -> int:
    """Fill the bit matrix of the graph induced on out(u) and list its edges as (a, b, slot)."""
    one, count = np.uint64(1), 0
    for a in range(size):
        v = cells[2 * (first + a)]
        for q in range(np.int64(offsets[v]), np.int64(offsets[v + 1])):
            b = mark[cells[2 * q]] - 1
            if b >= 0:
                rows[a, b >> 6] |= one << np.uint64(b & 63)
                rows[b, a >> 6] |= one << np.uint64(a & 63)
                pairs[count, 0], pairs[count, 1], pairs[count, 2] = a, b, q
                count += 1
    return count
