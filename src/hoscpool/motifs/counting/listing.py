"""Counts from listed instances, for weighted counts and for motifs without a closed form."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.counting.matcher import MAX_SECONDS, ON_EDGES_ADVICE, Matcher, PairCounts
from hoscpool.motifs.instances import Nodes, canonical, is_small, iterate_instances
from hoscpool.support.machine import require_memory

FloatArray = npt.NDArray[np.float64]

REDUCERS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "mean": lambda w: np.asarray(w.mean(axis=1)),
    "product": lambda w: np.asarray(w.prod(axis=1)),
}
SMALLEST = float(np.finfo(np.float64).tiny)
_BYTES_PER_ENTRY = 3 * 16  # a value and a column: in the last sum, in its transpose, and in the result


def listed_adjacency(
    graph: Graph, motif: Motif, induced: bool, on_edges: bool, weights: str | None = None
) -> sp.csr_array:
    """For every i and j, the number of instances that contain both, or the sum of their reduced edge weights.

    Args:
        graph: The graph. It must be undirected if the motif is.
        motif: Any motif.
        induced: As in `motif_adjacency`.
        on_edges: As in `motif_adjacency`.
        weights: ``None`` counts instances. Otherwise a name in `REDUCERS`.

    Raises:
        MemoryEstimateError: The result would not fit in memory.
        ValueError: A sum or product of weights is beyond 64-bit floats.
    """
    adjacency, shape = graph.adjacency, (graph.num_nodes, graph.num_nodes)
    joined = graph.undirected().adjacency != 0
    parts = [sp.csr_array(shape, dtype=np.int64 if weights is None else np.float64)]
    for instances in iterate_instances(graph, motif, induced):
        values = np.int64(1) if weights is None else weigh_instances(adjacency, instances, motif, weights)
        part = _scatter(instances[:, motif.members], np.broadcast_to(values, len(instances)), shape)
        parts.append(sp.csr_array(part.multiply(joined)) if on_edges else part)
        while len(parts) > 1 and parts[-2].nnz < 2 * parts[-1].nnz:  # add only matrices of similar size
            parts.append(parts.pop() + parts.pop())
        entries = sum(part.nnz for part in parts)
        require_memory(entries * _BYTES_PER_ENTRY, f"the motif adjacency of {graph.num_nodes:,} nodes", ON_EDGES_ADVICE)
    total = sum(parts[1:], start=parts[0])
    total = sp.csr_array(total + total.T)
    total.sort_indices()
    _in_range(total.data, motif, least=0)
    return total


def check_reducer(weights: str | None) -> None:
    """Refuse anything but ``None`` and the names in `REDUCERS`."""
    if weights is not None and weights not in REDUCERS:
        raise ValueError(f"weights: expected None, 'mean' or 'product', got {weights!r}")


def weigh_instances(adjacency: sp.csr_array, instances: Nodes, motif: Motif, weights: str) -> FloatArray:
    """The reduced edge weights of every instance, ``[n]``."""
    edges = np.array(motif.edges)
    tails, heads = instances[:, edges[:, 0]], instances[:, edges[:, 1]]
    values = np.asarray(adjacency[tails.ravel(), heads.ravel()], dtype=np.float64).reshape(tails.shape)
    with np.errstate(over="ignore", under="ignore"):
        return _in_range(REDUCERS[weights](values), motif, least=0 if weights == "mean" else SMALLEST)


def _in_range(values: FloatArray, motif: Motif, least: float) -> FloatArray:
    """Refuse sums and products that became infinite, or so small that they lost their digits."""
    if values.size and not (values.min() >= least and values.max() < np.inf):
        worst = values.max() if not values.max() < np.inf else values.min()
        raise ValueError(
            f"weights: expected numbers whose products and sums over a {motif.name} fit into 64 bits, got {worst}; "
            "divide all weights by their mean first"
        )
    return values


def _scatter(instances: Nodes, values: npt.NDArray[np.generic], shape: tuple[int, int]) -> sp.csr_array:
    """Put the values on all pairs of nodes of each instance, above the diagonal."""
    pairs = list(combinations(range(instances.shape[1]), 2))
    rows = np.concatenate([instances[:, a] for a, _ in pairs])
    cols = np.concatenate([instances[:, b] for _, b in pairs])
    low, high = np.minimum(rows, cols), np.maximum(rows, cols)
    return sp.csr_array(sp.coo_array((np.tile(values, len(pairs)), (low, high)), shape=shape))


class ListedCounts:
    """The counts of one graph for any motif, by a search for its instances. Undirected motifs ignore directions.

    Args:
        graph: The graph.
        n_threads: Number of threads of the compiled search.
        max_seconds: Refuse a search that is estimated to take longer. ``None``: no limit.
    """

    def __init__(self, graph: Graph, n_threads: int = 1, max_seconds: float | None = MAX_SECONDS) -> None:
        self._graph, self._n_threads, self._max_seconds = graph, n_threads, max_seconds
        self._matchers: dict[bool, Matcher] = {}

    def _seen(self, motif: Motif) -> Graph:
        return self._graph if motif.is_directed else self._graph.undirected()

    def _matcher(self, motif: Motif) -> Matcher:
        if motif.is_directed not in self._matchers:
            self._matchers[motif.is_directed] = Matcher(self._seen(motif), self._n_threads)
        return self._matchers[motif.is_directed]

    def matrix(self, motif: Motif, induced: bool, on_edges: bool) -> sp.csr_array:
        """The motif adjacency matrix."""
        seen, pairs = self._seen(motif), list(combinations(motif.members, 2))
        if is_small(seen):
            return listed_adjacency(seen, motif, induced, on_edges)
        matcher = self._matcher(motif)
        if on_edges or all(motif.is_joined(a, b) for a, b in pairs):
            matcher.require_time(motif, induced, self._max_seconds, with_edges=True)
            return matcher.count(motif, induced, on_edges=True)[2]
        matcher.require_time(motif, induced, self._max_seconds, pairs=len(pairs))
        counts = PairCounts(seen.num_nodes)
        for instances in matcher.batches(motif, induced):
            counts.add(instances, pairs)
        return counts.matrix()

    def total(self, motif: Motif, induced: bool) -> int:
        """Number of instances."""
        seen = self._seen(motif)
        if is_small(seen):
            return sum(len(instances) for instances in iterate_instances(seen, motif, induced))
        self._matcher(motif).require_time(motif, induced, self._max_seconds)
        return int(self._matcher(motif).count(motif, induced)[0])

    def at_nodes(self, motif: Motif, induced: bool) -> npt.NDArray[np.int64]:
        """Number of instances in which every node is a member, ``[N]``."""
        seen, total = self._seen(motif), np.zeros(self._graph.num_nodes, np.int64)
        if not is_small(seen):
            self._matcher(motif).require_time(motif, induced, self._max_seconds)
            return np.asarray(self._matcher(motif).count(motif, induced, at_nodes=True)[1])
        for instances in iterate_instances(seen, motif, induced):
            total += np.bincount(instances[:, motif.members].ravel(), minlength=len(total))
        return total


def list_instances(graph: Graph, motif: Motif, induced: bool) -> Nodes:
    """All instances ``[n, k]``, each in the smallest of its equivalent orders, ascending.

    Raises:
        MemoryEstimateError: The list would not fit in memory.
    """
    batches, count = [np.empty((0, motif.num_nodes), np.int64)], 0
    for instances in iterate_instances(graph, motif, induced):
        batches.append(instances)
        count += len(instances)
        require_list(count, motif)
    return canonical(np.concatenate(batches), motif)


def require_list(count: int, motif: Motif) -> None:
    """Raise unless memory holds this many instances: the rows, a sorted copy, and the index of the sort."""
    require_memory(count * motif.num_nodes * 8 * 4, f"the list of {count:,} instances", "use motif_adjacency instead")
