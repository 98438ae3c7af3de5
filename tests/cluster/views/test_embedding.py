from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.cluster.views.embedding import is_bag_of_words, kmeans, spectral_embedding, unit_rows
from hoscpool.datasets import syn3


def bag_of_words(rows: int = 60, columns: int = 200) -> sp.csr_array:
    rng = np.random.default_rng(0)
    return sp.csr_array(sp.random_array((rows, columns), density=0.1, random_state=rng))


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


def test_what_is_a_bag_of_words() -> None:
    assert is_bag_of_words(bag_of_words())
    assert is_bag_of_words(bag_of_words().toarray())
    assert not is_bag_of_words(-bag_of_words())
    assert not is_bag_of_words(np.ones((3, 3)))
    assert not is_bag_of_words(np.zeros((0, 3)))


def global_state() -> bytes:
    return pickle.dumps(np.random.get_state())  # noqa: NPY002


def test_the_seed_alone_decides() -> None:
    state, graph = global_state(), nx.to_scipy_sparse_array(nx.gnp_random_graph(600, 0.02, seed=0))
    first, second = (spectral_embedding(graph, 4, random_state=5) for _ in range(2))
    assert np.array_equal(first, second)
    assert np.array_equal(kmeans(first, 4, random_state=5), kmeans(first, 4, random_state=5))
    assert kmeans(first, 4, random_state=None).shape == (600,)
    assert state == global_state()


def test_kmeans_with_equal_points_and_wrong_k() -> None:
    assert kmeans(np.zeros((4, 2)), 3).tolist() == [0, 0, 0, 0]
    with pytest.raises(ValueError, match="n_clusters: expected 1 to 4, the number of points, got 5"):
        kmeans(np.zeros((4, 2)), 5)


def test_unit_rows_leave_zeros() -> None:
    assert unit_rows(np.array([[3.0, 4.0], [0.0, 0.0], [1e-100, 0.0]])).tolist() == [[0.6, 0.8], [0, 0], [1, 0]]
