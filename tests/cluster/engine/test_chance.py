"""Weights by chance: a matrix of noise gets none."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from cluster.engine.engine_cases import random_matrix
from hoscpool.cluster.engine import calibrate_weights
from hoscpool.cluster.engine.chance import rewired


def _noise(n: int) -> sp.csr_array:
    return sp.csr_array(random_matrix(np.random.default_rng(0), n, 0.03))


def test_rewired_copy_keeps_the_degrees_about_and_nothing_else() -> None:
    cliques = sp.csr_array(sp.block_diag([1 - np.eye(20)] * 10))
    copy = rewired(cliques, np.random.default_rng(0))
    assert abs(copy - copy.T).max() == 0
    assert not copy.diagonal().any()
    assert copy.sum() == pytest.approx(cliques.sum(), rel=0.02)
    assert np.abs(copy.sum(axis=1) - 19).max() <= 6 + 19 * 0.2
    inside = copy.multiply(cliques).sum() / copy.sum()
    assert inside < 0.2


def test_noise_gets_hardly_any_weight() -> None:
    matrices = {"cliques": sp.csr_array(sp.block_diag([1 - np.eye(50)] * 4)), "noise": _noise(200)}
    weights = calibrate_weights(matrices, {"cliques": 0.3, "noise": 0.9}, 4)
    assert sum(weights.values()) == pytest.approx(1.2)
    assert weights["noise"] < 0.15 < weights["cliques"]


def test_weights_stay_where_nothing_is_better_than_chance() -> None:
    assert calibrate_weights({"none": sp.csr_array((30, 30))}, {"none": 0.7}, 3) == {"none": 0.7}


def test_a_weight_of_zero_stays() -> None:
    cliques = sp.csr_array(sp.block_diag([1 - np.eye(10)] * 2))
    assert calibrate_weights({"a": cliques, "b": cliques}, {"a": 1.0, "b": 0.0}, 2) == {"a": 1.0, "b": 0.0}
