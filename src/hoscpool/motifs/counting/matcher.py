"""The compiled search for instances of any motif: its plan, an estimate of the time, lists, and counts per pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.counting.skeleton import index_kind
from hoscpool.motifs.relations import order_constraints
from hoscpool.support.errors import TimeEstimateError
from hoscpool.support.machine import require_memory
from hoscpool.support.progress import Progress
from hoscpool.support.threads import RangeWorker, run_ranges

IntArray = npt.NDArray[np.int64]

MAX_SECONDS = 60.0
"""A search that is estimated to take longer is refused, unless the caller gives another limit."""
_READ_PER_SECOND = 4e8
_FOUND_PER_SECOND = 4e7
_LISTED_PER_SECOND = 1e7
"""Entries that one thread reads, instances that it counts, and pairs of listed instances that it puts in a table, per
second. Measured on this class of machine, and rounded down."""
_SAMPLES = 20_000
_BATCH = 1 << 18
_PIECES = 512


class Matcher:
    """The structure of one graph for the search. Every node is renamed to its rank by degree.

    So the order constraints of symmetric motifs select neighbours of higher degree, and a node has few of these.

    Args:
        graph: The graph. Undirected motifs need an undirected one.
        n_threads: Number of threads.
    """

    def __init__(self, graph: Graph, n_threads: int = 1) -> None:
        self.n_threads, self.num_nodes = n_threads, graph.num_nodes
        ones = np.ones(len(graph.indices), np.int8)
        coded = sp.csr_array((ones * np.int8(OUT), graph.indices, graph.indptr), shape=(self.num_nodes,) * 2)
        coded = sp.csr_array(coded + (coded * np.int8(IN)).T)
        degree = np.diff(coded.indptr)
        self.name = np.argsort(degree, kind="stable")
        coded = sp.csr_array(coded[self.name][:, self.name])
        coded.sort_indices()
        self.indptr, self.indices = coded.indptr.astype(np.int64), coded.indices.astype(np.int32)
        self.kinds = coded.data.astype(np.uint8)

    @cached_property
    def _degree(self) -> IntArray:
        return np.asarray(np.diff(self.indptr))

    def estimate(self, motif: Motif, induced: bool, with_edges: bool = False) -> tuple[float, float]:
        """The number of instances and of entries read, estimated from random branches of the search."""
        from hoscpool.motifs.kernels.search import sample_matches

        if not len(self.indices):
            return 0.0, 0.0
        rng = np.random.default_rng(0)
        chance = np.cumsum(self._degree.astype(np.float64) ** 2)
        roots = np.searchsorted(chance, rng.random(_SAMPLES) * chance[-1], side="right")
        draws, out = rng.random((_SAMPLES, motif.num_nodes)), np.zeros((_SAMPLES, 2))
        plan, near = search_plan(motif, induced, with_edges), np.zeros(self.num_nodes, np.uint32)
        sample_matches(self.indptr, self.indices, self.kinds, plan, near, roots, draws, out)
        times = chance[-1] / self._degree[roots].astype(np.float64) ** 2 / _SAMPLES
        return float(times @ out[:, 0]), float(times @ out[:, 1])

    def require_time(
        self, motif: Motif, induced: bool, max_seconds: float | None, pairs: int = 0, with_edges: bool = False
    ) -> None:
        """Raise if the search would take longer than this.

        Args:
            motif: The motif.
            induced: Whether further edges are forbidden.
            max_seconds: The limit; ``None``: no limit.
            pairs: Pairs of nodes that are stored for every listed instance. 0: instances are counted, not listed.
            with_edges: Whether the search counts on edges.

        Raises:
            TimeEstimateError: It would.
        """
        if max_seconds is None:
            return
        found, read = self.estimate(motif, induced, with_edges)
        seconds = (read / _READ_PER_SECOND + found / _FOUND_PER_SECOND) / (1 if pairs else self.n_threads)
        seconds += found * pairs / _LISTED_PER_SECOND
        if seconds > max_seconds:
            raise TimeEstimateError(f"counting {motif.name}", found, seconds, max_seconds)

    def count(self, motif: Motif, induced: bool, at_nodes: bool = False, on_edges: bool = False) -> Any:
        """The number of instances, ``[N]`` counts at nodes, and the counts on edges as a matrix, as far as wanted."""
        from hoscpool.motifs.kernels.search import count_matches

        plan = search_plan(motif, induced, on_edges)
        kind, totals = index_kind(len(self.indices)), []
        places = motif.num_nodes * np.dtype(kind).itemsize if on_edges else 0
        needed = self.num_nodes * (4 + places + 8 * at_nodes) + 8 * len(self.indices) * on_edges
        require_memory(needed * self.n_threads, f"counting {motif.name}", "pass n_threads=1, or use a smaller graph")
        node_parts: list[IntArray] = []
        edge_parts: list[IntArray] = []

        def make_worker() -> RangeWorker:
            near = np.zeros(self.num_nodes, np.uint32)
            place = np.zeros((motif.num_nodes if on_edges else 0, self.num_nodes), kind)
            node_parts.append(np.zeros(self.num_nodes if at_nodes else 0, np.int64))
            edge_parts.append(np.zeros(len(self.indices) if on_edges else 0, np.int64))
            run = partial(count_matches, self.indptr, self.indices, self.kinds, plan)
            scratch = (near, place, node_parts[-1], edge_parts[-1])
            return lambda start, stop: totals.append(run(start, stop, *scratch))

        work = np.concatenate(([0], np.cumsum(self._degree**2 + 1)))
        run_ranges(make_worker, work, _PIECES, self.n_threads, f"counting {motif.name}")
        nodes, edges = np.zeros(self.num_nodes, np.int64), np.zeros(len(self.indices), np.int64)
        for part in node_parts if at_nodes else ():
            nodes[self.name] += part
        for part in edge_parts if on_edges else ():
            edges += part
        return sum(totals), nodes, self._as_matrix(edges) if on_edges else None

    def _as_matrix(self, entries: IntArray) -> sp.csr_array:
        """The symmetric matrix, under the names of the graph, of counts that stand on either entry of an edge."""
        half = sp.csr_array((entries, self.indices, self.indptr), shape=(self.num_nodes,) * 2, copy=True)
        half.eliminate_zeros()
        rank = np.empty_like(self.name)
        rank[self.name] = np.arange(self.num_nodes)
        full = sp.csr_array(sp.csr_array(half + half.T)[rank][:, rank])
        full.sort_indices()
        return full

    def batches(self, motif: Motif, induced: bool, size: int = _BATCH) -> Iterator[IntArray]:
        """Every instance once, in batches ``[n, k]``. Column r is the node in role r."""
        from hoscpool.motifs.kernels.search import list_matches

        plan, columns = search_plan(motif, induced, False), np.argsort(role_order(motif))
        near, state = np.zeros(self.num_nodes, np.uint32), np.zeros(2, np.int64)
        scratch = np.zeros((3, motif.num_nodes), np.int64)
        with Progress(f"listing {motif.name}", self.num_nodes) as progress:
            while True:
                out, before = np.empty((size, motif.num_nodes), np.int64), int(state[1])
                found = list_matches(self.indptr, self.indices, self.kinds, plan, near, state, *scratch, out)
                progress.advance(int(state[1]) - before)
                if found:
                    yield self.name[out[:found]][:, columns]
                if found < size:
                    return


OUT, IN = 1, 2
"""The kind of a joined pair, seen from the earlier node: an arc to the later one, an arc from it, or both (3)."""


def role_order(motif: Motif) -> list[int]:
    """The roles in an order in which each is joined to as many earlier ones as possible, and at least to one."""
    order = [0]
    while len(order) < motif.num_nodes:
        rest = [role for role in range(motif.num_nodes) if role not in order]
        order.append(max(rest, key=lambda role: sum(motif.is_joined(role, earlier) for earlier in order)))
    return order


def search_plan(motif: Motif, induced: bool, with_edges: bool) -> npt.NDArray[np.int64]:
    """What is checked at each place of the search, ``[7, n]``.

    The rows are bit sets over the earlier places, two bits per place in the first two:

    - the kinds that a candidate needs, and the bits that are compared,
    - the places with an edge to this one; those with a lower rank; those with a higher rank,
    - whether the edges of this node are entered; whether the role counts (`Motif.members`).

    Args:
        motif: The motif.
        induced: Whether further edges are forbidden.
        with_edges: Whether the search counts on edges, for which it looks up every edge of a match.
    """
    from hoscpool.motifs.kernels.search import ABOVE, BELOW, JOINED, MARKED, MASK, MEMBER, NEED

    order, constraints = role_order(motif), order_constraints(motif)
    plan = np.zeros((7, motif.num_nodes), np.int64)
    for place, role in enumerate(order):
        plan[MEMBER, place] = role in motif.members
        joined = [q for q in range(place) if motif.is_joined(order[q], role)]
        for q, other in enumerate(order[:place]):
            kind = OUT * ((other, role) in motif.arcs) | IN * ((role, other) in motif.arcs)
            # candidates are neighbours of the only joined node anyway
            free = not induced and (kind == 0 or (not motif.is_directed and joined == [q]))
            plan[JOINED, place] |= (q in joined) << q
            plan[BELOW, place] |= ((other, role) in constraints) << q
            plan[ABOVE, place] |= ((role, other) in constraints) << q
            if not free:
                plan[NEED, place] |= kind << (2 * q)
                plan[MASK, place] |= (3 if induced else kind) << (2 * q)
                plan[MARKED, q] = 1
    if with_edges:
        plan[MARKED, :-1] = 1
    return plan


_BYTES_PER_PLACE = 16
_BYTES_IN_RESULT = 3 * 16  # a value and a column: in one triangle, in its transpose, and in the result
ON_EDGES_ADVICE = "pass on_edges=True, which keeps only pairs that are joined, or use a smaller graph"


class PairCounts:
    """Counts of unordered pairs of nodes. The table is at most half full."""

    def __init__(self, num_nodes: int) -> None:
        self._num_nodes, self._used = num_nodes, 0
        self._keys, self._values = _empty_table(1 << 16)

    def add(self, instances: npt.NDArray[np.int64], roles: Iterable[tuple[int, int]]) -> None:
        """Count these pairs of columns in every row.

        Raises:
            MemoryEstimateError: The table would not fit in memory.
        """
        from hoscpool.motifs.kernels.pair_table import add_pairs

        first, second = np.array(list(roles)).T
        rows = max(1, len(self._keys) // 4 // len(first))
        start = 0
        while start < len(instances):
            self._make_room(rows * len(first))
            part = instances[start : start + rows]
            self._used += add_pairs(part, first, second, self._num_nodes, self._keys, self._values)
            start += rows

    def _make_room(self, more: int) -> None:
        from hoscpool.motifs.kernels.pair_table import move_pairs

        if self._used + more <= len(self._keys) // 2:
            return
        size = 2 * len(self._keys)
        needed = size * _BYTES_PER_PLACE + self._used * _BYTES_IN_RESULT
        require_memory(needed, f"the motif adjacency of {self._num_nodes:,} nodes", ON_EDGES_ADVICE)
        keys, values = _empty_table(size)
        move_pairs(self._keys, self._values, keys, values)
        self._keys, self._values = keys, values

    def matrix(self) -> sp.csr_array:
        """The counts as a symmetric matrix."""
        there = np.flatnonzero(self._values)
        low, high = np.divmod(self._keys[there], self._num_nodes)
        half = sp.csr_array((self._values[there], (low, high)), shape=(self._num_nodes, self._num_nodes))
        full = sp.csr_array(half + half.T)
        full.sort_indices()
        return full


def _empty_table(size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    from hoscpool.motifs.kernels.pair_table import EMPTY

    return np.full(size, EMPTY, np.int64), np.zeros(size, np.int64)
