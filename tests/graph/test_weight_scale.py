"""Weights in units of their mean, at both ends of 64-bit numbers."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.graph import Graph, as_graph
from hoscpool.graph.weight_scale import divide_by_mean, in_mean_weights


def weighted(scale: float, heavy: float = 3.0) -> Graph:
    """A path of three nodes."""
    return as_graph(np.array([[0, 1, 0], [1, 0, heavy], [0, heavy, 0]]) * scale)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-20, 1.0, 1024, 1e20, 1e300])
def test_the_scale_does_not_matter(scale: float) -> None:
    found = in_mean_weights(weighted(scale))
    assert found.weights is not None
    rounding = 1e-3 if scale < 1e-310 else 1e-15  # numbers near 1e-320 have three digits
    np.testing.assert_allclose(found.weights, [0.5, 0.5, 1.5, 1.5], rtol=rounding)


@pytest.mark.parametrize("scale", [1e-300, 0.1, 7.0, 1e300])
def test_equal_weights_are_none(scale: float) -> None:
    assert in_mean_weights(weighted(scale, heavy=1.0)).weights is None


def test_nothing_changes_without_weights() -> None:
    graph = weighted(1.0, heavy=1.0)
    assert in_mean_weights(graph) is graph
    assert in_mean_weights(as_graph(np.zeros((2, 2)))).num_edges == 0


@pytest.mark.parametrize("heavy", [1e31, 1e300])
def test_weights_that_would_be_lost_are_refused(heavy: float) -> None:
    with pytest.raises(ValueError, match="weights: expected numbers within a factor of 1e"):
        in_mean_weights(weighted(1.0, heavy))
    assert divide_by_mean(np.array([1.0, 9e29]), "these")[0] > 1e-30


def test_sums_beyond_64_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="weights: their sum is beyond 64-bit numbers"):
        in_mean_weights(weighted(5e307))
    with pytest.raises(ValueError, match="weights: the sum of the weights of a repeated edge"):
        as_graph(sp.coo_array((np.full(3, 1e308), ([1, 0, 0], [0, 1, 1])), shape=(2, 2)))
