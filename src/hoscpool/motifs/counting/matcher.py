"""The compiled search for instances of any motif: count or list them, after an estimate of the time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.counting.edge_values import index_kind
from hoscpool.motifs.counting.search_plan import IN, OUT, role_order, search_plan
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
