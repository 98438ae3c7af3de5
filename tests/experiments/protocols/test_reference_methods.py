"""The reference methods against the plain formula and the libraries themselves."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool import as_graph
from hoscpool.experiments.protocols.node_clustering import fit_and_score, make_model, model_settings
from hoscpool.experiments.protocols.reference_methods import REFERENCES, TITLES, smooth_features
from hoscpool.graph import Graph
from hoscpool.support.errors import MissingDependencyError


@pytest.fixture(scope="module")
def graph() -> Graph:
    """Four cliques in a ring; the features say a little about the clique."""
    ring = nx.ring_of_cliques(4, 8)
    rng = np.random.default_rng(0)
    classes = np.repeat(np.arange(4), 8)
    return as_graph(ring, features=np.eye(4)[classes] + rng.normal(0, 0.8, (32, 4)), labels=classes)


@pytest.mark.parametrize("wide", [False, True])
def test_smoothing_is_the_mean_of_powers(graph: Graph, wide: bool) -> None:
    closed = graph.adjacency.toarray() + np.eye(32)
    step = closed / np.sqrt(np.outer(closed.sum(axis=1), closed.sum(axis=1)))
    x = np.asarray(graph.features)
    if wide:  # the decomposition turns the axes, and keeps lengths and angles
        x = np.pad(x, ((0, 0), (0, 140)))
    rows = x / np.linalg.norm(x, axis=1, keepdims=True)
    expected = np.mean([np.linalg.matrix_power(step, h) @ rows for h in range(6)], axis=0)
    for features in (x, sp.csr_array(x)):
        found = smooth_features(as_graph(graph.adjacency, features=features), 5, 0)
        np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-5)


@pytest.mark.parametrize("method", REFERENCES)
def test_a_record_has_all_it_needs(graph: Graph, method: str) -> None:
    if method in ("louvain", "leiden"):
        pytest.importorskip({"louvain": "sknetwork", "leiden": "igraph"}[method])
    found = fit_and_score(make_model(method, 4, 0), graph)
    assert found["metrics"]["n_clusters"] == 4
    assert found["metrics"]["nmi"] == pytest.approx(1) or method == "kmeans"
    assert found["metrics"]["nmi"] > 0.2
    assert model_settings(make_model(method, 9, 1)) == model_settings(make_model(method, 4, 0))
    assert method in TITLES


@pytest.mark.parametrize("method", ["kmeans", "smooth-kmeans"])
def test_without_features_there_is_nothing_to_cluster(graph: Graph, method: str) -> None:
    with pytest.raises(ValueError, match="expected features, got none"):
        make_model(method, 4, 0).fit(as_graph(graph.adjacency))


def test_a_missing_library_is_named(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoscpool.bench.peers.communities.find_spec", lambda _: None)
    with pytest.raises(MissingDependencyError, match=r"igraph.*bench"):
        make_model("leiden", 4, 0).fit(graph)
