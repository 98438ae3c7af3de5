"""The losses of HoscPool and their slopes, from sums over the nodes: `cut_of` and `orthogonality_of` as loops.

There are a few hundred numbers at most, so that the cost of tensor operations would be that of calling them. All
conditions are written so that NaN goes through, as it does there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def sum_cuts(
    association: Array, volume: Array, total: Array, eps: float, tiny: float, terms: Array, to_association: Array,
    to_volume: Array,
) -> None:  # fmt: skip
    """The mean cut of every matrix into ``terms``, and its derivatives.

    Args:
        association: ``[M, B, K]``.
        volume: ``[M, B, K]``.
        total: Volume of every graph, ``[M, B]``.
        eps: Rounding error of the type.
        tiny: Its smallest normal number.
        terms: ``[M]`` or longer.
        to_association: ``[M, B, K]``.
        to_volume: ``[M, B, K]``.
    """
    matrices, graphs, k = association.shape
    for m in range(matrices):
        kept = 0.0
        for b in range(graphs):
            least = eps * eps * total[m, b] + tiny
            for c in range(k):
                whole = volume[m, b, c]
                if whole <= least:
                    to_association[m, b, c] = to_volume[m, b, c] = 0
                    continue
                part = association[m, b, c] / whole
                kept += part
                slope = 1 / (whole * k * graphs)
                to_association[m, b, c] = -slope
                to_volume[m, b, c] = part * slope
        terms[m] = -kept / max(k * graphs, 1)


@compiled()
def sum_orthogonality(squares: Array, sizes: Array, to_squares: Array) -> float:
    """The mean of Eq. (8), and its derivative.

    Args:
        squares: Σ_i S_ik², ``[B, K]``.
        sizes: Number of nodes of every graph, ``[B]``.
        to_squares: ``[B, K]``.
    """
    graphs, k = squares.shape
    total = 0.0
    for b in range(graphs):
        length, norms = np.float64(math.sqrt(sizes[b])), 0.0
        for c in range(k):
            to_squares[b, c] = 0
            if squares[b, c] <= 0:
                continue
            norm = math.sqrt(squares[b, c])
            norms += norm
            if k > 1:
                to_squares[b, c] = -0.5 / (norm * length * (math.sqrt(k) - 1) * graphs)
        if k == 1:
            total += 0 * norms
        elif sizes[b] > 0:
            total += (math.sqrt(k) - norms / length) / (math.sqrt(k) - 1)
    return total / max(graphs, 1)
