"""How motifs sit inside one another: automorphisms, spanning copies, induced counts from subgraph counts.

A motif M of k nodes and a node set of size k: if the set induces the motif M', it holds `copies(M, M')` subgraphs M.
Two nodes lie together in the set whichever of those is meant, so for every pair of nodes, hence for the matrices,

    subgraph(M) = Σ_{M'} copies(M, M') · induced(M').

The system is triangular in the number of edges, and solving it turns subgraph counts into induced ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations, permutations

from hoscpool.motifs.catalog import Motif, family

Permutation = tuple[int, ...]


def _edge_set(edges: Iterable[tuple[int, int]], is_directed: bool) -> frozenset[tuple[int, int]]:
    return frozenset(edges if is_directed else ((min(e), max(e)) for e in edges))


def _relabel(motif: Motif, order: Permutation) -> frozenset[tuple[int, int]]:
    return _edge_set(((order[a], order[b]) for a, b in motif.edges), motif.is_directed)


@cache
def automorphisms(motif: Motif) -> tuple[Permutation, ...]:
    """The permutations of the roles that map the motif onto itself."""
    edges = _edge_set(motif.edges, motif.is_directed)
    return tuple(p for p in permutations(range(motif.num_nodes)) if _relabel(motif, p) == edges)


@cache
def copies(motif: Motif, host: Motif) -> int:
    """Number of subgraphs of ``host``, on all of its nodes, that are the motif.

    Examples:
        >>> from hoscpool.motifs.catalog import get_motif
        >>> copies(get_motif("cycle4"), get_motif("clique4"))
        3
    """
    shapes = {_relabel(motif, p) for p in permutations(range(motif.num_nodes))}
    edges = _edge_set(host.edges, host.is_directed)
    return sum(frozenset(part) in shapes for part in combinations(sorted(edges), len(motif.edges)))


@cache
def induced_coefficients(motif: Motif) -> dict[str, int]:
    """Coefficients c with induced(motif) = Σ c[M'] · subgraph(M').

    Examples:
        >>> from hoscpool.motifs.catalog import get_motif
        >>> induced_coefficients(get_motif("cycle4"))
        {'cycle4': 1, 'diamond': -1, 'clique4': 3}
    """
    coefficients = {motif.name: 1}
    denser = [m for m in family(motif) if len(m.edges) > len(motif.edges)]
    for host in denser:
        for name, c in induced_coefficients(host).items():
            coefficients[name] = coefficients.get(name, 0) - copies(motif, host) * c
    return {name: c for name, c in coefficients.items() if c}


def subgraph_coefficients(motif: Motif, induced: bool) -> dict[str, int]:
    """The motif as a sum of subgraph counts: itself, or its `induced_coefficients`."""
    return induced_coefficients(motif) if induced else {motif.name: 1}


@cache
def order_constraints(motif: Motif) -> tuple[tuple[int, int], ...]:
    """Pairs (a, b) of roles such that exactly one embedding of each instance has node(a) < node(b) for all of them.

    The orbit of each role under the automorphisms that fix all earlier ones (Grochow & Kellis 2007).
    """
    group, constraints = list(automorphisms(motif)), []
    for role in range(motif.num_nodes):
        constraints += [(role, image) for image in sorted({p[role] for p in group} - {role})]
        group = [p for p in group if p[role] == role]
    return tuple(constraints)
