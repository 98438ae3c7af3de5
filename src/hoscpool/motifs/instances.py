"""Listing motif instances: a join, one role at a time, over whole arrays of partial matches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph
from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.relations import automorphisms, order_constraints

Nodes = npt.NDArray[np.int64]

_BATCH = 1 << 20


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
        self.arcs = self._keys(graph, rank)
        self.edges = self._keys(undirected, rank)
        self.targets = self.edges % max(self.num_nodes, 1)
        self.starts = np.searchsorted(self.edges, np.arange(self.num_nodes + 1) * self.num_nodes)

    def _keys(self, graph: Graph, rank: Nodes) -> Nodes:
        sources = np.repeat(np.arange(self.num_nodes), graph.degree)
        return np.sort(rank[sources] * self.num_nodes + rank[graph.indices])

    def has_arc(self, tails: Nodes, heads: Nodes) -> npt.NDArray[np.bool_]:
        wanted = tails * self.num_nodes + heads
        return np.asarray(np.append(self.arcs, -1)[np.searchsorted(self.arcs, wanted)] == wanted)

    def extend(self, matches: Nodes, anchor: int, only_higher: bool) -> Nodes:
        """Every match with every neighbour of the node in column ``anchor`` as one more column."""
        nodes = matches[:, anchor]
        first, stop = self.starts[nodes], self.starts[nodes + 1]
        if only_higher:
            first = np.searchsorted(self.edges, nodes * self.num_nodes + nodes)
        sizes = stop - first
        rows = np.repeat(np.arange(len(matches)), sizes)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + first[rows]
        return np.column_stack([matches[rows], self.targets[places]])


def iterate_instances(graph: Graph, motif: Motif, induced: bool = False) -> Iterator[Nodes]:
    """Instances in batches ``[n, k]``: column r is the node in role r of the catalogue entry; one row an instance."""
    joined = _Joined(graph)
    roots = np.arange(joined.num_nodes)[:, None]
    stack = [roots[i : i + _BATCH] for i in range(0, len(roots), _BATCH)][::-1]
    while stack:
        matches = stack.pop()
        if matches.shape[1] == motif.num_nodes:
            yield _in_role_order(joined.name[matches], motif)
            continue
        grown = _grow(joined, motif, induced, matches)
        # depth first and in batches: memory stays bounded however many instances there are
        stack += [grown[i : i + _BATCH] for i in range(0, len(grown), _BATCH)][::-1]


def _role_order(motif: Motif) -> list[int]:
    """Roles in an order in which each is joined to an earlier one."""
    joined = {frozenset(edge) for edge in motif.edges}
    order = [0]
    while len(order) < motif.num_nodes:
        rest = [r for r in range(motif.num_nodes) if r not in order]
        order.append(next(r for r in rest if any(frozenset((r, o)) in joined for o in order)))
    return order


def _in_role_order(matches: Nodes, motif: Motif) -> Nodes:
    return matches[:, np.argsort(_role_order(motif))]


def _grow(joined: _Joined, motif: Motif, induced: bool, matches: Nodes) -> Nodes:
    """Match one more role: expand along an edge of the motif, then filter by every other demand."""
    order = _role_order(motif)
    role, earlier = order[matches.shape[1]], order[: matches.shape[1]]
    arcs = set(motif.edges) if motif.is_directed else {*motif.edges, *((b, a) for a, b in motif.edges)}
    below = {a for a, b in order_constraints(motif) if b == role}
    above = {b for a, b in order_constraints(motif) if a == role}
    neighbours = [c for c, r in enumerate(earlier) if (r, role) in arcs or (role, r) in arcs]
    anchor = next((c for c in neighbours if earlier[c] in below), neighbours[0])
    step = max(1, _BATCH // 16)
    parts = [matches[i : i + step] for i in range(0, len(matches), step)]
    kept = [
        _filter(
            joined, joined.extend(part, anchor, earlier[anchor] in below), role, earlier, arcs, below, above, induced
        )
        for part in parts
    ]
    return np.concatenate(kept) if kept else np.empty((0, matches.shape[1] + 1), np.int64)


def _filter(
    joined: _Joined,
    matches: Nodes,
    role: int,
    earlier: list[int],
    arcs: set[tuple[int, int]],
    below: set[int],
    above: set[int],
    induced: bool,
) -> Nodes:
    """Keep the matches whose last column is distinct, in order, and joined to the others as the motif demands."""
    for column, other in enumerate(earlier):
        new, old = matches[:, -1], matches[:, column]
        keep = new != old
        if other in below:
            keep &= old < new
        if other in above:
            keep &= new < old
        matches = matches[keep]
        for tail, head in ((other, role), (role, other)):
            wanted = (tail, head) in arcs
            if wanted or induced:
                pair = (matches[:, column], matches[:, -1])
                there = joined.has_arc(*(pair if tail == other else pair[::-1]))
                matches = matches[there == wanted]
    return matches


def canonical(instances: Nodes, motif: Motif) -> Nodes:
    """Of the equivalent ways to write each instance the smallest, and the instances in ascending order."""
    best = instances.copy()
    for permutation in automorphisms(motif):
        other = instances[:, permutation]
        differs = other != best
        first = differs.argmax(axis=1)
        rows = np.arange(len(best))
        smaller = differs.any(axis=1) & (other[rows, first] < best[rows, first])
        best[smaller] = other[smaller]
    return best[np.lexsort(best.T[::-1])]
