from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from hoscpool.datasets import CATALOG, DatasetInfo, load

READINGS = [info for info in CATALOG.values() if info.reading_of]
BUILT_IN = [info for info in READINGS if info.folder is None]


def check_reading(info: DatasetInfo) -> None:
    graph, whole = load(info.name), load(info.reading_of).undirected()
    np.testing.assert_array_equal(graph.indices, whole.indices)
    np.testing.assert_array_equal(graph.labels, whole.labels)
    assert (graph.num_nodes, graph.num_edges) == (info.nodes, info.edges)
    features = np.asarray(graph.features)
    assert features.shape == (info.nodes, info.features)
    assert features.dtype == np.float32
    assert np.isfinite(features).all()


@pytest.mark.parametrize("info", BUILT_IN, ids=[info.name for info in BUILT_IN])
def test_a_reading_changes_nothing_but_the_features(info: DatasetInfo) -> None:
    check_reading(info)


@pytest.mark.data
@pytest.mark.parametrize("name", ["polblogs-label", "polblogs-stats", "email-eu-label", "email-eu-raw"])
def test_a_reading_of_a_graph_with_files(name: str) -> None:
    check_reading(CATALOG[name])


def test_what_looks_at_the_classes_says_so() -> None:
    marked = {info.name for info in READINGS if info.uses_labels}
    named = {info.name for info in READINGS if info.name.endswith("-label") or info.name[:6] == "syn1-r"}
    assert marked == named - {"syn1-r00"}


def test_labels_never_move_an_unmarked_reading() -> None:
    """Statistics of the graph are the same whatever the classes are: only the marked readings may see them."""
    triangles = np.asarray(load("syn2-triangles").features)[:, 0]
    counted = nx.triangles(nx.from_scipy_sparse_array(load("syn2").adjacency))
    np.testing.assert_array_equal(triangles, [counted[node] for node in range(1_000)])


def test_statistics_are_standardised_unless_they_are_raw() -> None:
    scaled, raw = np.asarray(load("karate-stats").features), np.asarray(load("karate-raw").features)
    np.testing.assert_allclose(scaled.std(axis=0), 1, atol=1e-4)
    np.testing.assert_array_equal(raw[:, 0], load("karate").degree)
    np.testing.assert_allclose((raw[:, 0] - raw[:, 0].mean()) / raw[:, 0].std(), scaled[:, 0], rtol=1e-4)
