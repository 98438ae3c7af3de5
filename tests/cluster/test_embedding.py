from __future__ import annotations

import pickle
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.cluster.embedding import is_bag_of_words, kmeans, smoothed_features, spectral_embedding, unit_rows
from hoscpool.datasets import syn3


def bag_of_words(rows: int = 60, columns: int = 200) -> sp.csr_array:
    rng = np.random.default_rng(0)
    return sp.csr_array(sp.random_array((rows, columns), density=0.1, rng=rng))


def ring(size: int) -> sp.csr_array:
    return sp.csr_array(nx.to_scipy_sparse_array(nx.cycle_graph(size)))


def test_spectral_coordinates_tell_communities_apart() -> None:
    graph = syn3()
    assert graph.labels is not None
    embedding = spectral_embedding(graph.adjacency, 5)
    assert np.linalg.norm(embedding, axis=1) == pytest.approx(np.ones(500))
    same = graph.labels[:, None] == graph.labels
    likeness = embedding @ embedding.T
    assert likeness[same].mean() > 0.8
    assert abs(likeness[~same].mean()) < 0.2


def test_regularisation_keeps_a_small_piece_from_an_eigenvector() -> None:
    parts = [nx.gnp_random_graph(40, 0.4, seed=1), nx.gnp_random_graph(40, 0.4, seed=2), nx.path_graph(2)]
    graph = nx.disjoint_union_all(parts)
    graph.add_edges_from([(0, 40), (1, 41)])
    plain, regularised = (spectral_embedding(nx.to_scipy_sparse_array(graph), 2, regularize=r) for r in (0, 1))
    assert not regularised[-2:].any()
    assert plain[-2:].any()
    halves = kmeans(regularised[:80], 2)
    assert len(set(halves[:40])) == len(set(halves[40:])) == 1
    assert halves[0] != halves[40]


@pytest.mark.parametrize("hops", [0, 1, 4])
def test_smoothing_is_the_mean_over_hops(hops: int) -> None:
    A = nx.to_numpy_array(nx.karate_club_graph(), weight=None)
    x = np.random.default_rng(0).normal(size=(34, 3))
    scale = 1 / np.sqrt(A.sum(axis=1) + 1)
    step = scale[:, None] * (A + np.eye(34)) * scale
    powers = [np.linalg.matrix_power(step, h) @ (x - x.mean(axis=0)) for h in range(hops + 1)]
    for adjacency in (A, sp.csr_array(A)):
        assert smoothed_features(adjacency, x, hops) == pytest.approx(np.mean(powers, axis=0))


def test_sparse_and_dense_features_are_the_same() -> None:
    x = bag_of_words()
    first, second = (smoothed_features(ring(60), table, n_components=10) for table in (x, x.toarray()))
    assert first.shape == (60, 10)
    assert first == pytest.approx(second)


def test_tfidf_makes_common_words_light() -> None:
    x = np.zeros((40, 5))
    x[:, 0] = 1
    x[np.arange(40), 1 + np.arange(40) % 4] = 1
    plain, weighted = (smoothed_features(ring(40), x, 0, tfidf=tfidf) for tfidf in (False, True))
    assert weighted[:, 0] == pytest.approx(plain[:, 0])  # a constant word is centred away in either case
    counts = x * (np.log(41 / (1 + (x > 0).sum(axis=0))) + 1)
    unit = counts / np.linalg.norm(counts, axis=1, keepdims=True)
    assert weighted == pytest.approx(unit - unit.mean(axis=0))
    assert smoothed_features(ring(40), x, 0) == pytest.approx(weighted)  # taken for a bag of words


def test_what_is_a_bag_of_words() -> None:
    assert is_bag_of_words(bag_of_words())
    assert is_bag_of_words(bag_of_words().toarray())
    assert not is_bag_of_words(-bag_of_words())
    assert not is_bag_of_words(np.ones((3, 3)))
    assert not is_bag_of_words(np.zeros((0, 3)))


@pytest.mark.parametrize("shape", [(5, 200), (1, 4), (200, 2)])
def test_tables_of_any_shape(shape: tuple[int, int]) -> None:
    smoothed = smoothed_features(sp.csr_array((shape[0], shape[0])), bag_of_words(*shape), n_components=16)
    assert smoothed.shape == (shape[0], min(*shape, 16) if shape[1] > 16 else shape[1])
    assert np.isfinite(smoothed).all()


def global_state() -> bytes:
    return pickle.dumps(np.random.get_state())  # noqa: NPY002


def test_the_seed_alone_decides() -> None:
    x, state = bag_of_words(), global_state()
    first, second = (smoothed_features(ring(60), x, n_components=10, random_state=5) for _ in range(2))
    assert np.array_equal(first, second)
    assert np.array_equal(kmeans(first, 4, random_state=5), kmeans(first, 4, random_state=5))
    assert kmeans(first, 4, random_state=None).shape == (60,)
    assert state == global_state()


@pytest.mark.parametrize(
    ("adjacency", "x", "options", "message"),
    [
        (ring(5), np.ones((4, 2)), {}, r"adjacency: expected shape \(4, 4\) to fit x, got \(5, 5\)"),
        (ring(5), np.ones(5), {}, "x: expected a table"),
        (ring(5), -np.ones((5, 2)), {"tfidf": True}, "tfidf: expected features ≥ 0"),
        (ring(5), np.ones((5, 2)), {"hops": -1}, "hops: expected a number ≥ 0"),
    ],
)
def test_wrong_arguments_are_refused(adjacency: Any, x: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        smoothed_features(adjacency, x, **options)


def test_kmeans_with_equal_points_and_wrong_k() -> None:
    assert kmeans(np.zeros((4, 2)), 3).tolist() == [0, 0, 0, 0]
    with pytest.raises(ValueError, match="n_clusters: expected 1 to 4, the number of points, got 5"):
        kmeans(np.zeros((4, 2)), 5)


def test_unit_rows_leave_zeros() -> None:
    assert unit_rows(np.array([[3.0, 4.0], [0.0, 0.0], [1e-100, 0.0]])).tolist() == [[0.6, 0.8], [0, 0], [1, 0]]
