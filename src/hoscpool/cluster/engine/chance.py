"""Calibrated weights: by how much better the clusters of a matrix are than those of a rewired copy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp

from hoscpool.cluster.engine.multilevel import minimise_cut
from hoscpool.graph import without_diagonal
from hoscpool.support.seeding import draw_seeds


def calibrate_weights(
    matrices: Mapping[str, sp.csr_array],
    weights: Mapping[str, float],
    k: int,
    mu: float = 1.0,
    *,
    random_state: int | np.random.Generator | None = 0,
) -> dict[str, float]:
    """Weights in proportion to α_j times how much better the clusters of matrix j are than those of a rewired copy.

    A search finds clusters in noise too, with a cut that looks good. How good tells `rewired`: a copy that keeps the
    degrees and nothing else. A matrix that is not better than its copy gets no weight. No label is needed.

    Args:
        matrices: As in `minimise_cut`.
        weights: α of every matrix.
        k: Number of clusters.
        mu: Weight of the term for clusters of equal size.
        random_state: Seed.

    Returns:
        Weights with the same sum; the given ones where no matrix is better than its copy.
    """
    seeds = draw_seeds(random_state, len(matrices))
    excess = {
        name: weights[name] * _excess(matrix, k, mu, seed) if weights[name] else 0.0
        for (name, matrix), seed in zip(matrices.items(), seeds, strict=True)
    }
    total = sum(excess.values())
    return {name: sum(weights.values()) * share / total for name, share in excess.items()} if total else dict(weights)


def rewired(matrix: sp.csr_array, rng: np.random.Generator) -> sp.csr_array:
    """A copy in which every edge keeps one end and its weight, and gets the other end of a random edge.

    The number of edges at a node stays the same but for those that fall together or become loops, which are left out.
    """
    upper = sp.coo_array(sp.triu(matrix, 1))
    swap = rng.random(upper.nnz) < 0.5  # either end may be the one that is kept
    kept, other = np.where(swap, upper.col, upper.row), np.where(swap, upper.row, upper.col)
    half = sp.coo_array((upper.data.astype(np.float64), (kept, rng.permutation(other))), shape=matrix.shape)
    return without_diagonal(half + half.T)


def _excess(matrix: sp.csr_array, k: int, mu: float, seed: int) -> float:
    """How much lower F of the clusters of a matrix is than that of its copy; 0 where it is not."""
    copy = rewired(matrix, np.random.default_rng(seed))
    true, chance = (_lowest(one, k, mu, seed) for one in (matrix, copy))
    return max(chance - true, 0.0)


def _lowest(matrix: sp.csr_array, k: int, mu: float, seed: int) -> float:
    return minimise_cut({"": matrix}, {"": 1.0}, k, mu, kicks=4, random_state=seed, validate=False).value
