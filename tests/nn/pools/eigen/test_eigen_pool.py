from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, eigsh
from sklearn.metrics import adjusted_rand_score

from hoscpool.nn import EigenPool
from hoscpool.nn.pools.eigen import fourier as spectral
from hoscpool.support.errors import GraphWarning
from nn.cases import as_case, padded, random_case


def test_cliques_are_found() -> None:
    graph = nx.connected_caveman_graph(4, 6)
    truth = np.repeat(np.arange(4), 6)
    assert adjusted_rand_score(truth, spectral.partition(sp.csr_array(nx.to_scipy_sparse_array(graph)), 4)) == 1


def test_a_large_graph_is_cut_by_the_sparse_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = sp.csr_array(nx.to_scipy_sparse_array(nx.connected_caveman_graph(5, 8), dtype=float))
    dense = spectral.partition(graph, 5)
    monkeypatch.setattr(spectral, "_DENSE", 10)
    assert adjusted_rand_score(dense, spectral.partition(graph, 5)) == 1


def test_features_are_the_modes_of_each_subgraph() -> None:
    A = nx.to_numpy_array(nx.connected_caveman_graph(3, 5))
    X = np.random.default_rng(0).normal(size=(15, 2))
    case = as_case([A], [X], weighted=False)
    out = EigenPool(2, 3, num_modes=2)(case.x, case.edge_index)
    assert out.x.shape == (1, 3, 4)
    for k in range(3):
        nodes = out.members(k).numpy()
        inside = A[np.ix_(nodes, nodes)]
        values, vectors = np.linalg.eigh(np.diag(inside.sum(1)) - inside)
        np.testing.assert_allclose(
            np.abs(out.x[0, k, :2].numpy()), np.abs(np.ones(len(nodes)) @ X[nodes]) / len(nodes) ** 0.5
        )
        if values[2] - values[1] > 1e-6:
            np.testing.assert_allclose(np.abs(out.x[0, k, 2:].numpy()), np.abs(vectors[:, 1] @ X[nodes]))


def test_edges_are_those_between_subgraphs() -> None:
    A = nx.to_numpy_array(nx.connected_caveman_graph(3, 5))
    case = as_case([A], [np.ones((15, 1))], weighted=False)
    out = EigenPool(1, 3, normalize=False)(case.x, case.edge_index)
    np.testing.assert_allclose(out.adjacency[0], np.ones((3, 3)) - np.eye(3))


def test_fewer_nodes_than_clusters() -> None:
    case = random_case(sizes=(3, 8))
    out = EigenPool(6, 5)(case.x, **case.arguments)
    assert out.mask is not None
    assert out.mask[0].tolist() == [True, True, True, False, False]
    torch.testing.assert_close(out.x[0, :3, :6], case.x[:3])  # the only mode of a single node is 1
    assert not bool(out.x[0, :3, 6:].any())


def test_the_basis_is_kept_by_content(monkeypatch: pytest.MonkeyPatch) -> None:
    store = spectral._Store()
    monkeypatch.setattr(spectral, "_STORE", store)
    pool = EigenPool(6, 3)
    case = random_case()
    pool(case.x, **case.arguments)
    first = list(store)
    assert len(first) == 3
    pool(case.x, case.edge_index.clone(), batch=case.batch)
    assert list(store) == first
    monkeypatch.setattr(spectral, "_KEPT", sum(basis.nbytes for basis in store.values()))
    other = random_case(seed=8, sizes=(7,))  # as large as the first of them, which makes room
    pool(other.x, **other.arguments)
    assert list(store)[:2] == first[1:]
    assert len(store) == 3
    assert store.size == spectral._KEPT


def test_a_graph_that_is_learned_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectral, "_STORE", spectral._Store())
    x, adjacency, mask = padded(random_case())
    out = EigenPool(6, 3)(x, adjacency=adjacency.requires_grad_(), mask=mask)
    assert bool(out.x.any())
    assert out.adjacency.requires_grad
    assert not spectral._STORE


def test_what_it_coarsens_is_cut_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectral, "_STORE", spectral._Store())
    partition = Mock(wraps=spectral.partition)
    monkeypatch.setattr(spectral, "partition", partition)
    case = random_case()
    x, first, second = case.x.clone().requires_grad_(), EigenPool(6, 4), EigenPool(18, 2)
    for _ in range(3):
        coarse = first(x, **case.arguments)
        out = second(coarse.x, adjacency=coarse.adjacency, mask=coarse.mask)
    assert partition.call_count == 2 * len(case.sizes)
    assert not coarse.adjacency.requires_grad
    out.x.sum().backward()
    assert x.grad is not None
    assert bool(x.grad.any())


def test_nodes_of_any_degree_join_their_community() -> None:
    community = np.repeat([0, 1], [8, 16])
    degree = np.repeat([10.0, 0.5, 5.0], [4, 4, 16])  # the light nodes of the first are near the centre of the second
    A = np.where(community[:, None] == community, 1.0, 0.05) * np.outer(degree, degree)
    np.fill_diagonal(A, 0)
    assert adjusted_rand_score(community, spectral.partition(sp.csr_array(A), 2)) == 1


@pytest.mark.parametrize("edges", [0, 1])
def test_almost_no_edges(edges: int, monkeypatch: pytest.MonkeyPatch) -> None:
    A = sp.lil_array((30, 30))
    if edges:
        A[3, 4] = A[4, 3] = 1.0
    monkeypatch.setattr(spectral, "_DENSE", 10)
    cluster = spectral.partition(sp.csr_array(A), 4)
    assert cluster.shape == (30,)
    assert set(cluster.tolist()) <= set(range(4))
    if not edges:
        monkeypatch.setattr(spectral, "_DENSE", 1000)
        assert np.array_equal(cluster, spectral.partition(sp.csr_array(A), 4))


def test_eigenvectors_that_do_not_converge_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(matrix: Any, k: int, **_: Any) -> Any:
        found = np.linalg.eigh(matrix.toarray())[1][:, 1 - k :]
        raise ArpackNoConvergence("stopped", np.ones(k - 1), found)

    graph = sp.csr_array(nx.to_scipy_sparse_array(nx.connected_caveman_graph(4, 6), dtype=float))
    monkeypatch.setattr(spectral, "_DENSE", 10)
    monkeypatch.setattr(spectral, "eigsh", stop)
    with pytest.warns(GraphWarning, match="3 of 4 eigenvectors"):
        cluster = spectral.partition(graph, 4)
    assert len(np.unique(cluster)) >= 3


@pytest.mark.parametrize("failures", [1, 2])
def test_a_solver_that_breaks_down_is_helped(failures: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = sp.csr_array(nx.to_scipy_sparse_array(nx.connected_caveman_graph(4, 6), dtype=float))
    expected = spectral.partition(graph, 4)
    solver = Mock(side_effect=[*(ArpackError(3) for _ in range(failures)), eigsh(graph, k=4)])
    monkeypatch.setattr(spectral, "_DENSE", 10)
    monkeypatch.setattr(spectral, "eigsh", solver)
    assert adjusted_rand_score(expected, spectral.partition(graph, 4)) == 1
    assert solver.call_count == 2
