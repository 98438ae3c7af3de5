from __future__ import annotations

import pickle
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence
from sklearn.exceptions import ConvergenceWarning

from hoscpool.cluster.views import embedding as embedding_module
from hoscpool.cluster.views.embedding import (
    as_seed,
    is_bag_of_words,
    kmeans,
    laplacian_eigenpairs,
    spectral_embedding,
    unit_rows,
)
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


Matrix = npt.NDArray[np.float64]


def dense_laplacian(A: Matrix, regularize: float) -> Matrix:
    degree = A.sum(axis=1)
    scale = 1 / np.sqrt(degree + regularize * degree.mean())
    return np.asarray(np.eye(len(A)) - scale[:, None] * A * scale)


def connected(size: int, seed: int = 0) -> Matrix:
    return np.asarray(nx.to_numpy_array(nx.connected_watts_strogatz_graph(size, 8, 0.3, seed=seed)))


@pytest.mark.parametrize("size", [20, 600])  # all eigenvectors of a dense matrix, and ARPACK
@pytest.mark.parametrize("regularize", [0, 0.25, 1])
def test_they_are_the_smallest_eigenpairs(size: int, regularize: float) -> None:
    A = connected(size)
    values, vectors = laplacian_eigenpairs(sp.csr_array(A), 6, regularize=regularize)
    L = dense_laplacian(A, regularize)
    assert values == pytest.approx(np.linalg.eigvalsh(L)[:6], abs=1e-7)
    assert np.abs(L @ vectors - vectors * values).max() < 1e-6
    assert vectors.T @ vectors == pytest.approx(np.eye(6), abs=1e-7)
    assert (vectors.max(axis=0) >= -vectors.min(axis=0)).all()


@pytest.mark.parametrize("size", [8, 300])
def test_repeated_eigenvalues_of_a_graph_in_pieces_are_all_found(size: int) -> None:
    """Three pieces: eigenvalue 0 three times, then the smallest of what is left of each."""
    blocks = [connected(size + 10 * k, seed=k) for k in range(3)]
    L = sp.block_diag([dense_laplacian(block, 0) for block in blocks]).toarray()
    values, vectors = laplacian_eigenpairs(sp.block_diag(blocks), 7, regularize=0)
    assert values == pytest.approx(np.linalg.eigvalsh(L)[:7], abs=1e-7)
    assert np.abs(L @ vectors - vectors * values).max() < 1e-6
    heaviest = vectors[-(size + 20) :, 0]
    assert np.linalg.norm(heaviest) == pytest.approx(1)


@pytest.mark.parametrize("regularize", [0, 0.25])
@pytest.mark.parametrize("dense", [10, 500])
def test_pieces_without_an_eigenvector_have_rows_of_zeros(
    regularize: float, dense: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_module, "_DENSE", dense)
    A = nx.to_scipy_sparse_array(nx.disjoint_union_all([nx.complete_graph(n) for n in (7, 60, 1, 5)]))
    _, vectors = laplacian_eigenpairs(A, 1, regularize=regularize)
    assert np.flatnonzero(vectors[:, 0]).tolist() == list(range(7, 67))


def test_a_matrix_without_weights() -> None:
    values, vectors = laplacian_eigenpairs(np.zeros((4, 4)), 2)
    assert values.tolist() == [1, 1]
    assert not vectors.any()


@pytest.mark.parametrize("count", [1, 3, 4])
def test_as_many_eigenvectors_as_nodes(count: int) -> None:
    values, vectors = laplacian_eigenpairs(np.ones((4, 4)) - np.eye(4), count, regularize=0)
    assert values == pytest.approx([0, *[4 / 3] * 3][:count])
    assert vectors.shape == (4, count)


def global_state_laplacian() -> bytes:
    return pickle.dumps(np.random.get_state())  # noqa: NPY002


def test_the_seed_alone_decides_laplacian() -> None:
    A = sp.csr_array(connected(600))
    state = global_state_laplacian()
    first, second = (laplacian_eigenpairs(A, 5, random_state=3)[1] for _ in range(2))
    assert np.array_equal(first, second)
    assert state == global_state_laplacian()
    assert np.abs(first - laplacian_eigenpairs(A, 5, random_state=4)[1]).max() < 1e-6


def test_lobpcg_steps_in_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    A = connected(600)
    expected = laplacian_eigenpairs(A, 4)[0]

    def fail(*_: Any, **__: Any) -> None:
        raise ArpackNoConvergence("no", np.zeros(0), np.zeros((0, 0)))

    monkeypatch.setattr(embedding_module, "eigsh", fail)
    with pytest.warns(ConvergenceWarning, match="LOBPCG is used instead"):
        values, vectors = laplacian_eigenpairs(A, 4)
    assert values == pytest.approx(expected, abs=1e-6)
    L = dense_laplacian(A, 0.25)
    assert np.abs(L @ vectors - vectors * values).max() < 1e-3


@pytest.mark.parametrize(
    ("matrix", "count", "regularize", "message"),
    [
        (np.ones((2, 3)), 1, 0.25, "matrix: expected a square matrix"),
        (np.ones((3, 3)), 4, 0.25, "n_components: expected 1 to 3, the number of nodes, got 4"),
        (np.ones((3, 3)), 0, 0.25, "n_components: expected 1 to 3"),
        (np.zeros((0, 0)), 1, 0.25, "n_components"),
        (np.ones((3, 3)), 1, -1, "regularize: expected a number ≥ 0, got -1"),
        (np.ones((3, 3)), 1, np.nan, "regularize: expected a number ≥ 0, got nan"),
    ],
)
def test_wrong_arguments_are_refused(matrix: Any, count: int, regularize: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        laplacian_eigenpairs(matrix, count, regularize=regularize)


def test_seeds_come_from_any_random_state() -> None:
    assert as_seed(7) == 7
    assert as_seed(np.random.default_rng(0)) == as_seed(np.random.default_rng(0))
    assert as_seed(np.random.RandomState(0)) == as_seed(np.random.RandomState(0))
    assert as_seed(None) != as_seed(None)
