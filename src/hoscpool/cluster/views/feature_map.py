"""Prepares features for smoothing: TF-IDF, SVD and centring, fitted on one graph and applied to any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from sklearn.utils.extmath import randomized_svd
from torch import Tensor

from hoscpool.cluster.views.embedding import is_bag_of_words, unit_rows
from hoscpool.objectives import as_adjacency

Array = npt.NDArray[np.float32]
COMPONENTS = 128
"""A wider table is reduced to this many singular directions."""
COUNTS = 0.9
"""Least share of whole numbers in a table of counts. It is below 1: in some rows no word occurs exactly once."""


@dataclass(frozen=True)
class FeatureMap:
    """x ↦ (idf ⊙ x scaled to length 1, or x / scale) · components − mean.

    Attributes:
        idf: For a bag of words the weight of every word, ``[F]``, or 1 if the table is weighted already; else ``None``.
        scale: For other tables the standard deviation of every column, ``[F]``; else ``None``.
        components: Leading right singular vectors ``[F, C]``; ``None`` for a narrow table.
        mean: Mean of the mapped table, ``[C]``.
        hops: Numbers of hops over which `view` smooths, one table for each.
        centers: Means of the smoothed tables, ``[len(hops), C]``.
    """

    idf: Array | None
    scale: Array | None
    components: Array | None
    mean: Array
    hops: tuple[int, ...] = ()
    centers: Array | None = None

    @classmethod
    def fit(cls, x: Any, random_state: int) -> FeatureMap:
        """Fit the map to a table ``[N, F]``, dense or sparse."""
        idf, scale = (_idf(x), None) if is_bag_of_words(x) else (None, _spread(x))
        weighted = _weight(x, idf, scale)
        components = None
        if x.shape[1] > COMPONENTS and x.shape[0] > COMPONENTS:
            _, _, rows = randomized_svd(weighted, COMPONENTS, random_state=random_state)
            components = np.ascontiguousarray(rows.T, dtype=np.float32)
        return cls(idf, scale, components, _project(weighted, components).mean(axis=0))

    def __call__(self, x: Any) -> Array:
        """The mapped table, ``[N, C]``."""
        return _project(_weight(x, self.idf, self.scale), self.components) - self.mean

    def smoothed(self, adjacency: sp.csr_array, table: Array, hops: tuple[int, ...]) -> tuple[FeatureMap, Array]:
        """The fitted table smoothed over these hops, and the map that computes the same view of another graph."""
        averages = smooth(adjacency, table, hops)
        centers = np.stack([average.mean(axis=0) for average in averages])
        return replace(self, hops=hops, centers=centers), _side_by_side(averages, centers)

    def view(self, adjacency: sp.csr_array, x: Any) -> Array:
        """Features of any graph, mapped, smoothed, centred, and each row scaled to length 1; ``[N, C · len(hops)]``."""
        assert self.centers is not None  # set by `smoothed`
        return _side_by_side(smooth(adjacency, self(x), self.hops), self.centers)

    @property
    def arrays(self) -> dict[str, Array]:
        """The arrays to save."""
        return {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}


def smooth(adjacency: sp.csr_array, x: Array, hops: Sequence[int]) -> list[Array]:
    """S²GC for several H: the mean of Â^h x over h = 0 … H, ``[N, C]`` each.

    Â = (D + I)^(−1/2) (A + I) (D + I)^(−1/2).
    """
    scale = torch.from_numpy(1 / np.sqrt(adjacency.sum(axis=1) + 1)).to(torch.float32)[:, None]
    matrix = as_adjacency(adjacency, dtype=torch.float32)
    h: Tensor = torch.from_numpy(x)
    total, means = h.clone(), {0: x}
    for step in range(1, max(hops) + 1):
        scaled = scale * h
        h = scale * (matrix.multiply(scaled) + scaled)
        total += h
        if step in hops:
            means[step] = (total / (step + 1)).numpy()
    return [means[step] for step in hops]


def _side_by_side(averages: Sequence[Array], centers: Array) -> Array:
    """All tables side by side, each centred and with rows of length 1."""
    pairs = zip(averages, centers, strict=True)
    rows = [unit_rows((average - center).astype(np.float64)).astype(np.float32) for average, center in pairs]
    return np.ascontiguousarray(np.hstack(rows))


def is_constant(x: Any) -> bool:
    """Whether all nodes have the same features."""
    if x.shape[0] < 2:
        return True
    if not sp.issparse(x):
        return bool((x == x[:1]).all())
    low, high = x.min(axis=0).toarray(), x.max(axis=0).toarray()
    return bool((low == high).all())


def _idf(x: Any) -> Array:
    if not _are_counts(x):
        return np.ones(x.shape[1], dtype=np.float32)
    found = np.asarray((sp.csr_array(x) != 0).sum(axis=0)).reshape(-1)
    weights: Array = (np.log((1 + x.shape[0]) / (1 + found)) + 1).astype(np.float32)
    return weights


def _are_counts(x: Any) -> bool:
    """Whether every row holds whole numbers times one factor: counts or shares of words, but not TF-IDF."""
    x = sp.csr_array(x, dtype=np.float64, copy=True)  # a change of type alone would share the index arrays
    x.eliminate_zeros()
    length = np.diff(x.indptr)
    starts = x.indptr[:-1][length > 0]
    least = np.minimum.reduceat(x.data, starts) if len(starts) else x.data
    ratio = x.data / np.repeat(least, length[length > 0])
    return bool(np.isclose(ratio, ratio.round(), rtol=0, atol=1e-3).mean() > COUNTS) if len(ratio) else True


def _spread(x: Any) -> Array:
    """Standard deviation of every column, and 1 for a constant one."""
    squares = x.multiply(x) if sp.issparse(x) else x.astype(np.float64) ** 2
    mean, square = (np.asarray(table.mean(axis=0), dtype=np.float64).reshape(-1) for table in (x, squares))
    spread = np.sqrt(np.maximum(square - mean**2, 0))
    scale: Array = np.where(spread > 1e-6 * np.sqrt(square), spread, 1).astype(np.float32)
    scale[scale == 0] = 1
    return scale


def _weight(x: Any, idf: Array | None, scale: Array | None) -> Any:
    if scale is not None:
        return sp.csr_array(x @ sp.diags_array(1 / scale)) if sp.issparse(x) else x / scale
    assert idf is not None
    weighted = sp.csr_array(sp.csr_array(x) @ sp.diags_array(idf))
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).reshape(-1))
    return sp.csr_array(sp.diags_array(1 / np.where(length > 0, length, 1).astype(np.float32)) @ weighted)


def _project(table: Any, components: Array | None) -> Array:
    projected = table if components is None else table @ components
    return np.ascontiguousarray(projected.toarray() if sp.issparse(projected) else projected, dtype=np.float32)
