"""Smoothing is the formula; rows are levelled."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.cluster.views.smoothing import level_rows, mean_square, smooth


@pytest.mark.parametrize("hops", [(0, 3), (3, 0), (3, 3), (1,)])
def test_smoothing_is_the_average_of_powers(hops: tuple[int, ...]) -> None:
    a = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=float)
    looped = a + np.eye(3)
    scale = 1 / np.sqrt(looped.sum(axis=1))
    step = scale[:, None] * looped * scale
    x = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
    expected = [sum(np.linalg.matrix_power(step, h) @ x for h in range(H + 1)) / (H + 1) for H in hops]
    np.testing.assert_allclose(smooth(sp.csr_array(a), x, hops), np.hstack(expected), atol=1e-6)


def test_rows_have_length_one_or_less_the_shorter_they_were() -> None:
    rows = np.array([[3, 4], [0.3, 0.4], [0, 0]], dtype=np.float32)
    assert mean_square(rows) == pytest.approx((25 + 0.25) / 3)
    unit, soft = rows.copy(), rows.copy()
    level_rows(unit, 0.0)
    level_rows(soft, 25.0)
    np.testing.assert_allclose(unit, np.array([[0.6, 0.8], [0.6, 0.8], [0.0, 0.0]]), atol=1e-6)
    np.testing.assert_allclose(soft, rows / np.sqrt(np.array([[50.0], [25.25], [25.0]])), atol=1e-6)
