"""Directed motifs of three nodes, M1 … M13, counted by one pass over the triangles and a few sparse products.

Every joined pair has a kind, seen from its first node: an arc out, an arc in, or both. The kinds of its three edges
give the type of a triangle. An open motif is a centre with two leaves of given kinds. Its count is the number of all
such pairs of leaves, joined or not, minus those that close a triangle. Everything is linear, so each motif needs one
coefficient per triangle type and one per open type. The catalogue determines both.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, without_diagonal
from hoscpool.motifs.catalog import Motif, get_motif
from hoscpool.motifs.counting.counts import exact_sum
from hoscpool.motifs.counting.pairs import combined_between, products_between
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton, index_kind
from hoscpool.motifs.relations import copies, is_same_shape, of_same_shape
from hoscpool.support.threads import RangeWorker, run_ranges

OUT, IN, BOTH = 1, 2, 3
Kinds = dict[tuple[int, int], int]

TYPES = tuple(get_motif(f"M{number}") for number in range(1, 14))
"""All connected directed graphs on three nodes."""


def _kinds(edges: Iterable[tuple[int, int]]) -> Kinds:
    """The kind of every ordered pair of roles that is joined."""
    kinds: Kinds = {}
    for a, b in edges:
        kinds[a, b] = kinds.get((a, b), 0) | OUT
        kinds[b, a] = kinds.get((b, a), 0) | IN
    return kinds


def _is_open(motif: Motif) -> bool:
    return len(_kinds(motif.edges)) == 4


def _leaf_kinds(motif: Motif) -> tuple[int, int]:
    """Kinds of the two leaves of an open motif, seen from the centre (role 0)."""
    kinds = _kinds(motif.edges)
    return kinds[0, 1], kinds[0, 2]


def _centres(open_motif: Motif, closed: Motif) -> int:
    """Number of nodes of a triangle whose two edges have the kinds of the open motif's two leaves."""
    kinds, leaves = _kinds(closed.edges), sorted(_leaf_kinds(open_motif))
    return sum(sorted(kind for (a, _), kind in kinds.items() if a == centre) == leaves for centre in range(3))


@cache
def _coefficients(motif: Motif, induced: bool) -> tuple[dict[Motif, int], dict[Motif, int]]:
    """Coefficients of the triangle types, and of the pairs of leaves of the open types."""
    weights = {m: int(is_same_shape(m, motif)) if induced else copies(motif, m) for m in TYPES}
    opened = {m: w for m, w in weights.items() if w and _is_open(m)}
    closed = {m: w - sum(v * _centres(o, m) for o, v in opened.items()) for m, w in weights.items() if not _is_open(m)}
    return closed, opened


def _triangle_codes(coefficients: dict[Motif, int]) -> IntArray:
    """The coefficient of a triangle u, v, w by the code kind(uv) + 4·kind(uw) + 16·kind(vw)."""
    table = np.zeros(64, np.int64)
    for motif, coefficient in coefficients.items():
        kinds = _kinds(motif.edges)
        for u, v, w in permutations(range(3)):
            table[kinds[u, v] + 4 * kinds[u, w] + 16 * kinds[v, w]] = coefficient
    return table


def is_counted(motif: Motif) -> bool:
    """Whether `DirectedCounts` can count this directed motif. Its name does not matter."""
    return of_same_shape(motif, TYPES) is not None


