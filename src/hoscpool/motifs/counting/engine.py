"""Count any motif: with its closed form if it has one, otherwise by listing its instances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.counting.closed_forms import ClosedCounts, as_closed_forms
from hoscpool.motifs.counting.directed import DirectedCounts, SquareCounts, is_counted, is_square
from hoscpool.motifs.counting.listing import ListedCounts
from hoscpool.motifs.counting.matcher import MAX_SECONDS
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton
from hoscpool.support.threads import resolve_threads


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
