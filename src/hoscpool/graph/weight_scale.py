"""Weights in units of their mean, so that their scale does not matter, and checks of their range."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from hoscpool.graph.core import Graph

SPAN = 1e30
"""The largest weight may be this many times the smallest. Then no weight is lost in float32, whose span is 1e76."""


def in_mean_weights(graph: Graph) -> Graph:
    """The graph with its weights divided by their mean, and without weights if all are equal.

    Cuts are ratios, so the scale of the weights does not change them. But networks train on float32, products of small
    weights vanish, and a graph convolution sees the scale.

    Raises:
        ValueError: The weights span more than `SPAN`, or their sum is not a number of 64 bits.

    Examples:
        >>> graph = Graph(np.array([0, 1, 2]), np.array([1, 0], np.int32), weights=np.array([1e-300, 1e-300]))
        >>> in_mean_weights(graph).is_weighted
        False
    """
    if graph.weights is None or not len(graph.weights):
        return graph
    scaled = divide_by_mean(graph.weights, "the edge weights")
    with np.errstate(over="ignore"):
        if not np.isfinite(graph.weights.sum()):
            raise ValueError("weights: their sum is beyond 64-bit numbers; divide all weights by a large number")
    return replace(graph, weights=None if scaled.min() == scaled.max() else scaled)


def divide_by_mean(weights: npt.NDArray[np.float64], what: str) -> npt.NDArray[np.float64]:
    """Positive numbers divided by their mean.

    Args:
        weights: The numbers, at least one.
        what: What they are, for the message.

    Raises:
        ValueError: They span more than `SPAN`.
    """
    low, high = float(weights.min()), float(weights.max())
    if not low > high / SPAN:
        raise ValueError(
            f"weights: expected numbers within a factor of {SPAN:.0e}, but {what} go from {low:.3g} to {high:.3g}, so "
            "the small ones would be lost; leave these edges out, take the logarithm of the weights, or drop them"
        )
    shares = weights / high  # first: the sum of large numbers could be infinite
    mean = float(shares.mean())
    return np.ones_like(shares) if low == high else shares / mean
