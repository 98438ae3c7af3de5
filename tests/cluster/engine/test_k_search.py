"""Clusters for every K of a range."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster.engine import Engine, search_range, wide_range
from hoscpool.cluster.engine.k_search import likeness
from hoscpool.datasets import planted_communities


def _cliques(count: int, size: int = 10) -> Engine:
    blocks = sp.block_diag([1 - np.eye(size)] * count).toarray()
    rng = np.random.default_rng(0)
    extra = np.triu(rng.random(blocks.shape) < 0.01, 1)
    return Engine({"edge": sp.csr_array(np.maximum(blocks, extra + extra.T))}, {"edge": 1.0})


def test_likeness_is_the_adjusted_rand_index_of_the_nodes() -> None:
    rng = np.random.default_rng(0)
    one, other = (rng.integers(0, k, 30).astype(np.int32) for k in (4, 3))
    sizes = rng.integers(1, 5, 30)
    expected = adjusted_rand_score(np.repeat(one, sizes), np.repeat(other, sizes))
    assert likeness(one, other, sizes.astype(float)) == pytest.approx(expected)
    assert likeness(one, one, sizes.astype(float)) == 1


def test_every_k_has_its_matrices() -> None:
    engine, told = _cliques(6), list[int]()
    found = search_range(engine, (2, 3, 6, 8), 0.1, 0, told.append)
    assert [len(small["edge"]) for small, _ in found] == [2, 3, 6, 8]
    assert told == [1, 1, 1, 1]
    for small, alike in found:
        assert small["edge"].sum() == pytest.approx(engine.level.degrees.sum())
        np.testing.assert_allclose(small["edge"], small["edge"].T)
        assert -0.5 <= alike <= 1
    six, alike = found[2]
    np.testing.assert_allclose(np.diag(six["edge"]), 90)  # the cliques
    assert alike == 1


def test_the_range_goes_beyond_twelve_where_the_graph_does() -> None:
    assert max(wide_range(_cliques(4), 0)) == 12
    many = wide_range(_cliques(30), 0)
    assert 50 <= max(many) <= 60
    assert sorted(set(many)) == list(many)
    assert wide_range(_cliques(1, 5), 0) == (2, 3, 4, 5)


def test_a_large_graph_is_coarsened_first() -> None:
    graph = planted_communities(5_000, 60_000, 15, random_state=100)
    engine = Engine({"edge": graph.adjacency}, {"edge": 1.0})
    found = search_range(engine, (10, 15), 0.1, 0, lambda _: None)
    assert found[1][1] > 0.95
