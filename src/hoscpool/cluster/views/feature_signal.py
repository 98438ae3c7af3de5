"""How much features and structure know of edges that they have not seen. No class label is used."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.cluster.views.edge_metric import Array, EdgeMetric, edge_correlation

EDGES = 400_000
"""Largest number of edges on which features are judged."""
SHUFFLES = 10
"""Number of shuffles of the rows that measure chance."""
DEVIATIONS = 4.0
"""Features follow the edges if they are this many standard deviations above chance."""


@dataclass(frozen=True)
class FeatureSignal:
    """How much features know of the edges.

    Attributes:
        correlation: Correlation of the features of two neighbours on edges that the metric has not seen, in [−1, 1].
        chance: Mean of the same for features whose rows were shuffled.
        deviation: Its standard deviation.
    """

    correlation: float
    chance: float
    deviation: float

    @property
    def is_informative(self) -> bool:
        """Whether features follow the edges clearly more than by chance."""
        return self.correlation > self.chance + DEVIATIONS * self.deviation


def feature_signal(table: Array, adjacency: sp.csr_array, random_state: int) -> FeatureSignal:
    """Learn the metric on half of the edges and measure its correlation on the other half; no class label is used.

    Args:
        table: Features ``[N, C]``.
        adjacency: A, symmetric.
        random_state: Seed of the sample of edges, of the halves, and of the shuffles.
    """
    rng = np.random.default_rng(random_state)
    seen, held, nodes = _halves(adjacency, rng)
    table = table[nodes]
    found = [_held_back(table[order], seen, held) for order in _orders(len(table), rng)]
    return FeatureSignal(found[0], float(np.mean(found[1:])), float(np.std(found[1:], ddof=1)))


def _held_back(table: Array, seen: sp.csr_array, held: sp.csr_array) -> float:
    metric = EdgeMetric.fit(table, seen)
    return 0.0 if metric is None else edge_correlation(metric(table), held)


def _orders(count: int, rng: np.random.Generator) -> list[npt.NDArray[np.int64]]:
    """The rows as they are, then shuffled."""
    return [np.arange(count), *(rng.permutation(count) for _ in range(SHUFFLES))]


def _halves(
    adjacency: sp.csr_array, rng: np.random.Generator
) -> tuple[sp.csr_array, sp.csr_array, npt.NDArray[np.int64]]:
    """Two halves of a sample of the edges, and the nodes that the sample touches."""
    upper = sp.coo_array(sp.triu(adjacency, k=1))
    order = rng.permutation(upper.nnz)[: 2 * (min(upper.nnz, EDGES) // 2)]
    rows, cols, weights = upper.row[order], upper.col[order], upper.data[order].astype(np.float32)
    nodes, places = np.unique(np.concatenate([rows, cols]), return_inverse=True)
    rows, cols = places[: len(order)], places[len(order) :]
    middle, shape = len(order) // 2, (len(nodes), len(nodes))
    halves = []
    for part in (slice(middle), slice(middle, None)):
        half = sp.coo_array((weights[part], (rows[part], cols[part])), shape=shape)
        halves.append(sp.csr_array(half + half.T))
    return halves[0], halves[1], nodes.astype(np.int64)
