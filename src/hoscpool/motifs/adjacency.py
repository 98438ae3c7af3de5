"""The public functions: motif adjacency matrices, counts and instances, by a closed form or by listing."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, as_graph
from hoscpool.motifs.catalog import Motif, get_motif
from hoscpool.motifs.counting.closed_forms import ClosedCounts, as_closed_forms
from hoscpool.motifs.counting.directed import DirectedCounts, SquareCounts, is_counted, is_square
from hoscpool.motifs.counting.listing import ListedCounts, check_reducer, list_instances, listed_adjacency, require_list
from hoscpool.motifs.counting.matcher import MAX_SECONDS
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton
from hoscpool.motifs.export import to_torch
from hoscpool.support.errors import GraphWarning
from hoscpool.support.threads import resolve_threads


@runtime_checkable
class CountsByItself(Protocol):
    """A graph that is not in memory, and knows how to count motifs."""

    def motif_adjacency(self, motif: str | Motif, *, induced: bool, on_edges: bool, **options: Any) -> Any:
        """The motif adjacency."""


def motif_adjacency(
    graph: Any,
    motif: str | Motif = "triangle",
    *,
    induced: bool = False,
    on_edges: bool = False,
    weights: str | None = None,
    n_threads: int | None = None,
    max_seconds: float | None = MAX_SECONDS,
    as_torch: bool = False,
    scheduler: Any = None,
    memory: str | int | None = None,
) -> Any:
    """The motif adjacency matrix: (A_M)_ij is the number of instances of the motif that contain both i and j.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Undirected motifs ignore directions. Or the graph of
            `hoscpool.distributed.build_blocks`, for graphs beyond memory.
        motif: A name of `list_motifs`, or a `Motif`. Instances of a motif without a closed form are listed.
        induced: Count only instances with no further edges among their nodes. Otherwise count all subgraphs.
        on_edges: Keep only the pairs i, j that are joined. The full matrix of an open motif (wedge, cycle4, …) can be
            a hundred times larger.
        weights: ``None`` counts instances. ``"mean"`` and ``"product"`` sum the mean or the product of the edge weights
            of every instance.
        n_threads: Number of threads. Default: one per core. The result does not depend on it. On blocks: processes.
        max_seconds: A motif without a closed form is counted by a search for its instances. It is refused if it would
            take longer than this, by an estimate. ``None``: no limit.
        as_torch: Return a coalesced sparse COO tensor: float32, or float64 if it has an entry from 2²⁴ on.
        scheduler: On blocks: a Dask client, or the address of a scheduler, whose workers count. ``None``: this machine.
        memory: On blocks: what a worker may take, such as ``"2 GB"``. ``None``: what is free.

    Returns:
        A symmetric ``csr_array`` with zero diagonal: int64 counts, or float64 with ``weights``. For a graph in blocks a
        `hoscpool.distributed.BlockedMatrix`, which is read block by block, or made one matrix by ``to_matrix()``.

    Raises:
        ValueError: The motif or an option is unknown, or a product of weights is beyond 64-bit floats.
        MemoryEstimateError: The result would not fit in memory.
        TimeEstimateError: The count would take longer than ``max_seconds``.

    Examples:
        >>> import networkx as nx
        >>> motif_adjacency(nx.complete_graph(4), "triangle").toarray()
        array([[0, 2, 2, 2],
               [2, 0, 2, 2],
               [2, 2, 0, 2],
               [2, 2, 2, 0]])
    """
    if isinstance(graph, CountsByItself):
        if weights is not None or as_torch:
            raise ValueError("weights, as_torch: a graph in blocks has counts only, and no tensor; leave them out")
        options = {"scheduler": scheduler, "memory": memory, "workers": n_threads}
        return graph.motif_adjacency(motif, induced=induced, on_edges=on_edges, **options)
    if scheduler is not None or memory is not None:
        raise ValueError("scheduler, memory: expected a graph in blocks; make it with hp.distributed.build_blocks")
    motif = get_motif(motif)
    matrix = _matrices(graph, [motif], induced, on_edges, weights, n_threads, max_seconds)[motif.name]
    return to_torch(matrix) if as_torch else matrix


def motif_adjacencies(
    graph: Any,
    motifs: Iterable[str | Motif],
    *,
    induced: bool = False,
    on_edges: bool = False,
    weights: str | None = None,
    n_threads: int | None = None,
    max_seconds: float | None = MAX_SECONDS,
) -> dict[str, sp.csr_array]:
    """The adjacency matrices of several motifs, under their names in the catalogue.

    It is faster than one `motif_adjacency` per motif, because shared counts are computed once. Arguments and errors as
    there.

    Examples:
        >>> import networkx as nx
        >>> found = motif_adjacencies(nx.complete_graph(4), ["triangle", "clique4"])
        >>> {name: int(matrix[0, 1]) for name, matrix in found.items()}
        {'triangle': 2, 'clique4': 1}
    """
    if isinstance(motifs, str):
        raise ValueError(f"motifs: expected a list of names, got the single string {motifs!r}; use [{motifs!r}]")
    found = [get_motif(motif) for motif in motifs]
    for motif in found:
        if motif != next(other for other in found if other.name == motif.name):
            raise ValueError(f"motifs: expected a different name for every motif, got {motif.name!r} twice")
    return _matrices(graph, found, induced, on_edges, weights, n_threads, max_seconds)


def _matrices(
    graph: Any,
    motifs: list[Motif],
    induced: bool,
    on_edges: bool,
    weights: str | None,
    n_threads: int | None,
    max_seconds: float | None,
) -> dict[str, sp.csr_array]:
    check_reducer(weights)
    graph = as_graph(graph)
    engine, found = Engine(graph, n_threads, max_seconds), {}
    if weights is None:
        engine.prepare(motifs, induced)
    for motif in motifs:
        seen = _as_seen_by(graph, motif, stacklevel=4)
        if weights is None:
            found[motif.name] = engine.matrix(motif, induced, on_edges)
        else:
            found[motif.name] = listed_adjacency(seen, motif, induced, on_edges, weights)
    return found


def motif_count(
    graph: Any,
    motif: str | Motif,
    *,
    induced: bool = False,
    n_threads: int | None = None,
    max_seconds: float | None = MAX_SECONDS,
) -> int:
    """Number of instances of the motif in the graph. Arguments as in `motif_adjacency`.

    Examples:
        >>> import networkx as nx
        >>> motif_count(nx.karate_club_graph(), "triangle")
        45
    """
    motif, graph = get_motif(motif), as_graph(graph)
    return Engine(_as_seen_by(graph, motif), n_threads, max_seconds).total(motif, induced)


def motif_instances(graph: Any, motif: str | Motif, *, induced: bool = False) -> npt.NDArray[np.int64]:
    """All instances of the motif, one per row. Column r is the node in role r of the catalogue entry.

    Each instance is listed once, in the smallest of its equivalent orders. The rows ascend.

    Raises:
        ValueError: The motif is unknown.
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
    if not is_listed(motif, induced):  # refuse before the work starts
        require_list(Engine(seen).total(motif, induced), motif)
    return list_instances(seen, motif, induced)


