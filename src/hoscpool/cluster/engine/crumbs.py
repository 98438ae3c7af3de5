"""A weight of the balance term for which no cluster is a crumb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.cluster.engine.level import Labels
from hoscpool.cluster.engine.multilevel import Partition, minimise_cut
from hoscpool.cluster.engine.problem import CRUMB

RISING = (0.1, 0.3, 1.0)
"""Weights μ in the order in which they are tried."""


def minimise_without_crumbs(
    matrices: Mapping[str, sp.csr_array],
    weights: Mapping[str, float],
    k: int,
    mus: Sequence[float] = RISING,
    **options: Any,
) -> tuple[float, Partition]:
    """`minimise_cut` with the first μ that gives no crumbs, or with the last.

    A small μ finds clusters of different size, as most graphs have them. But where small pieces hang on the rest by a
    few edges, cutting them off is the lowest cut of all. Volumes tell: no label is needed.

    Args:
        matrices: As in `minimise_cut`.
        weights: As in `minimise_cut`.
        k: As in `minimise_cut`.
        mus: The weights to try.
        **options: As in `minimise_cut`.

    Returns:
        The μ and the clusters.
    """
    best: tuple[float, Partition] | None = None
    for mu in mus:
        try:
            best = mu, minimise_cut(matrices, weights, k, mu, **options)
        except KeyboardInterrupt:
            if best is None:
                raise
            return best[0], replace(best[1], is_interrupted=True)
        if best[1].is_interrupted or least_volume(matrices, weights, best[1].labels, k) >= CRUMB:
            break
    assert best is not None, "mus is empty"
    return best


def least_volume(matrices: Mapping[str, sp.csr_array], weights: Mapping[str, float], labels: Labels, k: int) -> float:
    """The volume of the smallest cluster as a part of the mean one; volumes of matrices are weighed by α."""
    shares = np.zeros(k)
    for name, matrix in matrices.items():
        volume = np.bincount(labels, np.asarray(matrix.sum(axis=1), dtype=np.float64), minlength=k)
        shares += weights[name] * volume / max(volume.sum(), np.finfo(np.float64).tiny)
    return float(k * shares.min() / max(shares.sum(), np.finfo(np.float64).tiny))
