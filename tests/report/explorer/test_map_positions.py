from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.report.explorer import map_positions as module
from hoscpool.report.explorer.map_positions import _place_discs, map_positions


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> tuple[sp.csr_array, np.ndarray]:
    monkeypatch.setattr(module, "SPRINGS", 100)
    graph = hp.datasets.planted_communities(600, 4_000, 6, mixing=0.1, random_state=0)
    assert graph.labels is not None
    return graph.adjacency, graph.labels


def test_communities_are_discs_that_do_not_overlap(planted: tuple[sp.csr_array, np.ndarray]) -> None:
    adjacency, labels = planted
    p = map_positions(adjacency, labels)
    assert p.shape == (600, 2)
    assert p.dtype == np.float32
    assert np.isfinite(p).all()
    assert np.abs(p).max() == pytest.approx(1, abs=0.01)
    middle = np.array([p[labels == k].mean(axis=0) for k in range(6)])
    nearest = np.linalg.norm(p[:, None] - middle, axis=2).argmin(axis=1)
    assert (nearest == labels).mean() > 0.95
    assert np.array_equal(p, map_positions(adjacency, labels)), "the same picture every time"


def test_a_node_between_two_communities_stands_at_that_side(planted: tuple[sp.csr_array, np.ndarray]) -> None:
    adjacency, labels = planted
    p = map_positions(adjacency, labels)
    middle = np.array([p[labels == k].mean(axis=0) for k in range(6)])
    onto = np.eye(6)[labels]
    ties = adjacency @ onto
    ties[np.arange(600), labels] = -1
    other, closer = ties.argmax(axis=1), []
    for i in np.flatnonzero(ties.max(axis=1) >= 3):
        toward = middle[other[i]] - middle[labels[i]]
        closer.append(float((p[i] - middle[labels[i]]) @ toward) > 0)
    assert np.mean(closer) > 0.7


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_small_and_empty_graphs(n: int) -> None:
    p = map_positions(sp.csr_array((n, n)), np.zeros(n, np.int64))
    assert p.shape == (n, 2)
    assert np.isfinite(p).all()


def test_isolated_nodes_and_single_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SPRINGS", 3)
    p = map_positions(sp.csr_array((6, 6)), np.array([0, 0, 0, 1, 2, 2]))
    assert np.isfinite(p).all()
    assert np.isfinite(map_positions(sp.csr_array((6, 6)), np.zeros(6, np.int64))).all()


def test_many_discs_have_room() -> None:
    rng = np.random.default_rng(0)
    sizes = rng.integers(20, 900, 150)
    links = np.triu(rng.random((150, 150)) < 0.2, 1) * rng.random((150, 150))
    centre, radius = _place_discs(links + links.T + np.diag(10.0 * sizes), sizes, 0)
    distance = np.linalg.norm(centre[:, None] - centre, axis=2) + np.diag(np.full(150, np.inf))
    assert (distance >= 0.999 * np.add.outer(radius, radius)).all()
    assert np.abs(centre).max() < 2.5, "and do not drift away: their area is that of a disc of radius 1"
