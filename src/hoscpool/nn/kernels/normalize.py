"""Cleaning small dense graphs, and its gradient, as plain loops: `zero_diagonal` and `normalize_symmetric` in one."""

from __future__ import annotations

import math
from typing import Any

import numba

Array = Any


@numba.njit(nogil=True, cache=True)
def normalize(adjacency: Array, remove_self_loops: bool, eps: float, degree: Array, out: Array) -> None:
    """Y = D^(−1/2) A D^(−1/2) with d ≥ ε, of every graph.

    Args:
        adjacency: A, ``[B, K, K]``.
        remove_self_loops: Whether its diagonal counts as 0.
        eps: ε.
        degree: d, ``[B, K]``, filled here.
        out: Y, filled here.
    """
    size = adjacency.shape[1]
    for b in range(len(adjacency)):
        for i in range(size):
            total = adjacency.dtype.type(0)
            for j in range(size):
                out[b, i, j] = 0 if remove_self_loops and i == j else adjacency[b, i, j]
                total += out[b, i, j]
            degree[b, i] = eps if total < eps else total
        for i in range(size):
            for j in range(size):
                out[b, i, j] /= math.sqrt(degree[b, i]) * math.sqrt(degree[b, j])


@numba.njit(nogil=True, cache=True)
def back_normalize(
    normalized: Array, degree: Array, remove_self_loops: bool, eps: float, gradient: Array, out: Array
) -> None:
    """The gradient of A: A_ij stands in Y_ij and in d_i, and ∂Y/∂d_i is −Y/2d_i in the row and the column i.

    Args:
        normalized: Y, ``[B, K, K]``.
        degree: d, ``[B, K]``; at ε it is constant.
        remove_self_loops: As in `normalize`.
        eps: ε.
        gradient: That of Y.
        out: That of A, filled here.
    """
    size = normalized.shape[1]
    for b in range(len(normalized)):
        for i in range(size):
            change = normalized.dtype.type(0)
            for j in range(size):
                change += gradient[b, i, j] * normalized[b, i, j] + gradient[b, j, i] * normalized[b, j, i]
            to_degree = 0.0 if degree[b, i] <= eps else -change / (2 * degree[b, i])
            for j in range(size):
                slope = gradient[b, i, j] / (math.sqrt(degree[b, i]) * math.sqrt(degree[b, j])) + to_degree
                out[b, i, j] = 0 if remove_self_loops and i == j else slope
