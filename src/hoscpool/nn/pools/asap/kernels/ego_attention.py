"""Attention within ego networks and its gradient, in compiled loops.

An ego network is a node i with the nodes that send to it: the entries ``indptr[i]`` to ``indptr[i + 1]`` of
``indices``, with i itself once. No table of edges times channels is made. Arrays for sums are zeros at the start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any
_LOOSE = {"reassoc", "contract", "nsz"}  # sums in any order, so that they are vectors; NaN and infinity stay


@compiled()
def group_edges(source: Array, target: Array, weight: Array, loop: Array, indptr: Array, grouped: Array) -> Array:
    """Edges by target in their order, and one self-loop after those of every node.

    Args:
        source: ``[E]``.
        target: ``[E]``.
        weight: ``[E]``.
        loop: Weight of every self-loop, ``[N]``, ones at the start. A loop among the edges replaces it.
        indptr: Where the entries of every node begin, ``[N + 1]``, zeros at the start.
        grouped: Their weights, ``[E + N]``; those beyond ``indptr[N]`` are not filled.

    Returns:
        The sources of the entries.
    """
    size = len(loop)
    for e in range(len(source)):
        if source[e] == target[e]:
            loop[target[e]] = weight[e]
        else:
            indptr[target[e] + 1] += 1
    for i in range(size):
        indptr[i + 1] += indptr[i] + 1
    place = indptr[:-1].copy()
    indices = np.empty(indptr[size], np.int64)
    for e in range(len(source)):
        if source[e] != target[e]:
            p = place[target[e]]
            indices[p], grouped[p] = source[e], weight[e]
            place[target[e]] += 1
    for i in range(size):
        indices[place[i]], grouped[place[i]] = i, loop[i]
    return indices


@compiled()
def find_max(indptr: Array, indices: Array, x: Array, out: Array) -> None:
    """The largest entry of every column in every ego network, ``[N, C]``."""
    width = x.shape[1]
    row = np.empty(width, x.dtype)  # memory that nothing else can overlap with, so that the loops are vectors
    for i in range(len(out)):
        row[:] = x[i]
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            for k in range(width):
                row[k] = x[j, k] if x[j, k] > row[k] else row[k]
        out[i] = row


@compiled()
def back_max(indptr: Array, indices: Array, x: Array, largest: Array, gradient: Array, to_x: Array) -> None:
    """The gradient of `find_max`: equal shares to all entries that are the largest.

    If the largest entry is 0, one more share is counted and lost. Torch does the same: its ``scatter_reduce`` counts
    its initial zeros.
    """
    width = x.shape[1]
    share, top = np.empty(width, x.dtype), np.empty(width, x.dtype)
    for i in range(len(x)):
        for k in range(width):
            top[k] = largest[i, k]
            share[k] = 1 if top[k] == 0 else 0
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            for k in range(width):
                share[k] += 1 if x[j, k] == top[k] else 0
        for k in range(width):
            share[k] = gradient[i, k] / share[k]
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            for k in range(width):
                to_x[j, k] += share[k] if x[j, k] == top[k] else 0


@compiled(fastmath=_LOOSE)
def attend(
    indptr: Array, indices: Array, x: Array, near: Array, far: Array, slope: float, score: Array, out: Array
) -> None:
    """Σ_j α_ij x_j with α_ij ∝ exp(leaky_relu(near_j + far_i)) over every ego network.

    Args:
        indptr: As above.
        indices: As above.
        x: ``[N, C]``.
        near: ``[N]``.
        far: ``[N]``.
        slope: Of the rectifier, below 0.
        score: α of every entry, filled here.
        out: ``[N, C]``.
    """
    width, tiny = x.shape[1], x.dtype.type(1e-16)  # PyG's softmax adds it
    row = np.empty(width, x.dtype)
    for i in range(len(out)):
        first, last, top = indptr[i], indptr[i + 1], x.dtype.type(-np.inf)
        for p in range(first, last):
            value = near[indices[p]] + far[i]
            score[p] = value if value > 0 else value * slope
            top = max(top, score[p])
        total = x.dtype.type(0)
        for p in range(first, last):
            score[p] = np.exp(score[p] - top)
            total += score[p]
        row[:] = 0
        for p in range(first, last):
            score[p] /= total + tiny
            j, alpha = indices[p], score[p]
            for k in range(width):
                row[k] += alpha * x[j, k]
        out[i] = row


@compiled(fastmath=_LOOSE)
def back_attend(
    indptr: Array, indices: Array, x: Array, near: Array, far: Array, slope: float, score: Array,
    gradient: Array, to_x: Array, to_near: Array, to_far: Array,
) -> None:  # fmt: skip
    """The gradient of `attend` with respect to x, near and far, added to the given arrays."""
    width = x.shape[1]
    change = np.empty(len(score), x.dtype)  # the gradient of every α
    row = np.empty(width, x.dtype)
    for i in range(len(x)):
        first, last, mean = indptr[i], indptr[i + 1], x.dtype.type(0)
        row[:] = gradient[i]
        for p in range(first, last):
            j, alpha, dot = indices[p], score[p], x.dtype.type(0)
            for k in range(width):
                dot += row[k] * x[j, k]
            for k in range(width):
                to_x[j, k] += alpha * row[k]
            change[p] = dot
            mean += alpha * dot
        for p in range(first, last):
            j = indices[p]
            step = score[p] * (change[p] - mean)
            step = step if near[j] + far[i] > 0 else step * slope
            to_near[j] += step
            to_far[i] += step


@compiled(fastmath=_LOOSE)
def sum_differences(indptr: Array, indices: Array, near: Array, far: Array, out: Array) -> None:
    """Σ_j (near_j − far_i) over every ego network, ``[N]``."""
    for i in range(len(out)):
        total = near.dtype.type(0)
        for p in range(indptr[i], indptr[i + 1]):
            total += near[indices[p]] - far[i]
        out[i] = total


@compiled()
def back_differences(indptr: Array, indices: Array, gradient: Array, to_near: Array, to_far: Array) -> None:
    """The gradient of `sum_differences` with respect to near and far, added to the given arrays."""
    for i in range(len(gradient)):
        for p in range(indptr[i], indptr[i + 1]):
            to_near[indices[p]] += gradient[i]
        to_far[i] -= gradient[i] * (indptr[i + 1] - indptr[i])
