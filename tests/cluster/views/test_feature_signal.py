"""Features that follow the edges are told from noise, on edges that the metric has not seen."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.cluster.views import feature_signal as module
from hoscpool.cluster.views.edge_metric import EdgeMetric, edge_correlation
from hoscpool.cluster.views.feature_map import FeatureMap
from hoscpool.cluster.views.feature_signal import feature_signal
from hoscpool.datasets import attributed_communities
from hoscpool.graph import Graph


def communities(kind: str, signal: float, seed: int = 0) -> Graph:
    return attributed_communities(600, 2400, 4, 60, kind=kind, signal=signal, random_state=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["words", "counts", "shares", "tfidf", "numbers", "scales"])
def test_features_of_every_kind(kind: str) -> None:
    graph = communities(kind, 3.0 if kind in ("numbers", "scales") else 1.0)
    found = feature_signal(FeatureMap.fit(graph.features, 0)(graph.features), graph.adjacency, 0)
    assert found.is_informative
    assert 0.05 < found.correlation <= 1
    assert abs(found.chance) < 0.05


@pytest.mark.parametrize("kind", ["words", "numbers"])
def test_noise_is_known_as_noise(kind: str) -> None:
    graph = communities(kind, 0.0)
    table = FeatureMap.fit(graph.features, 0)(graph.features)
    assert sum(feature_signal(table, graph.adjacency, seed).is_informative for seed in range(20)) == 0


def test_the_other_half_of_the_edges_judges() -> None:
    """A metric of many columns fits the noise on the edges that it has seen."""
    rng = np.random.default_rng(0)
    graph = communities("numbers", 0.0)
    table = rng.normal(size=(600, 120)).astype(np.float32)
    seen = EdgeMetric.fit(table, graph.adjacency)
    assert seen is not None
    assert edge_correlation(seen(table), graph.adjacency) > 0.15
    assert abs(feature_signal(table, graph.adjacency, 0).correlation) < 0.03


def test_a_sample_of_edges_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = communities("numbers", 4.0)
    table = FeatureMap.fit(graph.features, 0)(graph.features)
    whole = feature_signal(table, graph.adjacency, 0)
    monkeypatch.setattr(module, "EDGES", 800)
    part = feature_signal(table, graph.adjacency, 0)
    assert part.is_informative
    assert part.correlation == pytest.approx(whole.correlation, abs=0.15)


def test_graphs_without_two_edges() -> None:
    table = np.random.default_rng(0).normal(size=(5, 2)).astype(np.float32)
    one = sp.csr_array(([1.0, 1.0], ([0, 1], [1, 0])), shape=(5, 5))
    for adjacency in (sp.csr_array((5, 5)), one):
        assert not feature_signal(table, adjacency, 0).is_informative


def test_the_seed_alone_decides() -> None:
    graph = communities("numbers", 1.0)
    table = FeatureMap.fit(graph.features, 0)(graph.features)
    assert feature_signal(table, graph.adjacency, 3) == feature_signal(table, graph.adjacency, 3)
