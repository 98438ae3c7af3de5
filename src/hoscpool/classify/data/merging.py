"""Merges nodes that have the same embedding.

Nodes of a graph that have the same colour after d rounds of colour refinement have the same embedding after d rounds of
message passing. They then have the same row of S, so a sum over nodes can be a sum over colours. With P the membership
of nodes in colours and n = Pᵀ1, SᵀWS = Ŝᵀ(PᵀWP)Ŝ and SᵀX = Ŝᵀ diag(n) X̂, and A·H of a node is the row of PᵀAP over n.
Nothing is approximated. Without features one round sees only degrees, so hundreds of nodes of a Reddit graph become a
dozen rows.
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
"""Nodes are merged only if at most this share of the rows remains. Otherwise merging costs more than it saves."""
_SEEDS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


class Merging(NamedTuple):
    """Which nodes share a row.

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
    """Merge nodes with the same embedding after message passing; ``None`` if that saves too little.

    Colours are 64-bit hashes. A second hash checks equal ones. If it ever differs, nothing is merged.

    Args:
        structure: The union of the graphs, without directions.
        graph: The graph of every node, ascending, ``[N]``.
        x: Input of the network for every node, ``[N, F]``.
        depth: Rounds of message passing before nodes are summed.
    """
    colour, witness = (_refine(structure, graph, x, depth, np.uint64(seed)) for seed in _SEEDS)
    _, first, of_node, counts = np.unique(colour, return_index=True, return_inverse=True, return_counts=True)
    if len(first) > WORTH * len(graph) or (witness[first][of_node] != witness).any():
        return None
    order = np.argsort(first)  # sorted by first node, rows are sorted by graph
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Merging(rank[of_node], first[order], counts[order])


def _refine(structure: Graph, graph: Indices, x: npt.NDArray[np.float32], depth: int, seed: np.uint64) -> Words:
    """The colour of every node after ``depth`` rounds of refinement, ``[N]``. Two graphs have no colour in common."""
    colour = _mix(_digest_rows(x, seed), graph.astype(np.uint64), seed)
    for _ in range(depth):
        colour = _mix(colour, _sum_neighbours(structure, colour, seed), seed)
    return colour


def _digest_rows(x: npt.NDArray[np.float32], seed: np.uint64) -> Words:
    """A hash of every row, ``[N]``. Zeros are skipped, because most features are counts or one-hot codes."""
    rows, columns = x.nonzero()
    words = _mix(x[rows, columns].view(np.uint32).astype(np.uint64), columns.astype(np.uint64), seed)
    return _sum_rows(words, np.searchsorted(rows, np.arange(len(x) + 1)))


def _sum_neighbours(structure: Graph, colour: Words, seed: np.uint64) -> Words:
    """For every node the sum over its neighbours of a hash of their colour and the edge weight, ``[N]``."""
    weights = structure.weights
    bits = np.uint64(0) if weights is None else np.asarray(weights, np.float64).view(np.uint64)
    return _sum_rows(_mix(colour[structure.indices], bits, seed), structure.indptr)


def _sum_rows(words: Words, indptr: npt.NDArray[np.integer]) -> Words:
    """Sums of consecutive hashes modulo 2⁶⁴. So differences of running sums are exact."""
    total = np.zeros(len(words) + 1, np.uint64)
    np.cumsum(words, out=total[1:])
    sums: Words = total[indptr[1:]] - total[indptr[:-1]]
    return sums


def _mix(a: Words, b: Any, seed: np.uint64) -> Words:
    """A hash of two numbers."""
    return _scramble(_scramble(a + seed) + b)


def _scramble(z: Words) -> Words:
    """The finaliser of SplitMix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
