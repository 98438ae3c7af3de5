"""The metric against its definition, written with loops over nodes and edges."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp

from hoscpool.cluster.views import edge_metric
from hoscpool.cluster.views.edge_metric import NEGLIGIBLE, RIDGE, EdgeMetric, edge_correlation

Matrix = npt.NDArray[np.float64]
TABLE = np.random.default_rng(0).normal(size=(40, 5)).astype(np.float32)


def graph(seed: int = 0, weights: bool = True) -> sp.csr_array:
    found = nx.gnm_random_graph(40, 90, seed=seed)
    rng = np.random.default_rng(seed)
    for u, v in found.edges:
        found.edges[u, v]["weight"] = float(rng.uniform(0.5, 3)) if weights else 1.0
    return sp.csr_array(nx.to_scipy_sparse_array(found))


def definition(table: npt.NDArray[Any], a: sp.csr_array) -> tuple[Matrix, Matrix, Matrix]:
    """Mean by degree, covariance over nodes, covariance along edges."""
    entries, degree = a.toarray(), a.toarray().sum(axis=1)
    mean = sum(d * row for d, row in zip(degree, table.astype(float), strict=True)) / degree.sum()
    rows = table - mean
    among = sum(degree[i] * np.outer(rows[i], rows[i]) for i in range(len(rows))) / degree.sum()
    pairs = [(i, j) for i in range(len(rows)) for j in range(len(rows)) if entries[i, j]]
    along = sum(entries[i, j] * np.outer(rows[i], rows[j]) for i, j in pairs) / degree.sum()
    return np.asarray(mean), np.asarray(among), np.asarray(along)


@pytest.mark.parametrize("piece", [1 << 18, 20])
@pytest.mark.parametrize("seed", range(3))
def test_the_metric_is_the_eigenproblem(seed: int, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_metric, "PIECE", piece)
    a = graph(seed)
    mean, among, along = definition(TABLE, a)
    regular = among + RIDGE * np.trace(among) / 5 * np.eye(5)
    values, vectors = np.linalg.eig(np.linalg.inv(regular) @ along)
    values, vectors = values.real, vectors.real
    expected = np.zeros((5, 5))
    for value, vector in zip(values, vectors.T, strict=True):
        if value > (NEGLIGIBLE**2) * values.max():
            vector = vector / np.sqrt(vector @ regular @ vector)
            expected += value * np.outer(vector, vector)
    metric = EdgeMetric.fit(TABLE, a)
    assert metric is not None
    np.testing.assert_allclose(metric.mean, mean, atol=1e-6)
    np.testing.assert_allclose(metric.directions @ metric.directions.T, expected, atol=1e-4 * expected.max())
    np.testing.assert_allclose(metric(TABLE), (TABLE - mean) @ metric.directions, atol=1e-5)
    strength = np.einsum("cd,ce,ed->d", metric.directions, regular, metric.directions)
    assert (np.diff(strength) <= 1e-6).all()


def test_the_metric_listens_to_what_neighbours_share() -> None:
    """Two columns of equal variance: one is the clique, the other noise."""
    a = sp.csr_array(nx.to_scipy_sparse_array(nx.caveman_graph(6, 6)))
    noise = np.random.default_rng(1).normal(size=36)
    table = np.stack([np.arange(36) // 6 % 2 - 0.5, (noise - noise.mean()) / noise.std() / 2], axis=1)
    metric = EdgeMetric.fit(table.astype(np.float32), a)
    assert metric is not None
    weight = np.linalg.norm(metric.directions, axis=1)
    assert weight[0] > 4 * weight[1]


@pytest.mark.parametrize("seed", range(3))
def test_correlation_across_edges(seed: int) -> None:
    a = graph(seed)
    _, among, along = definition(TABLE, a)
    assert edge_correlation(TABLE, a) == pytest.approx(np.trace(along) / np.trace(among), abs=1e-5)


def test_where_nothing_is_shared_there_is_no_metric() -> None:
    a = graph()
    assert EdgeMetric.fit(np.ones((40, 3), dtype=np.float32), a) is None
    assert EdgeMetric.fit(TABLE, sp.csr_array((40, 40))) is None
    opposite = nx.complete_bipartite_graph(20, 20)
    sides = np.repeat([1.0, -1.0], 20)[:, None].astype(np.float32)
    assert EdgeMetric.fit(sides, sp.csr_array(nx.to_scipy_sparse_array(opposite))) is None
    assert edge_correlation(np.ones((40, 3), dtype=np.float32), a) == 0
    assert edge_correlation(TABLE, sp.csr_array((40, 40))) == 0
