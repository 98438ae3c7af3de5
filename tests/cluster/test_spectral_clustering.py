from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

from hoscpool.cluster.spectral_clustering import MotifSpectralClustering, spread_labels
from hoscpool.datasets import load, syn1, syn3
from hoscpool.graph import Graph, as_graph
from hoscpool.metrics import ari, nmi
from hoscpool.support.errors import GraphWarning


def score(graph: Graph, motif: str, **options: Any) -> float:
    """NMI of a clustering into as many clusters as there are classes."""
    assert graph.labels is not None
    count = len(np.unique(graph.labels))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        return nmi(graph.labels, MotifSpectralClustering(count, motif, **options).fit_predict(graph))


@pytest.mark.parametrize("seed", [0, 1, 3, 4])
@pytest.mark.parametrize("regularize", [0, 0.25])
def test_triangles_find_what_edges_do_not(seed: int, regularize: float) -> None:
    graph = syn1(random_state=seed)
    assert score(graph, "triangle", regularize=regularize, random_state=seed) == pytest.approx(1)
    assert score(graph, "edge", regularize=regularize, random_state=seed) < 0.02


@pytest.mark.parametrize("motif", ["edge", "triangle"])
def test_communities_of_edges(motif: str) -> None:
    assert score(syn3(), motif, random_state=0) == pytest.approx(1)


def test_karate_club() -> None:
    assert score(load("karate"), "edge", random_state=0) > 0.8


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "motif", "at_least"),
    [
        ("email-eu", "edge", 0.66),
        ("email-eu", "triangle", 0.65),
        ("polblogs", "edge", 0.70),
        ("polblogs", "triangle", 0.69),
        ("cora", "edge", 0.36),
    ],
)
def test_real_graphs(name: str, motif: str, at_least: float, data_root: Path) -> None:
    graph = load(name, data_root).undirected()
    if name == "polblogs":
        graph = graph.largest_component()
    assert score(graph, motif, random_state=0) > at_least


