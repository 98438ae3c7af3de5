"""What the features of a node say about its cluster."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

DIRECTIONS = 32
"""Leading directions of the features that are used, at most."""
NODES_EACH = 4
"""So many nodes there must be for every direction of every cluster. With fewer, a normal distribution fits noise."""
RIDGE = 1e-3
"""Part of the mean variance that is added to every variance."""


@dataclass(frozen=True)
class FeatureModel:
    """A normal distribution for each cluster, all with the same covariance.

    Attributes:
        whiten: Maps a row to coordinates in which the covariance is 1, ``[D, D]``.
        centres: Means of the clusters in these coordinates, ``[K, D]``.
    """

    whiten: Floats
    centres: Floats

    @classmethod
    def fit(cls, table: npt.NDArray[np.floating], labels: npt.NDArray[np.int64], k: int) -> FeatureModel:
        """The model of labelled nodes.

        Args:
            table: Features in the order of their directions, ``[N, D]``.
            labels: Cluster of every node.
            k: Number of clusters. An empty one has the mean of all nodes.
        """
        x = table.astype(np.float64)
        sizes = np.bincount(labels, minlength=k)
        means = np.stack([np.bincount(labels, column, k) for column in x.T], axis=1) / np.maximum(sizes, 1)[:, None]
        means[sizes == 0] = x.mean(axis=0)
        rest = x - means[labels]
        covariance = rest.T @ rest / len(x)
        floor = RIDGE * max(np.trace(covariance) / len(covariance), 1e-30)
        values, vectors = np.linalg.eigh(covariance + floor * np.eye(len(covariance)))
        whiten = vectors / np.sqrt(np.maximum(values, floor))
        return cls(whiten, means @ whiten)

    def log_likelihood(self, table: npt.NDArray[np.floating]) -> Floats:
        """Log-likelihood of some rows, were they in each cluster, up to a constant for each row, ``[n, K]``."""
        x = table.astype(np.float64) @ self.whiten
        found: Floats = x @ self.centres.T - np.square(self.centres).sum(axis=1) / 2
        return found


def directions_to_use(num_nodes: int, width: int, k: int) -> int:
    """How many leading columns of a table of that width to use.

    >>> directions_to_use(2708, 128, 7), directions_to_use(300, 128, 5), directions_to_use(10, 3, 4)
    (32, 15, 0)
    """
    return min(DIRECTIONS, width, num_nodes // (NODES_EACH * k))
