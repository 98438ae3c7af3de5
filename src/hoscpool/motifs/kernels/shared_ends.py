"""Directed motifs of four nodes that are two walks of two steps with the same ends, counted on their first steps."""

from __future__ import annotations

from typing import Any

from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def shared_ends(
    indptr: Array,
    indices: Array,
    next_indptr: Array,
    next_indices: Array,
    start: int,
    stop: int,
    count: Array,
    out: Array,
) -> None:
    """Write to every entry (i, j) the number of other walks i – j' – k that share an end k with a walk i – j – k.

    The first step is an entry of the first structure, the second one of the next; k ≠ i. Rows ``start`` to ``stop``.
    ``count`` holds a zero for every node.
    """
    for i in range(start, stop):
        for e in range(indptr[i], indptr[i + 1]):
            for f in range(next_indptr[indices[e]], next_indptr[indices[e] + 1]):
                count[next_indices[f]] += 1
        count[i] = 1  # walks that return do not count
        for e in range(indptr[i], indptr[i + 1]):
            total = 0
            for f in range(next_indptr[indices[e]], next_indptr[indices[e] + 1]):
                total += count[next_indices[f]] - 1
            out[e] = total
        for e in range(indptr[i], indptr[i + 1]):
            for f in range(next_indptr[indices[e]], next_indptr[indices[e] + 1]):
                count[next_indices[f]] = 0
        count[i] = 0
