"""Listing motif instances: a join, one role at a time, over whole arrays of partial matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.relations import automorphisms, order_constraints

Nodes = npt.NDArray[np.int64]

_BATCH = 1 << 20
"""Matches held at a time for every role, before they are filtered."""


class _Joined:
    """Adjacency of a graph as sorted keys, with every node renamed to its place in the order of degrees.

    Renaming makes the order constraints of symmetric motifs ask for the neighbours of higher degree, of which there
    are few.
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
        """Every match with every neighbour of the node in column ``anchor`` as one more column, in batches."""
        nodes = matches[:, anchor]
        first, stop = self.starts[nodes], self.starts[nodes + 1]
        if only_higher:
            first = np.searchsorted(self.edges, nodes * self.num_nodes + nodes)
        sizes = stop - first
        batch = np.cumsum(sizes) // _BATCH  # a single match can go beyond it, by the neighbours of one node
        for rows in np.split(np.arange(len(matches)), np.flatnonzero(np.diff(batch)) + 1):
            size = sizes[rows]
            step = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
            places = np.repeat(first[rows], size) + step
            yield np.column_stack([np.repeat(matches[rows], size, axis=0), self.targets[places]])


@dataclass(frozen=True)
class _Step:
    """What a node must be like to take the next role; earlier roles are known by their column among the matches.

    Attributes:
        anchor: A column whose node it is a neighbour of.
        below: Columns of nodes that it must be above, in the order of degrees.
        above: Columns of nodes that it must be below.
        arcs: For every column and direction (to the new node or from it), whether there is an arc; where the motif
            says nothing there is no entry.
    """

    anchor: int
    below: frozenset[int]
    above: frozenset[int]
    arcs: tuple[dict[str, bool], ...]

    def take(self, joined: _Joined, matches: Nodes) -> Iterator[Nodes]:
        """The matches with one more column, in batches."""
        for longer in joined.extend(matches, self.anchor, self.anchor in self.below):
            yield self._filter(joined, longer)

    def _filter(self, joined: _Joined, matches: Nodes) -> Nodes:
        """Keep the matches whose last column is distinct, in order, and joined to the others as the motif demands."""
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


def iterate_instances(graph: Graph, motif: Motif, induced: bool = False) -> Iterator[Nodes]:
    """Every instance once, in batches ``[n, k]``: column r is the node in role r of the motif.

    Works for connected motifs of any size. Memory stays bounded however many instances there are.

    Args:
        graph: The graph as the motif sees it: without directions if the motif has none.
        motif: The motif.
        induced: List only instances with no further edges among their nodes.
    """
    order, joined = _role_order(motif), _Joined(graph)
    steps = [_step(motif, order[:place], order[place], induced) for place in range(1, motif.num_nodes)]
    for matches in _complete(joined, steps, np.arange(joined.num_nodes)[:, None]):
        yield joined.name[matches][:, np.argsort(order)]


def _complete(joined: _Joined, steps: list[_Step], matches: Nodes) -> Iterator[Nodes]:
    """Match the remaining roles, depth first; no batch is empty."""
    if len(matches) and not steps:
        yield matches
    elif len(matches):
        for longer in steps[0].take(joined, matches):
            yield from _complete(joined, steps[1:], longer)


def _role_order(motif: Motif) -> list[int]:
    """Roles in an order in which each is joined to an earlier one, and to as many as can be."""
    order = [0]
    while len(order) < motif.num_nodes:
        rest = [role for role in range(motif.num_nodes) if role not in order]
        order.append(max(rest, key=lambda role: sum(motif.is_joined(role, earlier) for earlier in order)))
    return order


def _step(motif: Motif, earlier: list[int], role: int, induced: bool) -> _Step:
    constraints = order_constraints(motif)
    below = frozenset(column for column, other in enumerate(earlier) if (other, role) in constraints)
    above = frozenset(column for column, other in enumerate(earlier) if (role, other) in constraints)
    neighbours = [column for column, other in enumerate(earlier) if motif.is_joined(role, other)]
    anchor = next((column for column in neighbours if column in below), neighbours[0])
    ways = ("to", "from") if motif.is_directed else ("to",)  # an undirected edge is the same both ways
    arcs: list[dict[str, bool]] = []
    for other in earlier:
        there = {"to": (other, role) in motif.arcs, "from": (role, other) in motif.arcs}
        arcs.append({way: there[way] for way in ways if induced or there[way]})
    if not motif.is_directed:
        arcs[anchor] = {}  # its neighbours are all that is looked at
    return _Step(anchor, below, above, tuple(arcs))


def canonical(instances: Nodes, motif: Motif) -> Nodes:
    """Of the equivalent ways to write each instance the smallest, and the instances in ascending order."""
    best, group = instances.copy(), automorphisms(motif)
    for role in range(motif.num_nodes):
        # the roles that may change places with this one while all before it stay, with a way to do it for each
        places = {p[role]: p for p in group}
        column = best[:, list(places)].argmin(axis=1)
        for number, permutation in enumerate(places.values()):
            rows = column == number
            best[rows] = best[rows][:, permutation]
        group = tuple(p for p in group if p[role] == role)
    return best[np.lexsort(best.T[::-1])]
