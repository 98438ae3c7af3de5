"""Random graphs with the degrees of a given graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph

SWAPS_PER_EDGE = 10
"""Swaps that are done per edge. Milo et al. (2003) find that the counts no longer change after a few."""
_PILOT = 2000
_LARGEST = 500
"""A graph in which fewer than one of so many tries succeeds cannot be rewired in a reasonable time."""

IntArray = npt.NDArray[np.int64]


@dataclass
class _Rows:
    """The rows of a 0/1 matrix, as the kernel needs them. ``twin`` is the entry of the same edge in the transpose."""

    ptr: IntArray
    values: npt.NDArray[np.int32]
    row: npt.NDArray[np.int32]
    twin: IntArray


def _rows(matrix: sp.csr_array) -> _Rows:
    numbered = sp.csr_array((np.arange(1, matrix.nnz + 1), matrix.indices, matrix.indptr), shape=matrix.shape)
    turned = sp.csr_array(numbered.T)
    turned.sort_indices()  # entry q of the transpose is entry turned.data[q] − 1 of the matrix
    twin = np.empty(matrix.nnz, np.int64)
    twin[turned.data - 1] = np.arange(matrix.nnz)
    row = np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))
    return _Rows(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), row, twin)


@dataclass
class Rewirer:
    """Draws graphs with the degrees of ``graph``: in a directed one the in- and out-degrees.

    Args:
        graph: The graph.
        keep_mutual: Keep, in a directed graph, also the number of mutual edges of every node.
        swaps_per_edge: Swaps that are done per edge.

    Raises:
        ValueError: No two edges of the graph can be swapped.
    """

    graph: Graph
    keep_mutual: bool = False
    swaps_per_edge: float = SWAPS_PER_EDGE
    steps: int = field(init=False)

    def __post_init__(self) -> None:
        graph, shape = self.graph, (self.graph.num_nodes,) * 2
        ones, none = np.ones(len(graph.indices), np.int8), sp.csr_array(shape, dtype=np.int8)
        pattern = sp.csr_array((ones, graph.indices, graph.indptr), shape=shape)
        arcs, pairs = (pattern, none) if graph.is_directed else (none, pattern)
        if graph.is_directed and self.keep_mutual:
            pairs = sp.csr_array(pattern.multiply(pattern.T))
            arcs = sp.csr_array(pattern - pairs)
            arcs.eliminate_zeros()
        turned = sp.csr_array(arcs.T)
        for matrix in (arcs, turned, pairs):
            matrix.sort_indices()
        self._parts = tuple(map(_rows, (arcs, turned, pairs)))
        self._exclusive = graph.is_directed and self.keep_mutual
        edges = arcs.nnz + pairs.nnz // 2
        if edges < 2:
            raise ValueError(f"graph: too small to rewire, expected at least two edges, got {edges}")
        self.steps = self._steps_for(edges)

    def _steps_for(self, edges: int) -> int:
        """The number of tries that gives the wanted number of swaps, from a trial. It is the same for all samples."""
        tries = max(_PILOT, edges)
        done = self._run(tries, 1)[0]
        if done * _LARGEST < tries:
            raise ValueError(
                f"graph: too small or too dense to rewire: only {done} of {tries:,} tried swaps were possible"
            )
        return max(_PILOT, int(self.swaps_per_edge * edges * tries / done))

    def _run(self, steps: int, seed: int) -> tuple[int, list[npt.NDArray[np.int32]]]:
        from hoscpool.science.kernels.rewire import rewire

        out, into, pair = self._parts
        values = [part.values.copy() for part in self._parts]
        twins = [part.twin.copy() for part in self._parts]
        done = rewire(
            out.ptr, values[0], out.row, twins[0], into.ptr, values[1], twins[1],
            pair.ptr, values[2], pair.row, twins[2], self._exclusive, steps, seed,
        )  # fmt: skip
        return done, [values[0], values[2]]

    def sample(self, seed: int) -> Graph:
        """A random graph with the same degrees. The same seed gives the same graph."""
        arcs, pairs = self._run(self.steps, seed)[1]
        out, _, pair = self._parts
        rows = np.concatenate([out.row, pair.row])
        ones = np.ones(len(rows), np.int8)
        matrix = sp.csr_array((ones, (rows, np.concatenate([arcs, pairs]))), shape=(self.graph.num_nodes,) * 2)
        matrix.sort_indices()
        indptr, indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
        return Graph(indptr, indices, is_directed=self.graph.is_directed)


def share_kept(graph: Graph, other: Any) -> float:
    """The share of the edges of a graph that another one has, too."""
    return float((graph.adjacency != 0).multiply(other.adjacency != 0).sum() / max(len(graph.indices), 1))
