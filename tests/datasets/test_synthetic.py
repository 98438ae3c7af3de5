from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.metrics import normalized_mutual_info_score

from hoscpool import Graph
from hoscpool.datasets import syn1, syn2, syn3
from hoscpool.datasets.synthetic import correlated_features, slope_of

RECIPES = {"syn1": syn1, "syn2": syn2, "syn3": syn3}


def spectral_nmi(graph: Graph, affinity: Any) -> float:
    k = len(np.unique(np.asarray(graph.labels)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the triangle graph of Syn1 is disconnected, on purpose
        found = SpectralClustering(k, affinity="precomputed", assign_labels="cluster_qr", random_state=0).fit_predict(
            affinity
        )
    return float(normalized_mutual_info_score(graph.labels, found))


def triangle_matrix(graph: Graph) -> Any:
    adjacency = graph.adjacency.toarray()
    return (adjacency @ adjacency) * adjacency


def edge_labels(graph: Graph) -> tuple[Any, Any]:
    labels = np.asarray(graph.labels)
    return labels[np.repeat(np.arange(graph.num_nodes), graph.degree)], labels[graph.indices]


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
def test_the_same_seed_gives_the_same_graph(recipe: Callable[..., Graph]) -> None:
    a, b, other = recipe(random_state=7), recipe(random_state=7), recipe(random_state=8)
    for part in ("indptr", "indices", "features", "labels"):
        np.testing.assert_array_equal(getattr(a, part), getattr(b, part))
    assert not np.array_equal(a.indices, other.indices)


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
def test_ten_float32_features(recipe: Callable[..., Graph]) -> None:
    features = recipe().features
    assert features is not None
    assert features.shape[1] == 10
    assert features.dtype == np.float32
    assert np.isfinite(features).all()


def test_syn1_links_between_communities_close_no_triangle() -> None:
    graph = syn1()
    triangles = triangle_matrix(graph)
    rows, cols = np.nonzero(triangles)
    labels = np.asarray(graph.labels)
    assert (labels[rows] == labels[cols]).all()
    assert (triangles.sum(axis=1) > 0).all(), "every node is in a triangle"
    assert np.bincount(labels).tolist() == [334, 333, 333]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_syn1_has_the_stated_edges_a_third_of_them_inside(seed: int) -> None:
    graph = syn1(random_state=seed)
    assert graph.num_edges == 6243
    source, target = edge_labels(graph)
    assert (source == target).mean() == pytest.approx(1 / 3, abs=0.002)


@pytest.mark.parametrize("seed", [0, 1])
def test_syn1_edges_say_nothing_and_triangles_everything(seed: int) -> None:
    graph = syn1(random_state=seed)
    assert spectral_nmi(graph, graph.adjacency.toarray()) < 0.02  # paper: 0.000
    assert spectral_nmi(graph, triangle_matrix(graph)) == pytest.approx(1)  # paper: 1.000


def test_syn1_features_are_weakly_informative() -> None:
    graph = syn1()
    features, labels = np.asarray(graph.features), np.asarray(graph.labels)
    correlation = [abs(np.corrcoef(features[:, j], labels)[0, 1]) for j in range(10)]
    assert 0.3 < correlation[0] < 0.45
    assert max(correlation[1:]) < 0.1
    guess = KMeans(3, n_init=5, random_state=0).fit_predict(features)
    assert normalized_mutual_info_score(labels, guess) < 0.1


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.6, 0.95, 0.99])
def test_syn1_feature_has_the_stated_correlation(correlation: float) -> None:
    graphs = [syn1(correlation=correlation, random_state=seed) for seed in range(4)]
    found = [np.corrcoef(np.asarray(g.features)[:, 0], np.asarray(g.labels))[0, 1] for g in graphs]
    assert np.mean(found) == pytest.approx(correlation, abs=0.05)


def test_syn1_correlation_changes_the_first_feature_alone() -> None:
    default, other = syn1(), syn1(correlation=0.95)
    np.testing.assert_array_equal(default.indices, other.indices)
    np.testing.assert_array_equal(default.labels, other.labels)
    a, b = np.asarray(default.features), np.asarray(other.features)
    np.testing.assert_array_equal(a[:, 1:], b[:, 1:])
    assert (a[:, 0] != b[:, 0]).any()


def test_syn1_default_shifts_by_half_a_class_as_its_records_say() -> None:
    noise, default = syn1(correlation=0), syn1()
    shift = 0.5 * (np.asarray(default.labels) - 1)
    expected = np.asarray(noise.features)[:, 0] + shift.astype(np.float32)
    np.testing.assert_array_equal(np.asarray(default.features)[:, 0], expected)


@pytest.mark.parametrize("correlation", [-0.1, 1.0, 2, float("nan")])
def test_syn1_refuses_an_impossible_correlation(correlation: float) -> None:
    with pytest.raises(ValueError, match="correlation: expected a number from 0 to less than 1"):
        syn1(correlation=correlation)


def test_syn2_classes_are_membership_in_a_triangle() -> None:
    graph = syn2()
    assert graph.num_edges == 5496
    np.testing.assert_array_equal(graph.labels, triangle_matrix(graph).any(axis=1))
    np.testing.assert_allclose(np.asarray(graph.features).std(axis=0), 1, atol=1e-4)


def test_syn2_with_the_probability_of_the_text_has_more_edges() -> None:
    assert syn2(p=0.012, random_state=0).num_edges == pytest.approx(5994, abs=5 * 77)
    assert syn2(p=0.011, random_state=0).num_edges == pytest.approx(5494.5, abs=5 * 74)


def test_syn2_without_edges_is_defined() -> None:
    graph = syn2(p=0.0)
    assert graph.num_edges == 0
    np.testing.assert_allclose(np.asarray(graph.features), 0, atol=1e-6)


def test_syn3_parts() -> None:
    graph = syn3()
    assert graph.num_edges == 48205
    source, target = edge_labels(graph)
    sizes = np.bincount(np.asarray(graph.labels))
    assert sizes.min() >= 20
    pairs_inside = (sizes * (sizes - 1)).sum()
    assert (source == target).sum() / pairs_inside == pytest.approx(0.8, abs=0.01)
    assert (source != target).sum() / (500 * 499 - pairs_inside) == pytest.approx(0.2, abs=0.01)


def test_syn3_is_easy_for_spectral_clustering() -> None:
    graph = syn3()
    assert spectral_nmi(graph, graph.adjacency.toarray()) == 1.0  # paper: 1.000
    assert spectral_nmi(graph, triangle_matrix(graph)) == pytest.approx(1)  # paper: 1.000


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.95])
def test_correlation_of_the_first_column_alone(correlation: float) -> None:
    labels = np.repeat(np.arange(5), [10, 20, 400, 3_000, 5_000])
    features = correlated_features(labels, correlation)
    found = [np.corrcoef(column, labels)[0, 1] for column in features.T]
    assert found[0] == pytest.approx(correlation, abs=0.03)
    assert max(np.abs(found[1:])) < 0.05


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="at least two classes"):
        correlated_features([1, 1, 1], 0.5)
    with pytest.raises(ValueError, match="from 0 to less than 1"):
        correlated_features([0, 1], 1.0)
    assert slope_of(0, 1) == 0
