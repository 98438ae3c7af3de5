"""Memberships and the matrices between clusters, against dense products."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from cluster.engine.engine_cases import cases, sparse
from hoscpool.cluster.engine import Engine
from hoscpool.cluster.engine import level as level_module
from hoscpool.cluster.engine import ties as ties_module
from hoscpool.cluster.engine.ties import AHEAD, ties


def test_memberships_are_shares_of_weight() -> None:
    """A path of five nodes, worked out by hand: node 2 has half of its weight on either side."""
    path = sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(5), dtype=np.float64))
    found, _ = Engine({"edge": path}, {"edge": 0.7}).ties(np.array([0, 0, 1, 1, 1], np.int32), 2)
    ahead = AHEAD / (1 + AHEAD)
    expected = np.array([[1, 0], [ahead, 1 - ahead], [1 - ahead, ahead], [0, 1], [0, 1]])
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("name", cases(np.random.default_rng(0)))
@pytest.mark.parametrize("n_threads", [1, 3])
def test_ties_are_dense_products(name: str, n_threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_module, "SMALL", 0)  # cut into ranges
    rng = np.random.default_rng(1)
    matrices = cases(rng)[name]
    weights = dict(zip(matrices, rng.uniform(0.1, 1.0, len(matrices)), strict=True))
    labels = rng.permutation(np.arange(9) % 4).astype(np.int32)
    onto = np.eye(4)[labels]
    shares, small = Engine(sparse(matrices), weights, n_threads=n_threads).ties(labels, 4)
    expected = np.zeros((9, 4))
    for key, matrix in matrices.items():
        np.testing.assert_allclose(small[key], onto.T @ matrix @ onto, rtol=1e-6)
        expected += weights[key] * (matrix @ onto) / max(matrix.sum(), 1e-300)
    own = np.arange(9), labels
    rest = expected.copy()
    rest[own] = 0
    expected[own] = np.maximum(expected[own], AHEAD * rest.max(axis=1))
    expected[own] += expected.sum(axis=1) == 0
    np.testing.assert_allclose(shares, expected / expected.sum(axis=1, keepdims=True), atol=1e-6)
    np.testing.assert_array_equal(shares.argmax(axis=1), labels)


def test_many_clusters_need_no_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_module, "SMALL", 0)
    engine = Engine({"edge": sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(50), dtype=np.float64))}, {"edge": 1})
    labels = np.arange(50, dtype=np.int32) % 10
    whole = ties(engine.level, np.ones(1), labels, 10)
    monkeypatch.setattr(ties_module, "ROOM", 1)  # one range
    for one, other in zip(whole, ties(engine.level, np.ones(1), labels, 10), strict=True):
        np.testing.assert_array_equal(one, other)
