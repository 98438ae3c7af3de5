"""Counts beyond 2³¹ and near 2⁶³, against closed formulas for complete, bipartite and star graphs."""

from __future__ import annotations

from itertools import permutations
from math import comb, perm

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.graph import Graph, as_graph
from hoscpool.motifs import Engine, get_motif, list_motifs, motif_adjacency, motif_count
from hoscpool.motifs.counting.counts import LARGEST, choose3, exact_sum, require_64_bits

UNDIRECTED = [name for name in list_motifs() if not get_motif(name).is_directed]
CLIQUES = ("edge", "triangle", "clique4")


def symmetries(name: str) -> int:
    motif = get_motif(name)
    edges = {frozenset(edge) if not motif.is_directed else edge for edge in motif.edges}
    count = 0
    for order in permutations(range(motif.num_nodes)):
        moved = {(order[a], order[b]) for a, b in motif.edges}
        count += edges == ({frozenset(edge) for edge in moved} if not motif.is_directed else moved)
    return count


def complete(n: int, directed: bool = False) -> Graph:
    return as_graph(np.ones((n, n)) - np.eye(n), directed=directed)


def bipartite(a: int, b: int) -> Graph:
    block = np.ones((a, b))
    return as_graph(np.block([[np.zeros((a, a)), block], [block.T, np.zeros((b, b))]]))


def star(leaves: int) -> Graph:
    """Node 0 joined to all others, in the arrays of a graph: no time for building it."""
    indptr = np.concatenate([[0], np.arange(leaves, 2 * leaves + 1)])
    return Graph(indptr, np.concatenate([np.arange(1, leaves + 1), np.zeros(leaves)]).astype(np.int32))


@pytest.mark.parametrize("n", [5, 300])
@pytest.mark.parametrize("name", list_motifs())
def test_complete_graphs(name: str, n: int) -> None:
    motif = get_motif(name)
    if motif.is_directed:
        n = min(n, 100)
    graph, size = complete(n, motif.is_directed), motif.num_nodes
    total = perm(n, size) // symmetries(name)
    assert motif_count(graph, motif) == total
    assert set(Engine(graph).at_nodes(motif).tolist()) == {total * size // n}
    if n < 300:
        matrix = motif_adjacency(graph, motif)
        assert set(matrix.data.tolist()) == {total * size * (size - 1) // (n * (n - 1))}
        is_clique = len(motif.edges) == comb(size, 2) * (2 if motif.is_directed else 1)
        assert motif_count(graph, motif, induced=True) == (comb(n, size) if is_clique else 0)


@pytest.mark.parametrize(("a", "b"), [(3, 4), (300, 500)])
def test_bipartite_graphs(a: int, b: int) -> None:
    expected = dict.fromkeys(UNDIRECTED, 0) | {
        "edge": a * b,
        "wedge": a * comb(b, 2) + b * comb(a, 2),
        "star4": a * comb(b, 3) + b * comb(a, 3),
        "path4": perm(a, 2) * perm(b, 2),
        "cycle4": comb(a, 2) * comb(b, 2),
    }
    graph = bipartite(a, b)
    assert {name: motif_count(graph, name) for name in UNDIRECTED} == expected
    if b > 100:
        assert expected["path4"] > 2**31
    found = {name: motif_count(graph, name, induced=True) for name in UNDIRECTED}
    assert found == expected | {"path4": 0}  # the ends of every path are joined


@pytest.mark.parametrize("leaves", [7, 3_000_000])
def test_stars(leaves: int) -> None:
    expected = dict.fromkeys(UNDIRECTED, 0) | {
        "edge": leaves,
        "wedge": comb(leaves, 2),
        "star4": comb(leaves, 3),  # for 3,000,000 half of 2⁶³
    }
    graph = star(leaves)
    assert {name: motif_count(graph, name) for name in UNDIRECTED} == expected
    at_nodes = Engine(graph).at_nodes(get_motif("star4"))
    assert at_nodes[[0, 1, -1]].tolist() == [comb(leaves, 3), comb(leaves - 1, 2), comb(leaves - 1, 2)]


def test_counts_beyond_64_bits_are_refused_by_name() -> None:
    graph = star(4_000_000)
    assert motif_count(graph, "star4") == comb(4_000_000, 3) > LARGEST
    with pytest.raises(ValueError, match=r"graph: a node has so many neighbours .* 64-bit numbers"):
        Engine(graph).at_nodes(get_motif("star4"))


def test_choose3_up_to_its_limit() -> None:
    x = np.array([0, 1, 2, 3, 4, 5, 6, 2_700_000, 2_700_001, 3_810_777, 3_810_778])
    assert choose3(x).tolist() == [comb(value, 3) for value in x.tolist()]
    assert choose3(np.array([], np.int64)).tolist() == []
    with pytest.raises(ValueError, match="64-bit"):
        choose3(np.array([3_810_780]))


def test_sums_near_the_limit() -> None:
    assert exact_sum(np.array([2**62, 1])) == 2**62 + 1
    assert exact_sum(np.array([2**62, 2**62, 2**62, 5])) == 3 * 2**62 + 5
    require_64_bits(np.array([2.0**62]))
    with pytest.raises(ValueError, match="64-bit"):
        require_64_bits(np.array([2.0**63]))


def test_common_neighbours_of_two_hubs() -> None:
    """Pairs apart with many common neighbours: C(10⁵, 2) four-cycles through each pair of hubs."""
    leaves = 100_000
    block = sp.csr_array(np.ones((2, leaves)))
    graph = as_graph(sp.csr_array(sp.block_array([[None, block], [block.T, None]])), directed=False)
    assert motif_count(graph, "cycle4") == comb(leaves, 2) > 2**31
    assert motif_count(graph, "star4") == 2 * comb(leaves, 3)
