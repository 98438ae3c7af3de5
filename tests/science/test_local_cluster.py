"""The local cluster against the whole matrix, exact PageRank, and cuts counted by hand; and what it refuses."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

import hoscpool as hp
from hoscpool.motifs import get_motif
from hoscpool.science import local_cluster as function
from hoscpool.science.local_cluster import ball, diameter, induced
from hoscpool.support.errors import GraphWarning

Matrix = npt.NDArray[np.float64]
MODULE: Any = __import__("sys").modules[function.__module__]


def page_rank(W: Matrix, seed: int, restart: float) -> Matrix:
    """Solve p = restart · e + (1 − restart) · W D⁻¹ p directly."""
    degree = W.sum(axis=1)
    step = W / np.where(degree > 0, degree, 1)
    return np.asarray(np.linalg.solve(np.eye(len(W)) - (1 - restart) * step, restart * np.eye(len(W))[seed]))


def conductance_of(W: Matrix, nodes: list[int]) -> float:
    inside = np.isin(np.arange(len(W)), nodes)
    cut = W[inside][:, ~inside].sum()
    smaller = min(W[inside].sum(), W[~inside].sum())
    return float(cut / smaller) if smaller else 1.0


@pytest.mark.parametrize("motif", ["edge", "triangle", "wedge", "clique4"])
def test_order_and_conductance(motif: str) -> None:
    """With high precision the order is that of exact PageRank, and the sweep is that of cuts counted directly."""
    graph = nx.connected_caveman_graph(5, 6)
    graph.add_edges_from([(0, 9), (3, 20), (14, 25), (1, 7), (2, 8)])
    W = hp.motif_adjacency(graph, motif).toarray().astype(float)
    found = hp.local_cluster(graph, 2, motif, epsilon=1e-12)
    exact = page_rank(W, 2, 0.02) / np.where(W.sum(axis=1) > 0, W.sum(axis=1), 1)
    np.testing.assert_allclose(found.scores, exact[found.nodes], rtol=1e-6)
    assert found.scores.tolist() == sorted(found.scores.tolist(), reverse=True)
    order = np.argsort(-exact, kind="stable")[: len(found.sweep)].tolist()
    expected = [conductance_of(W, order[:size]) for size in range(1, len(order) + 1)]
    np.testing.assert_allclose(np.sort(found.sweep), np.sort(expected), atol=1e-9)
    assert found.conductance == pytest.approx(min(expected))
    assert found.conductance == pytest.approx(conductance_of(W, found.nodes.tolist()))


@pytest.mark.parametrize("motif", ["edge", "triangle", "cycle4", "clique4"])
def test_rows_around_the_seed_give_the_same_as_all_rows(motif: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = hp.datasets.planted_communities(4000, 40_000, 80)
    seeds = [0, 123, 2000, 3999]
    whole = [hp.local_cluster(graph, seed, motif, epsilon=0.02, max_size=200) for seed in seeds]
    monkeypatch.setattr(MODULE, "WHOLE_GRAPH", 0)
    for seed, expected in zip(seeds, whole, strict=True):
        found = hp.local_cluster(graph, seed, motif, epsilon=0.02, max_size=200)
        assert found.members == expected.members
        np.testing.assert_allclose(found.scores, expected.scores)
        assert found.conductance == pytest.approx(expected.conductance)
    assert hp.local_cluster(graph, 0, "triangle", epsilon=0.2).edges_read < graph.num_edges / 2


def test_planted_communities_are_found() -> None:
    graph = hp.datasets.planted_communities(3000, 30_000, 30, random_state=1)
    labels = graph.labels
    assert labels is not None
    scores = []
    for seed in range(0, 3000, 300):
        members, true = set(hp.local_cluster(graph, seed).nodes.tolist()), set(np.flatnonzero(labels == labels[seed]))
        scores.append(2 * len(members & true) / (len(members) + len(true)))
    assert np.mean(scores) > 0.9


def test_names_weights_and_labels() -> None:
    graph = nx.les_miserables_graph()
    found = hp.local_cluster(graph, ["Valjean", "Javert"])
    assert {"Valjean", "Javert"} <= set(found.members)
    assert hp.local_cluster(graph, "Valjean").members == hp.local_cluster(graph, ["Valjean"]).members
    labels = found.labels(len(graph))
    assert [name for name, label in zip(graph, labels, strict=True) if label] == [
        n for n in graph if n in found.members
    ]
    assert repr(found).startswith(f"LocalCluster({len(found.members)} nodes: ")
    assert len(hp.local_cluster(graph, "Valjean", max_size=3).members) <= 3
    heavy = nx.path_graph(4)
    nx.set_edge_attributes(heavy, {(0, 1): 10.0, (1, 2): 0.1, (2, 3): 10.0}, "weight")
    assert sorted(hp.local_cluster(heavy, 0, "edge").members) == [0, 1]


def test_seeds_without_the_motif() -> None:
    graph = nx.complete_graph(4)
    graph.add_edge(3, 4)
    with pytest.warns(GraphWarning, match="the seeds are in no triangle"):
        found = hp.local_cluster(graph, 4)
    assert found.members == [4]
    assert (found.conductance, found.edges_read) == (1.0, 14)
    with pytest.warns(GraphWarning):
        assert hp.local_cluster(nx.empty_graph(3), 1, "edge").members == [1]


@pytest.mark.parametrize(
    ("seeds", "options", "message"),
    [
        ("Valjan", {}, "'Valjan' is not in the graph, expected a node name; did you mean 'Valjean'"),
        ([], {}, "expected at least one node, got none"),
        (["Valjean", 5], {}, "5 is not in the graph"),
        ("Valjean", {"restart": 0}, "restart: expected a number between 0 and 1, got 0"),
        ("Valjean", {"epsilon": 2}, "epsilon"),
        ("Valjean", {"max_size": 0}, "max_size: expected at least 1"),
        ("Valjean", {"motif": "triangel"}, "Did you mean 'triangle'"),
    ],
)
def test_bad_input(seeds: object, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hp.local_cluster(nx.les_miserables_graph(), seeds, **options)


@pytest.mark.parametrize("seed", [4, -1, 1.5, True, "x"])
def test_rows_out_of_range(seed: object) -> None:
    with pytest.raises(ValueError, match="expected a number from 0 to 3"):
        hp.local_cluster(nx.path_graph(4), [seed])


@pytest.mark.parametrize("radius", [0, 1, 2, 3])
def test_balls_and_their_subgraphs(radius: int) -> None:
    graph = nx.gnp_random_graph(60, 0.04, seed=2)
    given = hp.as_graph(graph)
    nodes = ball(given, np.array([3, 40]), radius)
    near = [v for v in graph if min(nx.shortest_path_length(graph, s).get(v, 99) for s in (3, 40)) <= radius]
    assert nodes.tolist() == near
    part, read = induced(given, nodes)
    np.testing.assert_array_equal(part.adjacency.toarray(), nx.to_numpy_array(graph, near))
    assert read == sum(d for _, d in graph.degree(near))


@pytest.mark.parametrize(
    ("name", "steps"), [("edge", 1), ("triangle", 1), ("wedge", 2), ("path4", 3), ("cycle4", 2), ("M9", 2)]
)
def test_diameters(name: str, steps: int) -> None:
    assert diameter(get_motif(name)) == steps
