"""The block model that ends a fit of links alone: its likelihood, its moves, and when it is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import normalized_mutual_info_score

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.block_model import BlockModel, links_tell, settle
from hoscpool.datasets import planted_communities, syn1
from hoscpool.graph import Graph, as_graph

QUICK: dict[str, Any] = {"n_init": 1, "random_state": 0}


def small() -> sp.csr_array:
    return sp.csr_array(nx.to_scipy_sparse_array(nx.gnp_random_graph(14, 0.4, seed=1), dtype=float))


def planted(**given: Any) -> Graph:
    size = {"num_nodes": 300, "num_edges": 1500, "num_communities": 5, "mixing": 0.3, "random_state": 1001}
    return planted_communities(**{**size, **given})


def links_to_clusters(adjacency: sp.csr_array, labels: Any, k: int) -> sp.csr_array:
    return sp.csr_array(adjacency @ sp.csr_array(np.eye(k)[labels]))


def log_likelihood_by_pairs(a: Any, labels: Any, k: int) -> float:
    """Poisson numbers of links between every two nodes, with means d_i d_j ω_kl at their likeliest; and the sizes."""
    degree, count = a.sum(axis=1), len(labels)
    between, ends = np.zeros((k, k)), np.zeros(k)
    for i in range(count):
        ends[labels[i]] += degree[i]
        for j in range(count):
            between[labels[i], labels[j]] += a[i, j]
    total = 0.0
    for i in range(count):
        total += np.log(np.mean(labels == labels[i]))
        for j in range(count):
            mean = degree[i] * degree[j] * between[labels[i], labels[j]] / (ends[labels[i]] * ends[labels[j]])
            total += (a[i, j] * np.log(mean) if a[i, j] else 0.0) / 2 - mean / 2
    return float(total)


def test_likelihoods_of_two_clusterings_differ_as_those_by_pairs() -> None:
    adjacency, rng = small(), np.random.default_rng(0)
    first, second = (np.r_[0, 1, 2, rng.integers(3, size=11)] for _ in range(2))
    ours = [BlockModel.fit(links_to_clusters(adjacency, y, 3), y, 3).log_likelihood for y in (first, second)]
    pairs = [log_likelihood_by_pairs(adjacency.toarray(), y, 3) for y in (first, second)]
    assert ours[0] - ours[1] == pytest.approx(pairs[0] - pairs[1])


def test_nodes_in_the_wrong_place_go_home() -> None:
    graph, rng = planted(mixing=0.1), np.random.default_rng(0)
    truth = np.asarray(graph.labels)
    labels = np.where(rng.random(300) < 0.3, rng.integers(5, size=300), truth)
    found, value = settle(graph.adjacency, labels, 5)
    assert normalized_mutual_info_score(truth, found) > 0.95
    assert value > BlockModel.fit(links_to_clusters(graph.adjacency, labels, 5), labels, 5).log_likelihood
    np.testing.assert_array_equal(found, settle(graph.adjacency, labels, 5)[0])


@pytest.mark.parametrize("seed", range(5))
def test_the_likelihood_never_falls_and_no_cluster_empties(seed: int) -> None:
    adjacency, k = small(), 6
    labels = np.r_[np.arange(k), np.random.default_rng(seed).integers(k, size=14 - k)]
    found, value = settle(adjacency, labels, k, seed)
    assert set(found) == set(range(k))
    assert value >= BlockModel.fit(links_to_clusters(adjacency, labels, k), labels, k).log_likelihood


def test_labels_with_an_empty_cluster_are_left_alone() -> None:
    labels = np.zeros(14, dtype=np.int64)
    found, value = settle(small(), labels, 2)
    np.testing.assert_array_equal(found, labels)
    assert value == -np.inf


def test_nodes_without_links_and_clusters_without_links() -> None:
    adjacency = sp.csr_array(sp.block_diag([small(), sp.csr_array((4, 4))]))
    labels = np.r_[np.arange(14) % 2, 2, 2, 2, 2]
    found, value = settle(adjacency, labels, 3)
    assert np.isfinite(value)
    assert set(found) == {0, 1, 2}


def test_links_of_communities_tell_and_noise_does_not() -> None:
    assert links_tell(planted().adjacency, 5)
    assert not links_tell(syn1(random_state=5).adjacency, 3)


@pytest.fixture(scope="module")
def fitted() -> HoscClustering:
    return HoscClustering(5, **QUICK).fit(planted())


def test_a_fit_of_links_alone_ends_with_it(fitted: HoscClustering) -> None:
    graph = planted()
    trained = HoscClustering(5, max_epochs=100, **QUICK).fit(graph)
    scores = [normalized_mutual_info_score(graph.labels, model.labels_) for model in (fitted, trained)]
    assert scores[0] > 0.85
    assert scores[0] > scores[1]
    assert fitted.network_ is None
    assert trained.network_ is not None
    np.testing.assert_array_equal(fitted.labels_, fitted.assignment_.argmax(axis=1))
    assert fitted.runs_[-1]["start"] == "multilevel"
    assert fitted.runs_[fitted.kept_run_]["start"] == fitted.start_
    assert 0 < fitted.confidence_.mean() < 1


def test_jobs_change_nothing(fitted: HoscClustering) -> None:
    again = HoscClustering(5, n_jobs=2, **QUICK).fit(planted())
    np.testing.assert_array_equal(again.assignment_, fitted.assignment_)


def test_saved_and_carried_to_a_graph_with_the_same_nodes(fitted: HoscClustering, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model")
    loaded = HoscClustering.load(tmp_path / "model")
    part = as_graph(sp.csr_array(planted().adjacency[:200][:, :200]), directed=False)
    np.testing.assert_array_equal(loaded.predict(part), fitted.predict(part))
    np.testing.assert_array_equal(loaded.predict(part), fitted.labels_[:200])


@pytest.mark.filterwarnings("ignore:restarts agree by only")
@pytest.mark.parametrize(
    "given",
    [{"consensus": False}, {"starts": "spectral"}, {"motifs": {"triangle": 1.0}}, {"method": "hp-2"},
     {"n_clusters": 40}, {"patience": 5}],
)  # fmt: skip
def test_who_asks_for_something_else_gets_it(given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """And so does a graph with fewer links than pairs of clusters."""
    monkeypatch.setattr("hoscpool.cluster.fit.finish", lambda *_: pytest.fail("the block model was used"))
    model = HoscClustering(**{"n_clusters": 5, **QUICK, **given}).fit(planted())
    assert model.network_ is not None
