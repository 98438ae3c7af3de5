"""Random graphs with given degrees: degrees are kept, all such graphs are equally likely, and bad input is refused."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.science.rewiring import Rewirer, share_kept


def degrees_of(A: np.ndarray, keep_mutual: bool) -> tuple[tuple[int, ...], ...]:
    mutual = (A * A.T).sum(axis=0) if keep_mutual else np.zeros(len(A), int)
    return tuple(A.sum(axis=0)), tuple(A.sum(axis=1)), tuple(mutual)


def all_graphs(A: np.ndarray, directed: bool, keep_mutual: bool) -> set[bytes]:
    """Every simple graph with the same degrees, by trying all."""
    pairs = list(permutations(range(len(A)), 2) if directed else combinations(range(len(A)), 2))
    wanted, size = degrees_of(A, keep_mutual), int(A.sum()) // (1 if directed else 2)
    found = set()
    for bits in combinations(pairs, size):
        B = np.zeros_like(A)
        rows, cols = zip(*bits, strict=True)
        B[rows, cols] = 1
        B = B if directed else B + B.T
        if degrees_of(B, keep_mutual) == wanted:
            found.add(B.tobytes())
    return found


@pytest.mark.parametrize(
    ("graph", "keep_mutual"),
    [
        (nx.path_graph(5), False),
        (nx.cycle_graph(6), False),
        (nx.DiGraph([(0, 1), (1, 2), (2, 0)]), False),  # only turning the cycle round leads to the other graph
        (nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3)]), False),
        (nx.DiGraph([(0, 1), (1, 0), (2, 3), (3, 0)]), False),
        (nx.DiGraph([(0, 1), (1, 0), (2, 3), (3, 2), (0, 4)]), True),
        (nx.DiGraph([(0, 1), (1, 0), (2, 3), (4, 0)]), True),
    ],
)
def test_all_graphs_are_equally_likely(graph: nx.Graph, keep_mutual: bool) -> None:
    given = hp.as_graph(graph)
    A = given.adjacency.toarray().astype(np.int64)
    expected, samples = all_graphs(A, given.is_directed, keep_mutual), 1200
    rewirer = Rewirer(given, keep_mutual)
    found = Counter(rewirer.sample(seed).adjacency.toarray().astype(np.int64).tobytes() for seed in range(samples))
    assert set(found) == expected
    mean = samples / len(expected)
    squares = sum((count - mean) ** 2 / mean for count in found.values())
    freedom = len(expected) - 1
    assert squares < freedom + 4 * (2 * freedom) ** 0.5 + 4, "χ² is too large for a uniform choice"


@pytest.mark.parametrize(("directed", "keep_mutual"), [(False, False), (True, False), (True, True)])
def test_degrees_are_kept_and_edges_are_not(directed: bool, keep_mutual: bool) -> None:
    graph = hp.as_graph(nx.gnp_random_graph(200, 0.05, seed=1, directed=directed))
    rewirer = Rewirer(graph, keep_mutual)
    for seed in range(3):
        drawn = rewirer.sample(seed)
        drawn.adjacency.check_format(full_check=True)
        A, B = graph.adjacency.toarray() != 0, drawn.adjacency.toarray() != 0
        assert drawn.is_directed == directed
        assert degrees_of(B.astype(int), keep_mutual) == degrees_of(A.astype(int), keep_mutual)
        assert not B.diagonal().any()
        if not directed:
            assert (B == B.T).all()
        assert share_kept(graph, drawn) < 0.15
    assert share_kept(graph, graph) == 1


def test_mixing() -> None:
    """After the default number of swaps, triangles are as many as after ten times more."""
    graph = hp.as_graph(nx.powerlaw_cluster_graph(300, 4, 0.9, seed=0))
    means = [
        np.mean([hp.motif_count(Rewirer(graph, swaps_per_edge=swaps).sample(seed), "triangle") for seed in range(30)])
        for swaps in (10, 100)
    ]
    assert means[0] == pytest.approx(means[1], rel=0.04)
    assert hp.motif_count(graph, "triangle") > 2 * means[1]


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.empty_graph(3), "too small to rewire, expected at least two edges, got 0"),
        (nx.path_graph(2), "at least two edges, got 1"),
        (nx.complete_graph(6), "too small or too dense to rewire: only 0"),
        (nx.star_graph(9), "too small or too dense"),
    ],
)
def test_what_cannot_be_rewired(graph: nx.Graph, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hp.motif_profile(graph, ["triangle"])


def test_the_seed_decides() -> None:
    rewirer = Rewirer(hp.as_graph(nx.karate_club_graph()))
    first, again, other = (rewirer.sample(seed).indices.tolist() for seed in (1, 1, 2))
    assert first == again != other
