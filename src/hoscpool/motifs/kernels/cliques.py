"""Cliques of four or five nodes on each edge, counted without listing instances."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.motifs.kernels.intrinsics import pointer, popcount
from hoscpool.motifs.kernels.triangle import add_beside, triangles_of
from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def cliques(
    nodes: int,
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
    beside: Array,
) -> None:
    """Add to ``support[slot]`` the cliques of 4 or 5 ``nodes`` on each edge whose lowest node u is in [start, stop).

    The graph induced on out(u) is a bit matrix. ``triples``, ``rows`` (the matrix) and ``around`` are scratch memory.
    If ``beside`` has entries, the kernel also adds the result of `sums` by support to them, from the same triangles.
    """
    offsets, cells, support = pointer(offsets), pointer(cells), pointer(support)
    table, mark, found, triples = pointer(table), pointer(mark), pointer(found), pointer(triples)
    rows, around = pointer(rows), pointer(around)
    summing, beside = len(beside) > 0, pointer(beside)
    least = (nodes - 1) * (nodes - 2) // 2  # a clique needs so many edges among the targets
    for u in range(start, stop):
        first = np.int64(offsets[u])
        size = np.int64(offsets[u + 1]) - first
        if size < (2 if summing else nodes - 1):
            continue
        count = triangles_of(u, offsets, cells, table, mark, found, triples, 0)
        if summing:
            add_beside(triples, count, cells, beside)
        if count < least:
            continue
        words = _fill_rows(triples, count, rows, around, first, size)
        if nodes == 4:
            _count_four(triples, count, rows, words, around, first, size, support)
        else:
            _count_five(triples, count, rows, words, around, first, size, support)


@compiled(inline="always")
def _fill_rows(triples: Array, count: int, rows: Array, around: Array, first: int, size: int) -> int:
    """Write the bit matrix of the graph on out(u), and zeros to ``around``. Returns the number of words of a row."""
    words, one = (size + 63) // 64, np.uint64(1)
    for a in range(size):
        around[a] = 0
    for x in range(size * words):
        rows[x] = 0
    for x in range(count):
        a, b = triples[3 * x] - first, triples[3 * x + 1] - first
        rows[a * words + (b >> 6)] |= one << np.uint64(b & 63)
        rows[b * words + (a >> 6)] |= one << np.uint64(a & 63)
    return words


@compiled(inline="always")
def _count_four(
    triples: Array, count: int, rows: Array, words: int, around: Array, first: int, size: int, support: Array
) -> None:
    """Count the triangles on out(u), and add them to all edges of each clique with u.

    The edge (a, b) of out(u) lies in popcount(row a & row b) triangles, and each of them is a four-clique with u.
    """
    for x in range(count):
        a, b = triples[3 * x] - first, triples[3 * x + 1] - first
        common = np.int64(popcount(rows[a * words] & rows[b * words]))
        for word in range(1, words):  # few rows are longer than 64
            common += np.int64(popcount(rows[a * words + word] & rows[b * words + word]))
        support[triples[3 * x + 2]] += common
        around[a] += common
        around[b] += common
    for a in range(size):
        support[first + a] += around[a] // 2  # each clique (u, a, b, c) was counted at (a, b) and at (a, c)


@compiled(inline="always")
def _count_five(
    triples: Array, count: int, rows: Array, words: int, around: Array, first: int, size: int, support: Array
) -> None:
    """Count the four-cliques on out(u), and add them to all edges of each clique with u.

    The triangle (a, b, c) of out(u) lies in popcount(row a & row b & row c) four-cliques. Summed over c, each counts
    twice at the edge (a, b), and summed over the edges at a, six times at (u, a).
    """
    one = np.uint64(1)
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