@pytest.mark.parametrize("motif", ["edge", "wedge", "triangle", "cycle4", "clique4"])
@pytest.mark.parametrize("on_edges", [False, True])
def test_any_motif_of_the_catalogue(motif: str, on_edges: bool) -> None:
    cliques = nx.ring_of_cliques(4, 6)
    model = MotifSpectralClustering(4, motif, on_edges=on_edges, random_state=0).fit(cliques)
    assert ari(np.arange(24) // 6, model.labels_) == pytest.approx(1)
    assert model.embedding_.shape == (24, 4)
    assert np.linalg.norm(model.embedding_, axis=1) == pytest.approx(np.ones(24))
    assert (np.diff(model.eigenvalues_) >= -1e-12).all()
    assert model.in_motif_.all()
    assert model.n_features_in_ == 24


def test_directed_motifs() -> None:
    rng = np.random.default_rng(0)
    A = np.zeros((30, 30))
    A[:15, :15] = rng.random((15, 15)) < 0.5
    A[15:, 15:] = rng.random((15, 15)) < 0.5
    A[:15, 15:] = np.eye(15)
    np.fill_diagonal(A, 0)
    labels = MotifSpectralClustering(2, "M5", random_state=0).fit_predict(as_graph(A, directed=True))
    assert ari(np.arange(30) // 15, labels) == pytest.approx(1)


def test_the_edge_uses_weights() -> None:
    A = np.ones((8, 8)) - np.eye(8)
    A[:4, :4] *= 20
    A[4:, 4:] *= 20
    assert ari([0] * 4 + [1] * 4, MotifSpectralClustering(2, "edge", random_state=0).fit_predict(A)) == 1


def test_nodes_in_no_motif_follow_their_edges() -> None:
    graph = nx.disjoint_union(nx.complete_graph(6), nx.complete_graph(4))
    graph.add_edges_from([(10, 0), (11, 10), (12, 9), (13, 14)])  # tails of two and one, and a pair apart
    model = MotifSpectralClustering(2, random_state=0)
    with pytest.warns(GraphWarning, match="5 of 15 nodes are in no triangle"):
        labels = model.fit_predict(graph)
    assert np.flatnonzero(~model.in_motif_).tolist() == [10, 11, 12, 13, 14]
    assert not model.embedding_[10:].any()
    six, four = labels[0], labels[6]
    assert labels.tolist() == [six] * 6 + [four] * 4 + [six, six, four, six, six]
    assert six != four


@pytest.mark.parametrize("regularize", [0, 0.25])
def test_small_pieces_without_a_cluster_follow_their_edges(regularize: float) -> None:
    graph = nx.disjoint_union_all([nx.complete_graph(n) for n in (8, 7, 3)])
    graph.add_edge(17, 8)  # no triangle: the third piece hangs on the second
    model = MotifSpectralClustering(2, regularize=regularize, random_state=0)
    with pytest.warns(GraphWarning, match="the triangle graph has 3 separate pieces; 3 nodes are in pieces without"):
        labels = model.fit_predict(graph)
    assert model.in_motif_.all()
    assert ari([0] * 8 + [1] * 10, labels) > 0.6
    assert labels[17] == labels[8] != labels[0]
    assert labels[15] == labels[16] == labels[17]


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("motif", ["edge", "triangle"])
def test_a_graph_without_motifs_is_one_cluster(size: int, motif: str) -> None:
    with pytest.warns(GraphWarning, match=f"{size} of {size} nodes are in no {motif}"):
        model = MotifSpectralClustering(size, motif).fit(sp.csr_array((size, size)))
    assert model.labels_.tolist() == [0] * size
    assert model.eigenvalues_.size == 0
    assert model.embedding_.shape == (size, size)


@pytest.mark.parametrize("count", [1, 2, 5, 6])
def test_any_number_of_clusters_up_to_the_nodes(count: int) -> None:
    model = MotifSpectralClustering(count, "edge", random_state=0).fit(nx.path_graph(6))
    assert model.labels_.shape == (6,)
    assert len(np.unique(model.labels_)) <= count
    assert np.isfinite(model.embedding_).all()
    assert len(model.eigenvalues_) == count


def test_fewer_nodes_in_motifs_than_clusters() -> None:
    with pytest.warns(GraphWarning, match="3 of 6 nodes"):
        model = MotifSpectralClustering(5, random_state=0).fit(nx.lollipop_graph(3, 3))
    assert model.embedding_.shape == (6, 5)
    assert len(model.eigenvalues_) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 7}, "n_clusters: expected 1 to 6, the number of nodes, got 7"),
        ({"n_clusters": 0}, "n_clusters: expected 1 to 6"),
        ({"n_clusters": 2.0}, "n_clusters: expected a whole number, got 2.0"),
        ({"n_clusters": True}, "n_clusters: expected a whole number, got True"),
        ({"n_init": 0}, "n_init: expected a number ≥ 1, got 0"),
        ({"motif": "square"}, "unknown motif 'square'"),
        ({"regularize": -1}, "regularize: expected a number ≥ 0"),
    ],
)
def test_wrong_parameters_are_refused_at_fit(options: dict[str, Any], message: str) -> None:
    model = MotifSpectralClustering(**{"n_clusters": 2, "motif": "edge", **options})
    with pytest.raises(ValueError, match=message):
        model.fit(nx.path_graph(6))


def global_state() -> bytes:
    return pickle.dumps(np.random.get_state())  # noqa: NPY002


def test_the_seed_alone_decides() -> None:
    graph, state = syn3(), global_state()
    model = MotifSpectralClustering(7, "edge", random_state=2)
    first, second = (clone(model).fit(graph) for _ in range(2))
    assert np.array_equal(first.labels_, second.labels_)
    assert np.array_equal(first.embedding_, second.embedding_)
    assert MotifSpectralClustering(7, "edge").fit(graph).labels_.shape == (500,)
    assert state == global_state()


def test_it_is_an_estimator_of_scikit_learn() -> None:
    model = MotifSpectralClustering(3, "wedge", induced=True, regularize=1.0)
    assert clone(model).get_params() == model.get_params()
    assert model.set_params(motif="edge").motif == "edge"
    assert model.__sklearn_tags__().input_tags.pairwise
    assert "motif='edge'" in repr(model)


def test_the_order_of_nodes_does_not_matter() -> None:
    graph = nx.ring_of_cliques(3, 5)
    order = np.random.default_rng(0).permutation(15)
    A = nx.to_numpy_array(graph)
    here = MotifSpectralClustering(3, random_state=0).fit_predict(A)
    there = MotifSpectralClustering(3, random_state=0).fit_predict(A[np.ix_(order, order)])
    assert ari(here[order], there) == 1


def test_spread_labels_prefers_weight_then_size() -> None:
    edges = [(0, 3, 1), (1, 3, 1), (2, 3, 3), (0, 4, 1), (2, 4, 1)]
    A = np.zeros((6, 6))
    for i, j, weight in edges:
        A[i, j] = A[j, i] = weight
    labels = spread_labels(sp.csr_array(A), np.array([1, 1, 0, -1, -1, -1]))
    assert labels.tolist() == [1, 1, 0, 0, 1, 1]  # heavier; a tie goes to the larger; no edge at all
