"""Relations between motifs: embeddings, automorphisms, copies, induced counts from subgraph counts.

The functions use only the edges of their arguments. They do not depend on the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

from hoscpool.motifs.catalog import Motif

Roles = tuple[int, ...]


@cache
def embeddings(motif: Motif, host: Motif) -> tuple[Roles, ...]:
    """All maps of the motif's roles to different roles of ``host`` that map edges to edges.

    Examples:
        >>> from hoscpool.motifs.catalog import get_motif
        >>> embeddings(get_motif("edge"), get_motif("wedge"))
        ((0, 1), (0, 2), (1, 0), (2, 0))
    """
    found: list[Roles] = [()]
    for role in range(motif.num_nodes):
        arcs = [arc for arc in motif.arcs if max(arc) == role]
        longer = ((*places, place) for places in found for place in range(host.num_nodes) if place not in places)
        found = [places for places in longer if all((places[a], places[b]) in host.arcs for a, b in arcs)]
    return tuple(found)


def automorphisms(motif: Motif) -> tuple[Roles, ...]:
    """The permutations of the roles that map the motif onto itself, and its anchors onto its anchors."""
    anchors = {*(motif.anchors or ())}
    return tuple(places for places in embeddings(motif, motif) if {places[role] for role in anchors} == anchors)


def copies(motif: Motif, host: Motif) -> int:
    """Number of subgraphs of ``host`` that equal the motif.

    Examples:
        >>> from hoscpool.motifs.catalog import get_motif
        >>> copies(get_motif("cycle4"), get_motif("clique4"))
        3
    """
    return len(embeddings(motif, host)) // len(automorphisms(motif))


def is_same_shape(motif: Motif, other: Motif) -> bool:
    """Whether the motifs differ only in their names and in the order of their roles. Anchors must be all roles.

    Examples:
        >>> from hoscpool.motifs.catalog import get_motif
        >>> is_same_shape(Motif.from_edges("path3", [(0, 1), (1, 2)]), get_motif("wedge"))
        True
    """
    if not all(m.anchors is None or len(m.anchors) == m.num_nodes for m in (motif, other)):
        return False
    sizes = [(m.num_nodes, len(m.edges), m.is_directed) for m in (motif, other)]
    return sizes[0] == sizes[1] and bool(embeddings(motif, other))


def of_same_shape(motif: Motif, known: Iterable[Motif]) -> Motif | None:
    """The first known motif with the same shape, or ``None``."""
    return next((other for other in known if is_same_shape(motif, other)), None)


@cache
def subgraph_coefficients(motif: Motif, induced: bool, known: tuple[Motif, ...]) -> dict[str, int]:
    r"""Coefficients c with count(motif) = Σ c[M′] · subgraph(M′) over known motifs. Empty if a needed one is unknown.

    This holds for the whole graph, for every pair of nodes and for every node. A subgraph count is that of the known
    motif of the same shape. An induced count subtracts, by inclusion and exclusion, the instances with further edges.
    F is any set of pairs without an edge in the motif:

    .. math::
        \mathrm{induced}(M) = \sum_F (-1)^{|F|} \frac{|\mathrm{Aut}(M + F)|}{|\mathrm{Aut}(M)|}
        \mathrm{subgraph}(M + F)

    Examples:
        >>> from hoscpool.motifs.catalog import get_motif
        >>> cycle4, *denser = (get_motif(name) for name in ("cycle4", "diamond", "clique4"))
        >>> subgraph_coefficients(cycle4, True, (cycle4, *denser))
        {'cycle4': 1, 'diamond': -1, 'clique4': 3}
    """
    total: dict[str, int] = {}
    pairs = permutations(range(motif.num_nodes), 2)
    free = [pair for pair in pairs if pair not in motif.arcs and (motif.is_directed or pair[0] < pair[1])]
    for size in range(len(free) + 1 if induced else 1):
        for added in combinations(free, size):
            shape = of_same_shape(replace(motif, edges=(*motif.edges, *added)), known)
            if shape is None:
                return {}
            total[shape.name] = total.get(shape.name, 0) + (-1) ** size * len(automorphisms(shape))
    return {name: c // len(automorphisms(motif)) for name, c in total.items() if c}


@cache
def order_constraints(motif: Motif) -> tuple[tuple[int, int], ...]:
    """Pairs (a, b) of roles such that exactly one embedding of each instance has node(a) < node(b) for all pairs.

    They come from the orbit of each role under the automorphisms that fix all earlier roles (Grochow & Kellis 2007).
    """
    group, constraints = list(automorphisms(motif)), []
    for role in range(motif.num_nodes):
        constraints += [(role, image) for image in sorted({p[role] for p in group} - {role})]
        group = [p for p in group if p[role] == role]
    return tuple(constraints)