def _as_seen_by(graph: Graph, motif: Motif, stacklevel: int = 3) -> Graph:
    """The graph that the motif is counted in. Warn if directions are ignored or added."""
    if motif.is_directed and not graph.is_directed:
        message = f"{motif.name} is a directed motif, but the graph is undirected: every edge counts as two arcs"
        warnings.warn(message, GraphWarning, stacklevel=stacklevel)
    if not motif.is_directed and graph.is_directed:
        message = f"{motif.name} is an undirected motif, but the graph is directed: directions are ignored"
        warnings.warn(message, GraphWarning, stacklevel=stacklevel)
        return graph.undirected()
    return graph


def is_listed(motif: Motif, induced: bool) -> bool:
    """Whether a motif can be counted only by listing its instances."""
    if motif.is_directed:
        return not (is_counted(motif) or is_square(motif, induced))
    return not as_closed_forms(motif, induced)


class Engine:
    """The counts of one graph. All motifs share them. Undirected motifs ignore directions.

    Args:
        graph: The graph.
        n_threads: Number of threads. Default: one per core.
        max_seconds: Refuse a search for instances that is estimated to take longer. ``None``: no limit.

    Examples:
        >>> import networkx as nx
        >>> from hoscpool.graph import as_graph
        >>> from hoscpool.motifs.catalog import get_motif
        >>> star = Engine(as_graph(nx.star_graph(2)))
        >>> star.at_nodes(get_motif("edge")), star.total(get_motif("wedge"))
        (array([2, 1, 1]), 1)
    """

    def __init__(self, graph: Graph, n_threads: int | None = None, max_seconds: float | None = MAX_SECONDS) -> None:
        self._graph, self._n_threads, self._max_seconds = graph, resolve_threads(n_threads), max_seconds

    @cached_property
    def _skeleton(self) -> Skeleton:
        return Skeleton(self._graph.undirected(), self._n_threads)

    @cached_property
    def _closed(self) -> ClosedCounts:
        return ClosedCounts(self._skeleton)

    @cached_property
    def _directed(self) -> DirectedCounts:
        return DirectedCounts(self._graph, self._skeleton)

    @cached_property
    def _listed(self) -> ListedCounts:
        return ListedCounts(self._graph, self._n_threads, self._max_seconds)

    @cached_property
    def _squares(self) -> SquareCounts:
        return SquareCounts(self._graph, self._skeleton)

    def _counts_of(self, motif: Motif, induced: bool) -> ClosedCounts | DirectedCounts | SquareCounts | ListedCounts:
        if is_listed(motif, induced):
            return self._listed
        if motif.is_directed and motif.num_nodes == 4:
            return self._squares
        return self._directed if motif.is_directed else self._closed

    def prepare(self, motifs: Sequence[Motif], induced: bool) -> None:
        """Compute the shared counts of these motifs together."""
        closed = [motif for motif in motifs if not motif.is_directed and not is_listed(motif, induced)]
        if closed:
            self._closed.prepare(closed, induced)

    def matrix(self, motif: Motif, induced: bool = False, on_edges: bool = False) -> sp.csr_array:
        """The motif adjacency matrix, see `motif_adjacency`."""
        return self._counts_of(motif, induced).matrix(motif, induced, on_edges)

    def total(self, motif: Motif, induced: bool = False) -> int:
        """Number of instances."""
        return self._counts_of(motif, induced).total(motif, induced)

    def at_nodes(self, motif: Motif, induced: bool = False) -> IntArray:
        """Number of instances that contain each node, ``[N]``."""
        return self._counts_of(motif, induced).at_nodes(motif, induced)
