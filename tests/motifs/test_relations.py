from __future__ import annotations

from itertools import combinations, permutations

import pytest

from hoscpool.motifs import Motif, get_motif, list_motifs
from hoscpool.motifs.relations import automorphisms, copies, is_same_shape, order_constraints


@pytest.mark.parametrize("name", list_motifs())
def test_automorphisms_are_the_permutations_that_keep_the_edges(name: str) -> None:
    motif = get_motif(name)
    kept = [p for p in permutations(range(motif.num_nodes)) if {(p[a], p[b]) for a, b in motif.arcs} == motif.arcs]
    assert sorted(automorphisms(motif)) == kept


@pytest.mark.parametrize("host", ["diamond", "clique4", "M3", "M4"])
def test_copies_are_sets_of_edges(host: str) -> None:
    whole = get_motif(host)
    for motif in map(get_motif, list_motifs()):
        if (motif.num_nodes, motif.is_directed) == (whole.num_nodes, whole.is_directed):
            sets = [_shape(edges, motif.is_directed) for edges in combinations(whole.edges, len(motif.edges))]
            assert copies(motif, whole) == sets.count(_shape(motif.edges, motif.is_directed)), motif.name


def _shape(edges: tuple[tuple[int, int], ...], is_directed: bool) -> list[list[int]]:
    """The smallest way to write a graph on four roles."""
    ways = [[[p[a], p[b]] for a, b in edges] for p in permutations(range(4))]
    return min(sorted(way if is_directed else [sorted(edge) for edge in way]) for way in ways)


def test_shapes() -> None:
    square = Motif.from_edges("square", [(0, 2), (2, 1), (1, 3), (3, 0)])
    assert is_same_shape(square, get_motif("cycle4"))
    assert not is_same_shape(square, get_motif("path4"))
    assert not is_same_shape(get_motif("wedge"), get_motif("M8")), "one has directions"


@pytest.mark.parametrize("size", [5, 8])
def test_one_order_of_every_clique_is_kept(size: int) -> None:
    clique = Motif.from_edges(f"clique{size}", combinations(range(size), 2))
    assert set(order_constraints(clique)) == set(combinations(range(size), 2))
