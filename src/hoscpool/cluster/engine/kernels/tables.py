"""The arrays that kernels pass to each other."""

from __future__ import annotations

from typing import Any, NamedTuple

from hoscpool.support.compiled import compiled

Array = Any

AHEAD = 16
"""How many entries ahead the label of a neighbour is prefetched.

Joins and moves are 1.15 to 1.4 times as fast with it on 400,000 nodes, and 1.8 to 2 times on 1.6 million. Contraction
gains nothing and does without.
"""


class Level(NamedTuple):
    """A graph of n nodes with J symmetric matrices on one pattern.

    All arrays are read-only, so they are of one type and kernels are compiled once.

    Attributes:
        indptr: Row pointers, int64 ``[n + 1]``.
        indices: Columns, int32 ``[nnz]``; no entry lies on the diagonal.
        data: Entries, one column a matrix, float32 ``[nnz, J]``.
        loops: The diagonals, float64 ``[n, J]``.
        degrees: Row sums with the diagonal, float64 ``[n, J]``.
        sizes: Nodes of the given graph that each node stands for, float64 ``[n]``.
    """

    indptr: Array
    indices: Array
    data: Array
    loops: Array
    degrees: Array
    sizes: Array


class Rule(NamedTuple):
    """The objective as kernels see it: K·F = constant − Σ_k score_k.

    Attributes:
        alphas: Weight of every matrix, float64 ``[J]``.
        floors: Volume up to which a cluster counts as empty of a matrix, float64 ``[J]``.
        balance: Factor of √mass in the score of a cluster.
    """

    alphas: Array
    floors: Array
    balance: float


class Clusters(NamedTuple):
    """The state of a partition, kept up to date with every move.

    Attributes:
        inside: Association of every cluster, float64 ``[K, J]``.
        volume: Volume, float64 ``[K, J]``.
        mass: Nodes of the given graph, float64 ``[K]``.
        counts: Nodes of the level, int64 ``[K]``.
        scores: Σ_j α_j inside_j / volume_j + balance·√mass, float64 ``[K]``.
    """

    inside: Array
    volume: Array
    mass: Array
    counts: Array
    scores: Array


@compiled(inline="always")
def add_entry(sums: Array, c: int, is_new: bool, data: Array, p: int, lanes: int) -> None:
    """Add entry p to ``sums[c]``, or replace ``sums[c]`` by it. ``sums`` and ``data`` are pointers.

    Two matrices are the usual case. Written out and without branches, it takes half the time of the loop.
    """
    if lanes == 2:
        first, second = sums[2 * c], sums[2 * c + 1]
        sums[2 * c] = (0.0 if is_new else first) + data[2 * p]
        sums[2 * c + 1] = (0.0 if is_new else second) + data[2 * p + 1]
    else:
        for j in range(lanes):
            before = sums[lanes * c + j]
            sums[lanes * c + j] = (0.0 if is_new else before) + data[lanes * p + j]
