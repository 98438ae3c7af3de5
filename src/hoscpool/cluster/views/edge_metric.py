"""A metric for features that is learned from the edges.

T ``[N, C]`` are the features, d the degrees. C₀ = TᵀDT / Σd is their covariance over nodes, C₁ = TᵀAT / Σd the one
along edges, both around the mean by degree. The directions v with C₁v = λ (C₀ + ridge) v are sorted by λ, the
correlation of a feature across edges: what neighbours share has a large one, what differs between them a small or
negative one. The metric weighs every direction by √λ and drops those below 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp

from hoscpool.support.threads import balanced_ranges

Array = npt.NDArray[np.float32]
Covariance = npt.NDArray[np.float64]
RIDGE = 0.1
"""Share of the mean variance that is added to every direction, so that rare ones are not overrated."""
NEGLIGIBLE = 1e-3
"""Directions with a smaller share of the largest weight are dropped."""
PIECE = 1 << 18
"""Rows or entries that are multiplied at a time."""


@dataclass(frozen=True)
class EdgeMetric:
    """x ↦ (x − mean) · directions.

    Attributes:
        mean: Mean of the features by degree, ``[C]``.
        directions: Directions that neighbours share, each weighted by √λ, ``[C, D]``; strongest first.
    """

    mean: Array
    directions: Array

    @classmethod
    def fit(cls, table: Array, adjacency: sp.csr_array) -> EdgeMetric | None:
        """Learn the metric of a table ``[N, C]``; ``None`` if no direction is shared by neighbours."""
        degree = np.asarray(adjacency.sum(axis=1), dtype=np.float64)
        if not degree.any():
            return None
        mean = ((degree @ table) / degree.sum()).astype(np.float32)
        among, along = _covariances(table - mean, adjacency, degree)
        variance = np.trace(among) / len(among)
        if not variance > 0:
            return None
        values, vectors = scipy.linalg.eigh(along, among + RIDGE * variance * np.eye(len(among)))
        weights = np.sqrt(np.maximum(values[::-1], 0))
        kept = weights > NEGLIGIBLE * max(weights[0], NEGLIGIBLE)
        if not kept.any():
            return None
        return cls(mean, _signed(vectors[:, ::-1][:, kept] * weights[kept]).astype(np.float32))

    def __call__(self, table: Array) -> Array:
        """The table in the metric, ``[N, D]``."""
        return np.asarray((table - self.mean) @ self.directions, dtype=np.float32)


def edge_correlation(table: Array, adjacency: sp.csr_array) -> float:
    """Σ_ij A_ij ⟨t_i, t_j⟩ / Σ_i d_i ‖t_i‖² around the mean by degree; 0 without edges or variance."""
    degree = np.asarray(adjacency.sum(axis=1), dtype=np.float64)
    if not degree.any():
        return 0.0
    centred = table - ((degree @ table) / degree.sum()).astype(np.float32)
    variance = float(degree @ np.einsum("nc,nc->n", centred, centred, dtype=np.float64))
    shared = float(np.einsum("nc,nc->", centred, adjacency @ centred, dtype=np.float64))
    return shared / variance if variance > 0 else 0.0


def _covariances(centred: Array, adjacency: sp.csr_array, degree: Covariance) -> tuple[Covariance, Covariance]:
    """C₀ and C₁ ``[C, C]``, a few rows at a time."""
    width = centred.shape[1]
    among, along = np.zeros((width, width)), np.zeros((width, width))
    pieces = 1 + (len(centred) + adjacency.nnz) // PIECE
    matrix = adjacency.astype(np.float32)
    for start, stop in balanced_ranges(adjacency.indptr, pieces):
        rows = centred[start:stop]
        among += (rows * degree[start:stop, None].astype(np.float32)).T @ rows
        along += rows.T @ (matrix[start:stop] @ centred)
    total = degree.sum()
    return (among + among.T) / (2 * total), (along + along.T) / (2 * total)


def _signed(vectors: Covariance) -> Covariance:
    """The largest entry of every column is positive, because the sign of an eigenvector is arbitrary."""
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return np.asarray(vectors * np.where(largest < 0, -1.0, 1.0))
