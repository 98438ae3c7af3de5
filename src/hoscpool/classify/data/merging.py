"""Nodes that a network cannot tell apart, merged.

After d rounds of message passing two nodes of a graph have the same embedding if d rounds of colour refinement gave
them the same colour. They then have the same row of S, so that every sum over nodes can be taken over colours: with P
the membership of nodes in colours and n = Pᵀ1, SᵀWS = Ŝᵀ(PᵀWP)Ŝ and SᵀX = Ŝᵀ diag(n) X̂, and A·H of a node is the row of
PᵀAP over n. Nothing is approximated. Without features one round sees only degrees, so a graph of Reddit with
hundreds of nodes comes down to a dozen rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph

Indices = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

WORTH = 0.7
"""Share of the rows that may remain at most: below it merging saves more than it costs."""
_SEEDS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


class Merging(NamedTuple):
    """Which nodes go together.

    Attributes:
        of_node: The row of every node, ascending by graph, ``[N]``.
        first: The first node of every row, ``[R]``.
        counts: Number of nodes of every row, ``[R]``.
    """

    of_node: Indices
    first: Indices
    counts: Indices

    def add_up(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Pᵀv: sums over the nodes of every row."""
        return np.bincount(self.of_node, values, minlength=len(self.first))

    def merge(self, matrix: sp.csr_array) -> sp.csr_array:
        """PᵀWP of a symmetric matrix over the nodes."""
        size = len(self.of_node)
        members = sp.csr_array((np.ones(size, matrix.dtype), self.of_node, np.arange(size + 1)))
        merged = sp.csr_array(members.T @ (matrix @ members))
        merged.sort_indices()
        return merged


def merge_nodes(structure: Graph, graph: Indices, x: npt.NDArray[np.float32], depth: int) -> Merging | None:
    """Merge the nodes of a graph that message passing cannot tell apart; ``None`` where that saves too little.

    Colours are 64-bit words, and equal ones are compared by a second word: should it ever differ, nothing is merged.

    Args:
        structure: Graphs side by side, without directions.
        graph: The graph of every node, ascending, ``[N]``.
        x: What the network sees of every node, ``[N, F]``.
        depth: Rounds of message passing before nodes are summed up.
    """
    colour, witness = (_refine(structure, graph, x, depth, np.uint64(seed)) for seed in _SEEDS)
    _, first, of_node, counts = np.unique(colour, return_index=True, return_inverse=True, return_counts=True)
    if len(first) > WORTH * len(graph) or (witness[first][of_node] != witness).any():
        return None
    order = np.argsort(first)  # rows by their first node are rows by graph
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Merging(rank[of_node], first[order], counts[order])


def _refine(structure: Graph, graph: Indices, x: npt.NDArray[np.float32], depth: int, seed: np.uint64) -> Words:
    """The colour of every node after so many rounds of refinement, ``[N]``; no two graphs share one."""
    colour = _mix(_digest_rows(x, seed), graph.astype(np.uint64), seed)
    for _ in range(depth):
        colour = _mix(colour, _sum_neighbours(structure, colour, seed), seed)
    return colour


def _digest_rows(x: npt.NDArray[np.float32], seed: np.uint64) -> Words:
    """A word for the content of every row, ``[N]``; zeros add nothing, for most features are counts or marks."""
    rows, columns = x.nonzero()
    words = _mix(x[rows, columns].view(np.uint32).astype(np.uint64), columns.astype(np.uint64), seed)
    return _sum_rows(words, np.searchsorted(rows, np.arange(len(x) + 1)))


def _sum_neighbours(structure: Graph, colour: Words, seed: np.uint64) -> Words:
    """For every node the sum over its neighbours of a word for their colour and the weight of the edge, ``[N]``."""
    weights = structure.weights
    bits = np.uint64(0) if weights is None else np.asarray(weights, np.float64).view(np.uint64)
    return _sum_rows(_mix(colour[structure.indices], bits, seed), structure.indptr)


def _sum_rows(words: Words, indptr: npt.NDArray[np.integer]) -> Words:
    """Sums of consecutive words modulo 2⁶⁴, so that differences of running sums are exact."""
    total = np.zeros(len(words) + 1, np.uint64)
    np.cumsum(words, out=total[1:])
    sums: Words = total[indptr[1:]] - total[indptr[:-1]]
    return sums


def _mix(a: Words, b: Any, seed: np.uint64) -> Words:
    """A word for two numbers."""
    return _scramble(_scramble(a + seed) + b)


def _scramble(z: Words) -> Words:
    """The finaliser of SplitMix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