class DirectedCounts:
    """A directed graph with its skeleton and the kind of every edge, seen from the slot's lower end."""

    def __init__(self, graph: Graph, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        pattern = sp.csr_array(
            (np.ones(len(graph.indices), np.int8), graph.indices, graph.indptr), shape=(graph.num_nodes,) * 2
        )
        coded = sp.csr_array(pattern * np.int8(OUT) + pattern.T * np.int8(IN))
        coded.sort_indices()  # now it has the structure of the skeleton
        self.kind = coded.data.astype(np.int64)[skeleton.is_up]
        self._coded = coded

    def matrix(self, motif: Motif, induced: bool, on_edges: bool) -> sp.csr_array:
        """The motif adjacency matrix."""
        closed, opened = _coefficients(motif, induced)
        slots = self._triangle_pass(_triangle_codes(closed))
        result = self.skeleton.matrix(slots)
        for open_motif, coefficient in opened.items():
            result = result + coefficient * self._leaves(*_leaf_kinds(open_motif), on_edges)
        result = sp.csr_array(result)
        result.eliminate_zeros()
        result.sort_indices()
        return result

    def total(self, motif: Motif, induced: bool) -> int:
        """Number of instances."""
        closed, opened = _coefficients(motif, induced)
        triangles = int(_triangle_codes(closed) @ self._triangle_types)
        return triangles + sum(c * exact_sum(self._leaf_pairs(*_leaf_kinds(m))) for m, c in opened.items())

    def at_nodes(self, motif: Motif, induced: bool) -> IntArray:
        """Number of instances at every node, ``[N]``."""
        closed, opened = _coefficients(motif, induced)
        slots, skeleton = self._triangle_pass(_triangle_codes(closed)), self.skeleton
        total = np.zeros(skeleton.num_nodes, np.int64)
        np.add.at(total, skeleton.source, slots)
        np.add.at(total, skeleton.target, slots)
        total //= 2  # a triangle is on two edges of each of its nodes
        for open_motif, coefficient in opened.items():
            first, second = _leaf_kinds(open_motif)
            at_leaves = self._of_kind(first).T @ (self._degrees[second] - int(first == second))
            if first != second:
                at_leaves = at_leaves + self._of_kind(second).T @ self._degrees[first]
            total += coefficient * (self._leaf_pairs(first, second) + at_leaves)
        return total

    @cached_property
    def _triangle_types(self) -> IntArray:
        """Number of triangles of every code, ``[64]``."""
        total = np.zeros(64, np.int64)
        for triangles in self.skeleton.triangles():
            uv, uw, vw = self.kind[triangles].T
            total += np.bincount(uv + 4 * uw + 16 * vw, minlength=64)
        return total

    @cached_property
    def _degrees(self) -> dict[int, IntArray]:
        """Number of neighbours of every kind, each ``[N]``."""
        row = np.repeat(np.arange(self.skeleton.num_nodes), np.diff(self._coded.indptr))
        return {
            kind: np.bincount(row[self._coded.data == kind], minlength=self.skeleton.num_nodes)
            for kind in (OUT, IN, BOTH)
        }

    def _leaf_pairs(self, first: int, second: int) -> IntArray:
        """Choices of a leaf of each kind at every centre, whether or not the leaves are joined, ``[N]``."""
        x, y = self._degrees[first], self._degrees[second]
        return x * (x - 1) // 2 if first == second else x * y

    def _triangle_pass(self, table: IntArray) -> IntArray:
        total = np.zeros(self.skeleton.num_edges, np.int64)
        if not table.any():
            return total
        for triangles in self.skeleton.triangles():
            uv, uw, vw = self.kind[triangles].T
            gain = table[uv + 4 * uw + 16 * vw]
            np.add.at(total, triangles.ravel(), np.repeat(gain, 3))
        return total

    def _of_kind(self, kind: int) -> sp.csr_array:
        """0/1 matrix of the pairs (i, j) where j is of that kind seen from i."""
        part = self._coded.copy()
        part.data = (part.data == kind).astype(np.int64)
        part.eliminate_zeros()
        return part

    def _leaves(self, first: int, second: int, on_edges: bool) -> sp.csr_array:
        """Counts over all centres with a leaf of each kind, whether or not the leaves are joined."""
        X, Y = self._of_kind(first), self._of_kind(second)
        same = first == second
        leaf_pairs = [(sp.csr_array(X.T), Y)] if same else [(sp.csr_array(X.T), Y), (sp.csr_array(Y.T), X)]
        between = products_between(self.skeleton, leaf_pairs, on_edges)
        spokes = sp.diags_array(Y.sum(axis=1) - int(same), dtype=np.int64) @ X  # centre and leaf
        if not same:
            spokes = spokes + sp.diags_array(X.sum(axis=1), dtype=np.int64) @ Y
        return sp.csr_array(between + spokes + spokes.T)


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
