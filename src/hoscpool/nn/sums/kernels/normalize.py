"""Cleaning small dense graphs, and its gradient, as plain loops: `zero_diagonal` and `normalize_symmetric` in one."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any
_LOOSE = {"reassoc", "contract", "nsz"}  # sums in any order, so that they are vectors; NaN and infinity stay


@compiled(fastmath=_LOOSE)
def normalize(
    adjacency: Array, remove_self_loops: bool, eps: float, least: float, degree: Array, scale: Array, out: Array
) -> None:
    """Y = D^(−1/2) A D^(−1/2) with d ≥ ε, of every graph; 0 where d is an underflow.

    Args:
        adjacency: A, ``[B, K, K]``.
        remove_self_loops: Whether its diagonal counts as 0.
        eps: ε.
        least: A degree up to this is an underflow.
        degree: d, ``[B, K]``, filled here.
        scale: Its inverse root, or 0, ``[B, K]``, filled here.
        out: Y, filled here.
    """
    size = adjacency.shape[1]
    for b in range(len(adjacency)):
        for i in range(size):
            total = adjacency.dtype.type(0)
            for j in range(size):
                out[b, i, j] = adjacency[b, i, j]
            if remove_self_loops:
                out[b, i, i] = 0
            for j in range(size):
                total += out[b, i, j]
            degree[b, i] = eps if total < eps else total
            scale[b, i] = 0 if total <= least else 1 / np.sqrt(degree[b, i])
        for i in range(size):
            for j in range(size):
                out[b, i, j] *= scale[b, i] * scale[b, j]


@compiled(fastmath=_LOOSE)
def back_normalize(
    normalized: Array, degree: Array, scale: Array, remove_self_loops: bool, eps: float, gradient: Array, out: Array
) -> None:
    """The gradient of A: A_ij stands in Y_ij and in d_i, and ∂Y/∂d_i is −Y/2d_i in the row and the column i.

    Args:
        normalized: Y, ``[B, K, K]``.
        degree: d, ``[B, K]``; at ε it is constant.
        scale: Its inverse root, or 0, ``[B, K]``.
        remove_self_loops: As in `normalize`.
        eps: ε.
        gradient: That of Y.
        out: That of A, filled here.
    """
    size = normalized.shape[1]
    for b in range(len(normalized)):
        change = np.zeros_like(degree[b])  # of every node, over its row and its column
        for i in range(size):
            row = normalized.dtype.type(0)
            for j in range(size):
                both = gradient[b, i, j] * normalized[b, i, j]
                row += both
                change[j] += both
            change[i] += row
        for i in range(size):
            to_degree = normalized.dtype.type(0)
            if degree[b, i] > eps:
                to_degree = -change[i] / (degree[b, i] + degree[b, i])
            for j in range(size):
                out[b, i, j] = gradient[b, i, j] * (scale[b, i] * scale[b, j]) + to_degree
            if remove_self_loops:
                out[b, i, i] = 0
