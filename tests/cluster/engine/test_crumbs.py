"""A larger μ where a small one cuts off crumbs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from cluster.engine.engine_cases import random_matrix
from hoscpool.cluster.engine.crumbs import least_volume, minimise_without_crumbs

ONE = {"edge": 1.0}


def _with_a_piece_apart() -> sp.csr_array:
    """Two blocks with many ties between them, and a pair apart from all."""
    rng = np.random.default_rng(0)
    blocks = random_matrix(rng, 120, 0.5)
    blocks[:60, 60:] *= rng.random((60, 60)) < 0.4
    blocks[60:, :60] = blocks[:60, 60:].T
    return sp.csr_array(sp.block_diag([blocks, np.array([[0.0, 1], [1, 0]])]))


def test_crumbs_raise_the_weight() -> None:
    matrices = {"edge": _with_a_piece_apart()}
    mu, found = minimise_without_crumbs(matrices, ONE, 2, (0.0, 1.0))
    assert mu == 1.0
    assert np.bincount(found.labels).min() > 40


def test_the_first_weight_is_kept_where_there_are_none() -> None:
    cliques = sp.csr_array(sp.block_diag([1 - np.eye(30), 1 - np.eye(10)]))
    mu, found = minimise_without_crumbs({"edge": cliques}, ONE, 2)
    assert mu == 0.1
    assert sorted(np.bincount(found.labels)) == [10, 30]


def test_the_last_weight_is_taken_where_none_helps() -> None:
    mu, _ = minimise_without_crumbs({"edge": sp.csr_array((6, 6))}, ONE, 2, (0.1, 0.5))
    assert mu == 0.5


def test_least_volume_is_a_part_of_the_mean() -> None:
    path = sp.csr_array(np.diag([1.0, 1.0], 1) + np.diag([1.0, 1.0], -1))  # degrees 1, 2, 1
    assert least_volume({"edge": path}, ONE, np.array([0, 1, 1], np.int32), 2) == pytest.approx(2 * 1 / 4)
