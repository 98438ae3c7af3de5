"""List motif instances: with the compiled search, or in a small graph by a join.

The join extends arrays of partial matches by one role at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.counting.matcher import Matcher, role_order
from hoscpool.motifs.relations import automorphisms, order_constraints

Nodes = npt.NDArray[np.int64]

SMALL_WALKS = 20_000
"""Up to this many walks of two steps the join is faster than loading the compiled search."""
_BATCH = 1 << 20
"""Number of matches per role that are held at a time, before they are filtered."""


class _Joined:
    """Adjacency of a graph as sorted keys. Every node is renamed to its rank by degree.

    So the order constraints of symmetric motifs select neighbours of higher degree, and a node has few of these.
    """

    def __init__(self, graph: Graph) -> None:
        undirected = graph.undirected()
        self.num_nodes = graph.num_nodes
        self.name = np.argsort(undirected.degree, kind="stable")
        rank = np.empty_like(self.name)
        rank[self.name] = np.arange(self.num_nodes)
        self.edges = self._keys(undirected, rank)
        self.arcs = np.append(self._keys(graph, rank), np.iinfo(np.int64).max)  # a search always ends on an entry
        self.targets = self.edges % max(self.num_nodes, 1)
        self.starts = np.searchsorted(self.edges, np.arange(self.num_nodes + 1) * self.num_nodes)

    def _keys(self, graph: Graph, rank: Nodes) -> Nodes:
        sources = np.repeat(np.arange(self.num_nodes), graph.degree)
        return np.sort(rank[sources] * self.num_nodes + rank[graph.indices])

    def has_arc(self, tails: Nodes, heads: Nodes) -> npt.NDArray[np.bool_]:
        wanted = tails * self.num_nodes + heads
        return np.asarray(self.arcs[np.searchsorted(self.arcs, wanted)] == wanted)

    def extend(self, matches: Nodes, anchor: int, only_higher: bool) -> Iterator[Nodes]:
        """Extend every match by every neighbour of its node in column ``anchor``, in batches."""
        nodes = matches[:, anchor]
        first, stop = self.starts[nodes], self.starts[nodes + 1]
        if only_higher:
            first = np.searchsorted(self.edges, nodes * self.num_nodes + nodes)
        sizes = stop - first
        batch = np.cumsum(sizes) // _BATCH  # a batch can be larger by the neighbours of one node
        for rows in np.split(np.arange(len(matches)), np.flatnonzero(np.diff(batch)) + 1):
            size = sizes[rows]
            step = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
            places = np.repeat(first[rows], size) + step
            yield np.column_stack([np.repeat(matches[rows], size, axis=0), self.targets[places]])


@dataclass(frozen=True)
class _Step:
    """The conditions for a node in the next role. Columns of the matches stand for earlier roles.

    Attributes:
        anchor: A column. The node must be a neighbour of the node there.
        below: Columns. The node must have a higher rank than the nodes there.
        above: Columns. The node must have a lower rank than the nodes there.
        arcs: For every column and direction (to the new node or from it), whether there must be an arc. Without a
            condition there is no entry.
    """

    anchor: int
    below: frozenset[int]
    above: frozenset[int]
    arcs: tuple[dict[str, bool], ...]

    def take(self, joined: _Joined, matches: Nodes) -> Iterator[Nodes]:
        """Extend the matches by one column, in batches."""
        for longer in joined.extend(matches, self.anchor, self.anchor in self.below):
            yield self._filter(joined, longer)

    def _filter(self, joined: _Joined, matches: Nodes) -> Nodes:
        """Keep the matches whose last node is distinct from the others and meets all conditions."""
        for column, arcs in enumerate(self.arcs):
            new, old = matches[:, -1], matches[:, column]
            keep = new != old
            if column in self.below:
                keep &= old < new
            if column in self.above:
                keep &= new < old
            matches = matches[keep]
            for direction, wanted in arcs.items():
                old, new = matches[:, column], matches[:, -1]
                there = joined.has_arc(old, new) if direction == "to" else joined.has_arc(new, old)
                matches = matches[there == wanted]
        return matches


def is_small(graph: Graph) -> bool:
    """Whether the join lists the instances of this graph."""
    degree = graph.degree + np.bincount(graph.indices, minlength=graph.num_nodes) * graph.is_directed
    return int(degree @ degree) <= SMALL_WALKS


def iterate_instances(graph: Graph, motif: Motif, induced: bool = False) -> Iterator[Nodes]:
    """Every instance once, in batches ``[n, k]``. Column r is the node in role r of the motif.

    It works for connected motifs of any size. Memory does not grow with the number of instances.

    Args:
        graph: The graph. It must be undirected if the motif is.
        motif: The motif.
        induced: List only instances with no further edges among their nodes.
    """
    if is_small(graph):
        yield from join_instances(graph, motif, induced)
    else:
        yield from Matcher(graph).batches(motif, induced)


def join_instances(graph: Graph, motif: Motif, induced: bool = False) -> Iterator[Nodes]:
    """As `iterate_instances`, always by the join. It needs no compiled code."""
    order, joined = role_order(motif), _Joined(graph)
    steps = [_step(motif, order[:place], order[place], induced) for place in range(1, motif.num_nodes)]
    for matches in _complete(joined, steps, np.arange(joined.num_nodes)[:, None]):
        yield joined.name[matches][:, np.argsort(order)]


def _complete(joined: _Joined, steps: list[_Step], matches: Nodes) -> Iterator[Nodes]:
    """Match the remaining roles, depth first. No batch is empty."""
    if len(matches) and not steps:
        yield matches
    elif len(matches):
        for longer in steps[0].take(joined, matches):
            yield from _complete(joined, steps[1:], longer)


def _step(motif: Motif, earlier: list[int], role: int, induced: bool) -> _Step:
    constraints = order_constraints(motif)
    below = frozenset(column for column, other in enumerate(earlier) if (other, role) in constraints)
    above = frozenset(column for column, other in enumerate(earlier) if (role, other) in constraints)
    neighbours = [column for column, other in enumerate(earlier) if motif.is_joined(role, other)]
    anchor = next((column for column in neighbours if column in below), neighbours[0])
    ways = ("to", "from") if motif.is_directed else ("to",)  # an undirected edge is the same in both directions
    arcs: list[dict[str, bool]] = []
    for other in earlier:
        there = {"to": (other, role) in motif.arcs, "from": (role, other) in motif.arcs}
        arcs.append({way: there[way] for way in ways if induced or there[way]})
    if not motif.is_directed:
        arcs[anchor] = {}  # candidates are neighbours of the anchor anyway
    return _Step(anchor, below, above, tuple(arcs))


def canonical(instances: Nodes, motif: Motif) -> Nodes:
    """Write each instance in the smallest of its equivalent orders, and sort the instances."""
    best, group = instances.copy(), automorphisms(motif)
    for role in range(motif.num_nodes):
        # the roles that can replace this one while all earlier roles stay, with one permutation for each
        places = {p[role]: p for p in group}
        column = best[:, list(places)].argmin(axis=1)
        for number, permutation in enumerate(places.values()):
            rows = column == number
            best[rows] = best[rows][:, permutation]
        group = tuple(p for p in group if p[role] == role)
    return best[np.lexsort(best.T[::-1])]
