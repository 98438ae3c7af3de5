"""The bifan and the biparallel: directed motifs of four nodes that are two walks of two steps with the same ends.

On the arcs both follow from the number of such walks. The other pairs of their nodes need sparse products.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, without_diagonal
from hoscpool.motifs.catalog import Motif, get_motif
from hoscpool.motifs.counting.edge_values import index_kind
from hoscpool.motifs.counting.pairs import combined_between
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton
from hoscpool.motifs.relations import of_same_shape
from hoscpool.support.threads import RangeWorker, run_ranges

_PIECES = 64
SQUARES = (get_motif("bifan"), get_motif("biparallel"))


def is_square(motif: Motif, induced: bool) -> bool:
    """Whether `SquareCounts` can count this directed motif. Its name does not matter."""
    return not induced and of_same_shape(motif, SQUARES) is not None


class SquareCounts:
    """Counts of bifans and biparallels, as subgraphs, in one directed graph."""

    def __init__(self, graph: Graph, skeleton: Skeleton) -> None:
        ones, size = np.ones(len(graph.indices), np.int64), graph.num_nodes
        kind = index_kind(len(graph.indices))
        self._skeleton = skeleton
        self._out = sp.csr_array((ones, graph.indices, graph.indptr.astype(kind)), shape=(size, size))
        self._in = sp.csr_array(self._out.T)
        self._in.sort_indices()

    def matrix(self, motif: Motif, induced: bool, on_edges: bool) -> sp.csr_array:  # noqa: ARG002
        """The motif adjacency matrix."""
        arcs, A, T = self._on_arcs(motif), self._out, self._in
        if self._is_bifan(motif):
            sources = combined_between(self._skeleton, [(A, T)], _pairs, on_edges)
            apart = sources + combined_between(self._skeleton, [(T, A)], _pairs, on_edges)
        else:
            R = sp.csr_array(A.multiply(T))  # mutual arcs
            ends = combined_between(self._skeleton, [(A, A)], _pairs, on_edges)
            apart = ends + ends.T + combined_between(self._skeleton, [(T, A), (A, T), (R, R)], _middles, on_edges)
        total = sp.csr_array(arcs + arcs.T + apart)
        total.eliminate_zeros()
        total.sort_indices()
        return total

    def total(self, motif: Motif, induced: bool) -> int:  # noqa: ARG002
        """Number of instances."""
        return int(self._on_arcs(motif).data.sum()) // 4

    def at_nodes(self, motif: Motif, induced: bool) -> IntArray:  # noqa: ARG002
        """Number of instances that contain each node, ``[N]``. Every node of an instance has two arcs of it."""
        arcs = self._on_arcs(motif)
        return np.asarray((arcs.sum(axis=0) + arcs.sum(axis=1)) // 2, dtype=np.int64)

    @staticmethod
    def _is_bifan(motif: Motif) -> bool:
        return of_same_shape(motif, SQUARES) is SQUARES[0]

    def _on_arcs(self, motif: Motif) -> sp.csr_array:
        """The number of instances that contain every arc."""
        if self._is_bifan(motif):
            return self._with(self._out, self._first_steps(self._out, self._in))
        first = self._with(self._out, self._first_steps(self._out, self._out))
        second = self._with(self._in, self._first_steps(self._in, self._in))
        return sp.csr_array(first + second.T)

    @staticmethod
    def _with(structure: sp.csr_array, values: npt.NDArray[Any]) -> sp.csr_array:
        return sp.csr_array((values, structure.indices, structure.indptr), shape=structure.shape)

    def _first_steps(self, first: sp.csr_array, then: sp.csr_array) -> IntArray:
        """For every entry (i, j) of ``first`` the walks i – j' – k that share an end with a walk i – j – k."""
        if self._skeleton.is_small:
            walks = without_diagonal(first @ then)
            row = np.repeat(np.arange(first.shape[0]), np.diff(first.indptr))
            others = walks @ then.T - then.sum(axis=1)[None, :] + then.T.toarray()  # one walk to each k is this one
            return np.asarray(others[row, first.indices], dtype=np.int64)
        from hoscpool.motifs.kernels.shared_ends import shared_ends

        out = np.zeros(first.nnz, np.int64)

        def make_worker() -> RangeWorker:
            count = np.zeros(first.shape[0], np.int64)
            structures = (first.indptr, first.indices, then.indptr, then.indices)
            return lambda start, stop: shared_ends(*structures, start, stop, count, out)

        walks_from = first @ np.diff(then.indptr).astype(np.int64)
        work = np.concatenate(([0], np.cumsum(walks_from + 1)))
        run_ranges(make_worker, work, _PIECES, self._skeleton.n_threads, "counting walks of two steps")
        return out


def _pairs(walks: sp.csr_array) -> sp.csr_array:
    walks.data = walks.data * (walks.data - 1) // 2
    return walks


def _middles(sources: sp.csr_array, targets: sp.csr_array, both: sp.csr_array) -> sp.csr_array:
    """Choices of a common source and a common target that are different nodes."""
    return sp.csr_array(sources.multiply(targets) - both)
