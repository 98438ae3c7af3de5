"""Prepares features for smoothing: TF-IDF, SVD, centring and a metric, fitted on one graph and applied to any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils.extmath import randomized_svd

from hoscpool.cluster.views.edge_metric import EdgeMetric
from hoscpool.cluster.views.embedding import is_bag_of_words
from hoscpool.cluster.views.smoothing import level_rows, mean_square, smooth

Array = npt.NDArray[np.float32]
COMPONENTS = 128
"""A wider table is reduced to this many singular directions."""
SVD_ITERATIONS = 15
SVD_OVERSAMPLES = 64
"""Both are larger than usual, so that two seeds give nearly the same directions."""
COUNTS = 0.9
"""Least share of whole numbers in a table of counts. It is below 1: in some rows no word occurs exactly once."""


@dataclass(frozen=True)
class FeatureMap:
    """x ↦ (idf ⊙ x scaled to length 1, or x / scale) · components − mean, with levelled rows, then in the metric.

    Attributes:
        idf: For a bag of words the weight of every word, ``[F]``, or 1 if the table is weighted already; else ``None``.
        scale: For other tables the standard deviation of every column, ``[F]``; else ``None``.
        components: Leading right singular vectors ``[F, C]``; ``None`` for a narrow table.
        mean: Mean of the mapped table, ``[C]``.
        floors: What `level_rows` adds to the squared lengths: of the mapped table, then of every smoothed table. It is
            0 for words, whose rows then have length 1, and the mean squared length for other tables, because the
            length of a row of few numbers matters. ``None`` in models of versions that did not level the mapped table.
        metric: The metric that the edges have taught, or ``None``.
        hops: Numbers of hops over which `view` smooths, one table for each.
        centers: Means of the smoothed tables, ``[len(hops), D]``.
    """

    idf: Array | None
    scale: Array | None
    components: Array | None
    mean: Array
    floors: Array | None = None
    metric: EdgeMetric | None = None
    hops: tuple[int, ...] = ()
    centers: Array | None = None

    @classmethod
    def fit(cls, x: Any, random_state: int) -> FeatureMap:
        """Fit the map, still without a metric, to a table ``[N, F]``, dense or sparse."""
        idf, scale = (_idf(x), None) if is_bag_of_words(x) else (None, _spread(x))
        weighted = _weight(x, idf, scale)
        components = None
        if x.shape[1] > COMPONENTS:
            rank = min(COMPONENTS, x.shape[0])
            _, _, rows = randomized_svd(
                weighted, rank, n_iter=SVD_ITERATIONS, n_oversamples=SVD_OVERSAMPLES, random_state=random_state
            )
            components = np.ascontiguousarray(rows.T, dtype=np.float32)
        projected = _project(weighted, components)
        mean = projected.mean(axis=0)
        floor = 0.0 if scale is None else mean_square(projected - mean)
        return cls(idf, scale, components, mean, np.array([floor], dtype=np.float32))

    def __call__(self, x: Any) -> Array:
        """The mapped table, ``[N, D]``."""
        table = _project(_weight(x, self.idf, self.scale), self.components) - self.mean
        if self.floors is not None:
            level_rows(table, self.floors[0])
        return table if self.metric is None else self.metric(table)

    def smoothed(self, adjacency: sp.csr_array, table: Array, hops: tuple[int, ...]) -> tuple[FeatureMap, Array]:
        """The mapped table smoothed over these hops, and the map that computes the same view of another graph."""
        view = smooth(adjacency, table, hops)
        centers, floors, width = [], [], table.shape[1]
        for start in range(0, view.shape[1], width):
            part = view[:, start : start + width]
            centers.append(part.mean(axis=0))
            part -= centers[-1]
            floors.append(mean_square(part) if self.floors is not None and self.floors[0] else 0.0)
            level_rows(part, floors[-1])
        first = [] if self.floors is None else [self.floors[0]]
        levels = np.array([*first, *floors], dtype=np.float32) if first else None
        return replace(self, hops=hops, centers=np.stack(centers), floors=levels), view

    def view(self, adjacency: sp.csr_array, x: Any) -> Array:
        """Features of any graph, mapped, smoothed, centred and levelled; ``[N, D · len(hops)]``."""
        assert self.centers is not None  # set by `smoothed`
        view, width = smooth(adjacency, self(x), self.hops), self.centers.shape[1]
        for number, center in enumerate(self.centers):
            part = view[:, number * width : (number + 1) * width]
            part -= center
            level_rows(part, 0.0 if self.floors is None else self.floors[1 + number])
        return view

    @property
    def arrays(self) -> dict[str, Array]:
        """The arrays to save."""
        own = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        learned = {} if self.metric is None else {"shift": self.metric.mean, "directions": self.metric.directions}
        return own | learned

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array], hops: tuple[int, ...]) -> FeatureMap:
        """The map with these `arrays`."""
        names = ("idf", "scale", "components", "mean", "floors", "centers")
        parts: dict[str, Any] = {name: arrays.get(name) for name in names}
        metric = EdgeMetric(arrays["shift"], arrays["directions"]) if "directions" in arrays else None
        return cls(**parts, metric=metric, hops=hops)


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
