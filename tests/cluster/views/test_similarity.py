"""The graph of similar features: the nearest by angle, and what its cut does in a fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.views import similarity
from hoscpool.cluster.views.similarity import follows_edges, similarity_graph
from hoscpool.graph import Graph, as_graph

TABLE = np.random.default_rng(0).normal(size=(60, 7)).astype(np.float32)
QUICK: dict[str, Any] = {"n_clusters": 3, "max_epochs": 5, "random_state": 0, "n_init": 1}


def nearest_by_angle(table: npt.NDArray[Any], count: int) -> npt.NDArray[np.bool_]:
    """Everybody's cosine with everybody, sorted."""
    joined = np.zeros((len(table), len(table)), dtype=bool)
    for i, row in enumerate(table):
        cosines = [row @ other / np.linalg.norm(row) / np.linalg.norm(other) for other in table]
        cosines[i] = -2
        joined[i, np.argsort(cosines)[len(table) - count :]] = True
    return joined | joined.T


@pytest.mark.parametrize("count", [1, 4, 59])
def test_joins_the_nearest_by_angle(count: int) -> None:
    lengths = np.random.default_rng(1).uniform(0.1, 10, size=(60, 1)).astype(np.float32)
    found = similarity_graph(TABLE * lengths, count, 0).toarray()
    np.testing.assert_array_equal(found, nearest_by_angle(TABLE, count))


def test_fewer_nodes_than_neighbours() -> None:
    np.testing.assert_array_equal(similarity_graph(TABLE[:3], 10, 0).toarray(), 1 - np.eye(3))


def test_large_graphs_are_searched_in_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "EXACT", 10)
    monkeypatch.setattr(similarity, "CELL", 30)
    sides = np.sign(np.random.default_rng(2).normal(size=60)).astype(np.float32)  # two cells far apart, nodes mixed
    table = TABLE + 30 * sides[:, None] * np.eye(1, 7, dtype=np.float32)
    found = similarity_graph(table, 4, 0).toarray()
    assert set(sides) == {-1, 1}
    for side in (-1, 1):
        part = sides == side
        np.testing.assert_array_equal(found[np.ix_(part, part)], nearest_by_angle(table[part], 4))
    assert not found[np.ix_(sides < 0, sides > 0)].any()


def test_features_follow_edges_or_not(cliques: Graph) -> None:
    x = np.asarray(cliques.features, dtype=np.float32)
    assert follows_edges(x - x.mean(axis=0), cliques.adjacency, 0)
    noise = np.random.default_rng(0).normal(size=(24, 5)).astype(np.float32)
    assert sum(follows_edges(noise, cliques.adjacency, seed) for seed in range(20)) == 0
    assert not follows_edges(_against(cliques), cliques.adjacency, 0)
    assert follows_edges(noise, sp.csr_array((24, 24)), 0)


def _against(graph: Graph) -> npt.NDArray[np.float32]:
    """Features that fall where those of a neighbour rise: the last eigenvector of A."""
    vector: npt.NDArray[np.float32] = np.linalg.eigh(graph.adjacency.toarray())[1][:, :1].astype(np.float32)
    return vector


def test_a_sample_of_edges_is_enough(cliques: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "EDGES", 20)
    x = np.asarray(cliques.features, dtype=np.float32)
    assert follows_edges(x - x.mean(axis=0), cliques.adjacency, 0)


@pytest.mark.filterwarnings("ignore:features do not follow the edges")
def test_a_fit_leaves_noise_out(bare: Graph) -> None:
    noisy = as_graph(bare, features=np.random.default_rng(0).normal(size=(24, 5)))
    assert HoscClustering(**QUICK).fit(noisy).feature_weight_ == 0


def test_a_cell_of_one_node_has_no_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "EXACT", 2)
    monkeypatch.setattr(similarity, "CELL", 2)
    table = np.array([[1, 0], [1, 0.01], [-1, 0]], dtype=np.float32)
    np.testing.assert_array_equal(similarity_graph(table, 5, 0).toarray(), [[0, 1, 0], [1, 0, 0], [0, 0, 0]])


@pytest.mark.filterwarnings("ignore:1 of 3 clusters")
def test_a_fit_looks_at_it_where_there_are_features(cliques: Graph, bare: Graph) -> None:
    seen = HoscClustering(**QUICK).fit(cliques)
    assert ("features" in seen.history_, seen.feature_weight_) == (True, 0.2)
    for model, graph in [
        (HoscClustering(**QUICK, feature_weight=0), cliques),
        (HoscClustering(**QUICK, preset="paper"), cliques),
        (HoscClustering(**QUICK, method="mincut"), cliques),
        (HoscClustering(**QUICK), bare),
        (HoscClustering(**QUICK), np.asarray(cliques.features)),  # the graph was built of these features already
    ]:
        assert ("features" in model.fit(graph).history_, model.feature_weight_) == (False, 0)


@pytest.mark.filterwarnings("ignore:the graph has no edges", "ignore:motifs")
def test_features_alone_are_enough(cliques: Graph) -> None:
    edgeless = as_graph(sp.csr_array((24, 24)), features=cliques.features)
    model = HoscClustering(3, random_state=0, n_init=1, max_epochs=100).fit(edgeless)
    assert adjusted_rand_score(cliques.labels, model.labels_) == 1
    assert model.history_["features"][-1] < model.history_["features"][0]
