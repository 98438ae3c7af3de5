from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hoscpool import Graph
from hoscpool.datasets import planted_communities


def transitivity(graph: Graph) -> float:
    """Three times the triangles over the wedges: the chance that two neighbours of a node are joined."""
    adjacency = graph.adjacency
    degree = graph.degree.astype(float)
    return float((adjacency @ adjacency).multiply(adjacency).sum() / (degree * (degree - 1)).sum())


def mixing_share(graph: Graph) -> float:
    labels = np.asarray(graph.labels)
    rows = np.repeat(np.arange(graph.num_nodes), graph.degree)
    return float((labels[rows] != labels[graph.indices]).mean())


@pytest.fixture(scope="module")
def graph() -> Graph:
    return planted_communities(20_000, 300_000, 8, num_features=6, random_state=1)


def test_is_a_canonical_graph(graph: Graph) -> None:
    adjacency = graph.adjacency
    assert (adjacency != adjacency.T).nnz == 0
    assert adjacency.diagonal().sum() == 0
    rows = np.repeat(np.arange(graph.num_nodes), graph.degree)
    key = rows * graph.num_nodes + graph.indices
    assert (np.diff(key) > 0).all(), "sorted rows, no repeated neighbour"
    assert (graph.indptr.dtype.name, graph.indices.dtype.name) == ("int64", "int32")
    assert graph.weights is None


@pytest.mark.parametrize(
    ("nodes", "edges", "communities"), [(20_000, 300_000, 8), (2_000, 20_000, 1), (5_000, 10_000, 50), (600, 9_000, 3)]
)
def test_the_number_of_edges_is_near_the_request(nodes: int, edges: int, communities: int) -> None:
    graph = planted_communities(nodes, edges, communities)
    assert graph.num_nodes == nodes
    assert graph.num_edges == pytest.approx(edges, rel=0.03)


def test_communities_are_planted(graph: Graph) -> None:
    assert np.unique(np.asarray(graph.labels)).tolist() == list(range(8))
    assert mixing_share(graph) == pytest.approx(0.1, abs=0.01)
    assert mixing_share(planted_communities(20_000, 200_000, 8, mixing=0.4)) == pytest.approx(0.4, abs=0.02)
    assert mixing_share(planted_communities(2_000, 20_000, 4, mixing=0.0)) == 0


def test_triangles_abound(graph: Graph) -> None:
    random_share = 2 * graph.num_edges / graph.num_nodes**2
    assert transitivity(graph) > 0.2 > 100 * random_share
    sparser = planted_communities(20_000, 300_000, 8, closure=0.4, random_state=1)
    assert transitivity(sparser) < 0.8 * transitivity(graph)


def test_degrees_have_a_tail(graph: Graph) -> None:
    assert graph.degree.max() > 8 * np.median(graph.degree)
    assert (graph.degree == 0).mean() < 0.01


def test_sizes_can_be_equal_or_not(graph: Graph) -> None:
    equal = planted_communities(800, 4_000, 8, size_spread=0)
    assert np.ptp(np.bincount(np.asarray(equal.labels))) <= 1
    sizes = np.bincount(np.asarray(graph.labels))
    assert sizes.max() > 1.5 * sizes.min()


def test_nodes_are_shuffled_unless_asked_not_to_be(graph: Graph) -> None:
    assert (np.diff(np.asarray(graph.labels)) < 0).mean() > 0.3
    ordered = planted_communities(1_000, 5_000, 5, shuffle=False)
    assert (np.diff(np.asarray(ordered.labels)) >= 0).all()
    assert mixing_share(ordered) == pytest.approx(0.1, abs=0.02)


def test_features_tell_communities_apart(graph: Graph) -> None:
    features, labels = np.asarray(graph.features), np.asarray(graph.labels)
    assert features.dtype == np.float32
    centres = np.stack([features[labels == k].mean(axis=0) for k in range(8)])
    apart = np.linalg.norm(centres[:, None] - centres, axis=2)[~np.eye(8, dtype=bool)]
    assert 1 < apart.mean() < 3
    assert (features - centres[labels]).std() == pytest.approx(1, abs=0.02)
    silent = planted_communities(20_000, 100_000, 4, num_features=3, feature_signal=0.0)
    means = [np.asarray(silent.features)[silent.labels == k].mean() for k in range(4)]
    assert np.ptp(means) < 0.05


def test_the_same_seed_gives_the_same_graph() -> None:
    a, b = (planted_communities(3_000, 20_000, 4, 2, random_state=5) for _ in range(2))
    for part in ("indptr", "indices", "labels", "features"):
        np.testing.assert_array_equal(getattr(a, part), getattr(b, part))
    other = planted_communities(3_000, 20_000, 4, 2, random_state=6)
    assert not np.array_equal(a.indices, other.indices)


def test_features_do_not_change_the_graph() -> None:
    a, b = (planted_communities(3_000, 20_000, 4, width) for width in (0, 5))
    np.testing.assert_array_equal(a.indices, b.indices)
    assert a.features is None


def test_a_generator_is_accepted_and_the_global_state_left_alone() -> None:
    before = np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
    rng = np.random.default_rng(0)
    a, b = (planted_communities(300, 2_000, 3, random_state=rng) for _ in range(2))
    assert not np.array_equal(a.indices, b.indices)
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]  # noqa: NPY002


@pytest.mark.parametrize(("nodes", "edges", "communities"), [(1, 0, 1), (5, 0, 5), (10, 3, 2), (3, 1, 1)])
def test_small_graphs_are_defined(nodes: int, edges: int, communities: int) -> None:
    graph = planted_communities(nodes, edges, communities, num_features=1)
    assert graph.num_nodes == nodes
    assert np.unique(np.asarray(graph.labels)).tolist() == list(range(communities))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_nodes": 0}, "num_nodes: expected 1"),
        ({"num_edges": -1}, "num_edges: expected 0 or more"),
        ({"num_communities": 0}, "num_communities: expected 1 to num_nodes = 100"),
        ({"num_communities": 101}, "num_communities: expected 1 to num_nodes = 100"),
        ({"num_features": -1}, "num_features: expected 0 or more"),
        ({"num_edges": 2_000}, "num_edges: expected at most half of the .* pairs inside communities"),
        ({"closure": 0.0}, "closure: expected a probability above 0"),
        ({"closure": 1.5}, "closure: expected a probability"),
        ({"mixing": 1.0}, "mixing: expected a share"),
        ({"mixing": float("nan")}, "mixing: expected a share"),
        ({"overlap": 0.5}, "overlap: expected at least 1"),
        ({"degree_exponent": 2.0}, "degree_exponent: expected a number above 2"),
        ({"size_spread": -1.0}, "size_spread and feature_signal"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        planted_communities(**{"num_nodes": 100, "num_edges": 300, "num_communities": 4, **arguments})
