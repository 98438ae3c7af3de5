"""Five-cliques on each edge, counted without listing the fifth node."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.motifs.kernels.clique4 import fill_rows
from hoscpool.motifs.kernels.intrinsics import pointer, popcount
from hoscpool.motifs.kernels.triangle import triangles_of
from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def clique5(
    offsets: Array,
    cells: Array,
    start: int,
    stop: int,
    table: Array,
    mark: Array,
    found: Array,
    triples: Array,
    rows: Array,
    around: Array,
    support: Array,
) -> None:
    """Add to ``support[slot]`` the five-cliques on each edge whose lowest node u is in [start, stop).

    The graph induced on out(u) is a bit matrix, as in `clique4`. Its triangle (a, b, c) with u is a four-clique, and
    popcount(row a & row b & row c) five-cliques contain it. Summed over c, every five-clique counts twice at the edge
    (a, b), and summed over the edges at a, six times at (u, a).
    """
    offsets, cells, support = pointer(offsets), pointer(cells), pointer(support)
    table, mark, found, triples = pointer(table), pointer(mark), pointer(found), pointer(triples)
    rows, around = pointer(rows), pointer(around)
    one = np.uint64(1)
    for u in range(start, stop):
        first = np.int64(offsets[u])
        size = np.int64(offsets[u + 1]) - first
        if size < 4:
            continue
        count = triangles_of(u, offsets, cells, table, mark, found, triples, 0)
        if count < 6:  # a clique needs six edges among the targets
            continue
        words = fill_rows(triples, count, rows, around, first, size)
        for x in range(count):
            a, b = triples[3 * x] - first, triples[3 * x + 1] - first
            twice = np.int64(0)
            for word in range(words):
                left = rows[a * words + word] & rows[b * words + word]
                while left:
                    lowest = left & (~left + one)
                    c = 64 * word + np.int64(popcount(lowest - one))
                    left ^= lowest
                    for other in range(words):
                        both = rows[a * words + other] & rows[b * words + other]
                        twice += np.int64(popcount(both & rows[c * words + other]))
            support[triples[3 * x + 2]] += twice // 2
            around[a] += twice
            around[b] += twice
        for a in range(size):
            support[first + a] += around[a] // 6
