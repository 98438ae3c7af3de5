from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.metrics import adjusted_rand_score

from hoscpool.nn import EigenPool, spectral
from nn.cases import as_case, random_case


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
    monkeypatch.setattr(spectral, "_STORE", type(spectral._STORE)())
    monkeypatch.setattr(spectral, "_KEPT", 4)
    pool = EigenPool(6, 3)
    case = random_case()
    pool(case.x, **case.arguments)
    assert len(spectral._STORE) == 3
    pool(case.x, case.edge_index.clone(), batch=case.batch)
    assert len(spectral._STORE) == 3
    other = random_case(seed=8)
    pool(other.x, **other.arguments)
    assert len(spectral._STORE) == 4
