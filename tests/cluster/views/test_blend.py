"""The share of structure, the weights of both parts, and what the user is told."""

from __future__ import annotations

import numpy as np
import pytest

from hoscpool.cluster.inputs import motif_matrices
from hoscpool.cluster.views.blend import blend, structure_share
from hoscpool.cluster.views.feature_map import FeatureMap
from hoscpool.cluster.views.starts import Source
from hoscpool.datasets import attributed_communities
from hoscpool.graph import Graph, as_graph
from hoscpool.support.errors import GraphWarning


def source(graph: Graph, *, for_others: bool = False) -> Source:
    return Source(graph, motif_matrices(graph, ("edge", "triangle")), 4, 0, for_others=for_others)


def test_the_share_falls_as_features_explain_more() -> None:
    shares = [structure_share(features, 0.5, 20, 4) for features in (-0.1, 0.0, 0.1, 0.2, 0.225, 0.5)]
    assert shares == sorted(shares, reverse=True)
    assert shares[:2] == [0.5, 0.5]
    assert shares[-2:] == [0.0, 0.0]
    assert structure_share(0.1, 0.0, 1, 9) == structure_share(0.1, -0.2, 1, 9) == 0.0


def test_few_directions_need_structure() -> None:
    shares = [structure_share(0.5, 0.5, directions, 7) for directions in (1, 3, 6, 9)]
    assert shares == pytest.approx([0.5 * 5 / 6, 0.25, 0, 0])
    assert structure_share(1.0, 0.1, 1, 7) == pytest.approx(0.1 * shares[0])
    assert structure_share(0.5, 0.5, 1, 2) == 0


def test_squared_distances_are_weighted_by_the_shares() -> None:
    rng = np.random.default_rng(0)
    smooth, coordinates = rng.normal(size=(9, 6)).astype(np.float32), rng.normal(size=(9, 3)).astype(np.float32)
    feature_map = FeatureMap(None, None, None, np.zeros(3, dtype=np.float32), hops=(2, 4))
    found = blend(smooth, feature_map, coordinates, 0.25)
    unit = coordinates / np.linalg.norm(coordinates, axis=1, keepdims=True)
    apart = 0.75 / 2 * ((smooth[0] - smooth[1]) ** 2).sum() + 0.25 * ((unit[0] - unit[1]) ** 2).sum()
    assert ((found.table[0] - found.table[1]) ** 2).sum() == pytest.approx(apart, rel=1e-5)
    assert blend(smooth, feature_map, coordinates, 0.0).table is smooth


def test_strong_features_stand_alone() -> None:
    graph = attributed_communities(600, 1800, 4, 200, kind="counts", signal=2.0, random_state=0)
    found = source(graph).blend
    assert found.share == 0
    np.testing.assert_allclose(found.feature_map.view(graph.adjacency, graph.features), found.table, atol=1e-5)


def test_weak_features_have_structure_beside_them_and_the_user_is_told() -> None:
    graph = attributed_communities(1500, 20_000, 4, 60, kind="numbers", signal=1.5, mixing=0.2, random_state=0)
    with pytest.warns(GraphWarning, match="features and edges disagree"):
        found = source(graph).blend
    assert 0.25 < found.share < 0.5
    assert found.table.shape[1] == found.smooth.shape[1] + 4
    assert source(graph, for_others=True).blend.share == 0


def test_noise_is_left_out_and_the_user_is_told() -> None:
    graph = attributed_communities(600, 2400, 4, 20, kind="numbers", signal=0.0, random_state=0)
    with pytest.warns(GraphWarning, match="features do not follow the edges"):
        assert source(graph).available(("blend",)) == ("spectral", "motif-spectral")


def test_without_edges_features_are_all_there_is() -> None:
    edgeless = as_graph(np.zeros((30, 30)), features=np.random.default_rng(0).normal(size=(30, 3)))
    found = source(edgeless)
    assert found.available(("blend",)) == ("blend",)
    assert found.blend.share == 0
    assert np.isfinite(found.blend.table).all()
