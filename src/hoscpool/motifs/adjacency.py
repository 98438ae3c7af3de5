"""The public functions: motif adjacency matrices, counts and instances."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, as_graph
from hoscpool.motifs.catalog import Motif, get_motif
from hoscpool.motifs.counting.counts import Counts
from hoscpool.motifs.counting.directed import DirectedCounts
from hoscpool.motifs.counting.skeleton import Skeleton
from hoscpool.motifs.counting.supports import triangle_support
from hoscpool.motifs.counting.undirected import APART, TOTALS, edge_form
from hoscpool.motifs.counting.weighted import REDUCERS, weighted_adjacency
from hoscpool.motifs.instances import canonical, iterate_instances
from hoscpool.motifs.relations import subgraph_coefficients
from hoscpool.support.errors import GraphWarning
from hoscpool.support.machine import require_memory
from hoscpool.support.threads import resolve_threads


def motif_adjacency(
    graph: Any,
    motif: str | Motif = "triangle",
    *,
    induced: bool = False,
    on_edges: bool = False,
    weights: str | None = None,
    n_threads: int | None = None,
) -> sp.csr_array:
    """The motif adjacency matrix: (A_M)_ij is the number of instances of the motif that contain both i and j.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Undirected motifs see the graph without its directions.
        motif: A name of `list_motifs`.
        induced: Count only instances with no further edges among their nodes; otherwise all subgraphs.
        on_edges: Keep only the pairs i, j that are joined. The full matrix of an open motif (wedge, cycle4, …) can be
            a hundred times larger.
        weights: ``None`` counts; ``"mean"`` and ``"product"`` add up the mean or the product of each instance's edge
            weights.
        n_threads: Number of threads; by default one a core. The result does not depend on it.

    Returns:
        A symmetric matrix with zero diagonal: int64 counts, or float64 with ``weights``.

    Raises:
        ValueError: The motif or an option is not known.
        MemoryEstimateError: The result would not fit in memory.

    Examples:
        >>> import networkx as nx
        >>> motif_adjacency(nx.complete_graph(4), "triangle").toarray()
        array([[0, 2, 2, 2],
               [2, 0, 2, 2],
               [2, 2, 0, 2],
               [2, 2, 2, 0]])
    """
    motif = get_motif(motif)
    return _matrices(graph, [motif], induced, on_edges, weights, n_threads)[motif.name]


def motif_adjacencies(
    graph: Any,
    motifs: Iterable[str | Motif],
    *,
    induced: bool = False,
    on_edges: bool = False,
    weights: str | None = None,
    n_threads: int | None = None,
) -> dict[str, sp.csr_array]:
    """The adjacency matrices of several motifs by name; what they have in common is counted once.

    Arguments and errors as in `motif_adjacency`, of which this is one call for every motif, in less time.

    Examples:
        >>> import networkx as nx
        >>> found = motif_adjacencies(nx.complete_graph(4), ["triangle", "clique4"])
        >>> {name: int(matrix[0, 1]) for name, matrix in found.items()}
        {'triangle': 2, 'clique4': 1}
    """
    if isinstance(motifs, str):
        raise ValueError(f"motifs: expected a list of names, got the single string {motifs!r}; use [{motifs!r}]")
    return _matrices(graph, [get_motif(motif) for motif in motifs], induced, on_edges, weights, n_threads)


def _matrices(
    graph: Any, motifs: list[Motif], induced: bool, on_edges: bool, weights: str | None, n_threads: int | None
) -> dict[str, sp.csr_array]:
    if weights is not None and weights not in REDUCERS:
        raise ValueError(f"weights must be None, 'mean' or 'product' (got {weights!r})")
    engine = _Engine(as_graph(graph), resolve_threads(n_threads))
    found = {}
    if weights is None:
        engine.prepare(motifs, induced)
    for motif in motifs:
        seen = _as_seen_by(engine.graph, motif, stacklevel=4)
        if weights is None:
            found[motif.name] = engine.matrix(motif, induced, on_edges)
        else:
            found[motif.name] = weighted_adjacency(seen, motif, induced, on_edges, weights)
    return found


class _Engine:
    """The counts of one graph, shared by all motifs that are asked for."""

    def __init__(self, graph: Graph, n_threads: int) -> None:
        self.graph, self.n_threads = graph, n_threads

    @cached_property
    def counts(self) -> Counts:
        return Counts(Skeleton(self.graph.undirected(), self.n_threads))

    @cached_property
    def directed(self) -> DirectedCounts:
        return DirectedCounts(self.graph, self.counts.skeleton)

    def prepare(self, motifs: list[Motif], induced: bool) -> None:
        forms = [edge_form(subgraph_coefficients(motif, induced)) for motif in motifs if not motif.is_directed]
        if forms:
            self.counts.prepare(set().union(*forms))

    def matrix(self, motif: Motif, induced: bool, on_edges: bool) -> sp.csr_array:
        if motif.is_directed:
            return self.directed.matrix(motif, induced, on_edges)
        counts, skeleton = self.counts, self.counts.skeleton
        if motif.name == "triangle":
            return skeleton.matrix(triangle_support(skeleton))
        coefficients = subgraph_coefficients(motif, induced)
        on = skeleton.matrix(counts.combine(edge_form(coefficients)))
        parts = [] if on_edges else [c * APART[name](counts) for name, c in coefficients.items() if name in APART]
        if not parts:
            return on
        result = sp.csr_array(sum(parts, start=on))
        result.eliminate_zeros()
        result.sort_indices()
        return result


def motif_count(graph: Any, motif: str | Motif, *, induced: bool = False, n_threads: int | None = None) -> int:
    """Number of instances of the motif in the graph; arguments as in `motif_adjacency`.

    Examples:
        >>> import networkx as nx
        >>> motif_count(nx.karate_club_graph(), "triangle")
        45
    """
    motif, graph = get_motif(motif), as_graph(graph)
    seen = _as_seen_by(graph, motif)
    if motif.is_directed:
        matrix = motif_adjacency(seen, motif, induced=induced, n_threads=n_threads)
        return int(matrix.sum()) // (motif.num_nodes * (motif.num_nodes - 1))
    counts = Counts(Skeleton(seen, resolve_threads(n_threads)))
    return sum(c * TOTALS[name](counts) for name, c in subgraph_coefficients(motif, induced).items())


def motif_instances(graph: Any, motif: str | Motif, *, induced: bool = False) -> npt.NDArray[np.int64]:
    """All instances of the motif, one a row: column r is the node in role r of the catalogue entry.

    Each instance is listed once, in the smallest of its equivalent orders, and the rows ascend.

    Raises:
        ValueError: The motif is not known.
        MemoryEstimateError: The list would not fit in memory.

    Examples:
        >>> import networkx as nx
        >>> motif_instances(nx.cycle_graph(4), "wedge")
        array([[0, 1, 3],
               [1, 0, 2],
               [2, 1, 3],
               [3, 0, 2]])
    """
    motif, graph = get_motif(motif), as_graph(graph)
    seen = _as_seen_by(graph, motif)
    count = motif_count(seen, motif, induced=induced)
    # the rows, a sorted copy, and the sort's own index
    require_memory(count * motif.num_nodes * 8 * 4, f"the list of {count:,} instances", "use motif_adjacency instead")
    batches = list(iterate_instances(seen, motif, induced))
    return canonical(np.concatenate(batches) if batches else np.empty((0, motif.num_nodes), np.int64), motif)


def _as_seen_by(graph: Graph, motif: Motif, stacklevel: int = 3) -> Graph:
    """The graph as the motif sees it; a change of meaning is said."""
    if motif.is_directed and not graph.is_directed:
        message = f"{motif.name} is a directed motif and the graph is undirected: every edge is taken as two arcs"
        warnings.warn(message, GraphWarning, stacklevel=stacklevel)
    if not motif.is_directed and graph.is_directed:
        message = f"{motif.name} is an undirected motif and the graph is directed: directions are ignored"
        warnings.warn(message, GraphWarning, stacklevel=stacklevel)
        return graph.undirected()
    return graph
