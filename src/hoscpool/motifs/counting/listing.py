"""Counts from listed instances, for weighted counts and for motifs without a closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.instances import Nodes, canonical, iterate_instances
from hoscpool.support.machine import require_memory

FloatArray = npt.NDArray[np.float64]

REDUCERS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "mean": lambda w: np.asarray(w.mean(axis=1)),
    "product": lambda w: np.asarray(w.prod(axis=1)),
}
_BYTES_PER_ENTRY = 3 * 16  # a value and a column: in the last sum, in its transpose, and in the result
ON_EDGES_ADVICE = "pass on_edges=True, which keeps only pairs that are joined, or use a smaller graph"


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
    """
    adjacency, shape = graph.adjacency, (graph.num_nodes, graph.num_nodes)
    joined = graph.undirected().adjacency != 0
    parts = [sp.csr_array(shape, dtype=np.int64 if weights is None else np.float64)]
    for instances in iterate_instances(graph, motif, induced):
        values = np.int64(1) if weights is None else _weights(adjacency, instances, motif, weights)
        part = _scatter(instances, np.broadcast_to(values, len(instances)), shape)
        parts.append(sp.csr_array(part.multiply(joined)) if on_edges else part)
        while len(parts) > 1 and parts[-2].nnz < 2 * parts[-1].nnz:  # add only matrices of similar size
            parts.append(parts.pop() + parts.pop())
        entries = sum(part.nnz for part in parts)
        require_memory(entries * _BYTES_PER_ENTRY, f"the motif adjacency of {graph.num_nodes:,} nodes", ON_EDGES_ADVICE)
    total = sum(parts[1:], start=parts[0])
    total = sp.csr_array(total + total.T)
    total.sort_indices()
    return total


def _weights(adjacency: sp.csr_array, instances: Nodes, motif: Motif, weights: str) -> FloatArray:
    edges = np.array(motif.edges)
    tails, heads = instances[:, edges[:, 0]], instances[:, edges[:, 1]]
    values = np.asarray(adjacency[tails.ravel(), heads.ravel()], dtype=np.float64).reshape(tails.shape)
    return REDUCERS[weights](values)


def _scatter(instances: Nodes, values: npt.NDArray[np.generic], shape: tuple[int, int]) -> sp.csr_array:
    """Put the values on all pairs of nodes of each instance, above the diagonal."""
    pairs = list(combinations(range(instances.shape[1]), 2))
    rows = np.concatenate([instances[:, a] for a, _ in pairs])
    cols = np.concatenate([instances[:, b] for _, b in pairs])
    low, high = np.minimum(rows, cols), np.maximum(rows, cols)
    return sp.csr_array(sp.coo_array((np.tile(values, len(pairs)), (low, high)), shape=shape))


class ListedCounts:
    """The counts of one graph for any motif, by listing. Undirected motifs ignore directions."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def _instances(self, motif: Motif, induced: bool) -> Iterator[Nodes]:
        return iterate_instances(self._graph if motif.is_directed else self._graph.undirected(), motif, induced)

    def matrix(self, motif: Motif, induced: bool, on_edges: bool) -> sp.csr_array:
        """The motif adjacency matrix."""
        graph = self._graph if motif.is_directed else self._graph.undirected()
        return listed_adjacency(graph, motif, induced, on_edges)

    def total(self, motif: Motif, induced: bool) -> int:
        """Number of instances."""
        return sum(len(instances) for instances in self._instances(motif, induced))

    def at_nodes(self, motif: Motif, induced: bool) -> npt.NDArray[np.int64]:
        """Number of instances at every node, ``[N]``."""
        total = np.zeros(self._graph.num_nodes, np.int64)
        for instances in self._instances(motif, induced):
            total += np.bincount(instances.ravel(), minlength=len(total))
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
