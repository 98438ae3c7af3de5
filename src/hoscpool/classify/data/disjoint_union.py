"""All graphs of a dataset as one disjoint union, and everything that is computed once for them.

Nodes that have the same embedding are merged. Nodes of a graph that have the same colour after d rounds of colour
refinement have the same embedding after d rounds of message passing. They then have the same row of S, so a sum over
nodes can be a sum over colours. With P the membership of nodes in colours and n = Pᵀ1, SᵀWS = Ŝᵀ(PᵀWP)Ŝ and
SᵀX = Ŝᵀ diag(n) X̂, and A·H of a node is the row of PᵀAP over n. Nothing is approximated. Without features one round
sees only degrees, so hundreds of nodes of a Reddit graph become a dozen rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.graph import Graph
from hoscpool.motifs import motif_adjacency
from hoscpool.nn import scale_weights

Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Rows(NamedTuple):
    """A matrix over the rows of all graphs: row pointers, columns counted within each graph, entries, and their sums.

    ``squares`` are the sums of the squared entries before nodes were merged; ``None`` without merging.
    """

    indptr: Indices
    indices: npt.NDArray[np.int32]
    values: Floats | None
    degree: Floats
    squares: Floats | None = None


class EdgeTable(NamedTuple):
    """Features of the stored edges of all graphs, ``[nnz, D]``; or ``None`` and why there are none."""

    features: Floats | None = None
    problem: str = ""

    @property
    def width(self) -> int:
        """D; 0 without features."""
        return 0 if self.features is None else self.features.shape[1]


@dataclass(frozen=True, eq=False)
class Union:
    """All graphs as one.

    Attributes:
        structure: The union of the graphs, without directions.
        ptr: Index of the first node of every graph, ``[G + 1]``.
        x: Features of all nodes, float32 ``[N, F]``, or ``None``.
        labels: Class of every graph, int64 ``[G]``, or ``None``.
        edges: Features of the edges in the order of ``structure``.
    """

    structure: Graph
    ptr: Indices
    x: Tensor | None
    labels: Indices | None
    edges: EdgeTable = field(default_factory=EdgeTable)

    @cached_property
    def sizes(self) -> Indices:
        """Number of nodes of every graph."""
        return np.diff(self.ptr)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that a fit could depend on."""
        digest, structure = blake2b(digest_size=16), self.structure
        for array in (structure.indptr, structure.indices, structure.weights, self.ptr, self.labels,
                      None if self.x is None else self.x.numpy(), self.edges.features):  # fmt: skip
            digest.update(b"-" if array is None else repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def table(self, structural: bool = False, depth: int = 0) -> NodeTable:
        """The table of nodes from which batches are cut, computed once.

        Args:
            structural: Whether to add structural features.
            depth: Merge nodes with the same embedding after this many rounds of message passing; 0 merges none.
        """
        if (structural, depth) not in self._tables:
            self._tables[structural, depth] = self._tabulate(structural, depth)
        return self._tables[structural, depth]

    def matrix(self, motif: str) -> sp.csr_array:
        """The motif adjacency of all graphs."""
        if motif == "edge":
            return self.structure.adjacency
        weights = "product" if self.structure.is_weighted else None
        structure = scale_weights(self.structure, self.graph)
        return motif_adjacency(structure, motif, on_edges=True, weights=weights)

    @cached_property
    def graph(self) -> Indices:
        """The graph of every node, ``[N]``."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def _tabulate(self, structural: bool, depth: int) -> NodeTable:
        if depth:
            plain = self.table(structural)
            merging = merge_nodes(self.structure, self.graph, plain.x.numpy(), depth)
            return NodeTable(self, plain.x, merging) if merging else plain
        own = torch.ones(int(self.ptr[-1]), 1) if self.x is None else self.x
        x = torch.cat([own, torch.from_numpy(structural_features(self.structure))], dim=1) if structural else own
        return NodeTable(self, x, None)

    @cached_property
    def _tables(self) -> dict[tuple[bool, int], NodeTable]:
        return {}


class NodeTable:
    """The nodes of a union. After merging, one row can stand for several nodes.

    Args:
        union: The graphs.
        x: Input of the network for every node, ``[N, F]``.
        merging: Which nodes share a row, or ``None``.

    Attributes:
        x: Features of every row.
        ptr: Index of the first row of every graph, ``[G + 1]``.
        counts: Number of nodes of every row, float32, or ``None`` if each row is one node.
    """

    def __init__(self, union: Union, x: Tensor, merging: Merging | None) -> None:
        self._union, self._merging = union, merging
        self._rows: dict[str, Rows] = {}
        self.x, self.ptr, self.counts = x, union.ptr, None
        if merging is not None:
            self.x, self.ptr = x[torch.from_numpy(merging.first)], np.searchsorted(merging.first, union.ptr)
            self.counts = merging.counts.astype(np.float32)

    @cached_property
    def sizes(self) -> Indices:
        """Number of rows of every graph."""
        return np.diff(self.ptr)

    def rows(self, motif: str) -> Rows:
        """The motif adjacency of all graphs; computed once."""
        if motif not in self._rows:
            self._rows[motif] = self._count(motif)
        return self._rows[motif]

    def _count(self, motif: str) -> Rows:
        matrix, squares = self._union.matrix(motif), None
        if self._merging is not None:
            squares = self._merging.add_up(np.asarray(matrix.power(2).sum(axis=1))).astype(np.float32)
            matrix = self._merging.merge(matrix)
        first = np.repeat(np.repeat(self.ptr[:-1], self.sizes), np.diff(matrix.indptr))  # for the graph of every entry
        values = None if (matrix.data == 1).all() else matrix.data.astype(np.float32)
        degree = np.asarray(matrix.sum(axis=1)).astype(np.float32)
        return Rows(matrix.indptr.astype(np.int64), (matrix.indices - first).astype(np.int32), values, degree, squares)


NAMES = ("log degree", "log triangles", "clustering coefficient", "mean log degree of the neighbours")


def structural_features(graph: Graph) -> npt.NDArray[np.float32]:
    """The four numbers of `NAMES` for every node, ``[N, 4]``. Edge weights are ignored.

    Examples:
        >>> import networkx as nx
        >>> from hoscpool.graph import as_graph
        >>> structural_features(as_graph(nx.complete_graph(3)))[0].round(2)
        array([1.1 , 0.69, 1.  , 1.1 ], dtype=float32)
    """
    joined = (graph.adjacency != 0).astype(np.float64)
    degree = np.asarray(joined.sum(axis=1))
    triangles = np.asarray(motif_adjacency(graph, "triangle").sum(axis=1)) / 2  # each counts along two edges
    pairs = degree * (degree - 1) / 2
    coefficient = np.divide(triangles, pairs, out=np.zeros_like(degree), where=pairs > 0)
    around = np.divide(joined @ np.log1p(degree), degree, out=np.zeros_like(degree), where=degree > 0)
    return np.stack([np.log1p(degree), np.log1p(triangles), coefficient, around], axis=1).astype(np.float32)


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
