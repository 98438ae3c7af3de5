"""How much features and structure know of edges that they have not seen. No class label is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.stats import rankdata

from hoscpool.cluster.views.edge_metric import Array, EdgeMetric, edge_correlation
from hoscpool.cluster.views.embedding import spectral_embedding
from hoscpool.cluster.views.smoothing import level_rows

Pairs = npt.NDArray[np.int32]
"""Both ends of some pairs of nodes, ``[2, E]``."""

EDGES = 400_000
"""Largest number of edges on which features are judged."""
SHUFFLES = 10
"""Number of shuffles of the rows that measure chance."""
DEVIATIONS = 3.0
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
    seen, held, nodes = _halves(adjacency, rng, EDGES)
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
    adjacency: sp.csr_array, rng: np.random.Generator, most: int
) -> tuple[sp.csr_array, sp.csr_array, npt.NDArray[np.int64]]:
    """Two halves of a sample of at most ``most`` edges, and the nodes that the sample touches."""
    upper = sp.coo_array(sp.triu(adjacency, k=1))
    order = rng.permutation(upper.nnz)[: 2 * (min(upper.nnz, most) // 2)]
    rows, cols, weights = upper.row[order], upper.col[order], upper.data[order].astype(np.float32)
    nodes, places = np.unique(np.concatenate([rows, cols]), return_inverse=True)
    rows, cols = places[: len(order)], places[len(order) :]
    middle, shape = len(order) // 2, (len(nodes), len(nodes))
    halves = []
    for part in (slice(middle), slice(middle, None)):
        half = sp.coo_array((weights[part], (rows[part], cols[part])), shape=shape)
        halves.append(sp.csr_array(half + half.T))
    return halves[0], halves[1], nodes.astype(np.int64)


def structure_correlation(adjacency: sp.csr_array, n_components: int, random_state: int) -> float:
    """The same correlation for spectral coordinates: of half of the edges, measured on the other half."""
    seen, held, nodes = _halves(adjacency, np.random.default_rng(random_state), adjacency.nnz)
    count = min(n_components, len(nodes))
    if not count:
        return 0.0
    return edge_correlation(spectral_embedding(seen, count, random_state=random_state).astype(np.float32), held)


def motifs_sharpen(
    table: Array,
    adjacency: sp.csr_array,
    higher_order: Callable[[sp.csr_array], sp.csr_array | None],
    random_state: int,
) -> bool:
    """Whether a metric learned from edges and motifs ranks held-back edges higher than one learned from edges alone.

    Ranks are compared, and not correlations: a metric of few directions has a larger correlation, but tells fewer
    neighbours apart. Both halves of the edges take a turn, and both must say yes. Graphs with more than `EDGES` edges
    are not asked, because a sample of edges has hardly any motifs left.

    Args:
        table: Features ``[N, C]``.
        adjacency: A, symmetric.
        higher_order: The motif matrix of an adjacency, or ``None`` where it has no motif.
        random_state: Seed of the halves.
    """
    if adjacency.nnz > 2 * EDGES:
        return False
    rng = np.random.default_rng(random_state)
    first, second, nodes = _halves(adjacency, rng, EDGES)
    table = table[nodes]
    for seen, held in ((first, second), (second, first)):
        motifs = higher_order(seen)
        if motifs is None:
            return False
        both, alone = (EdgeMetric.fit(table, matrix) for matrix in (edges_and_motifs(seen, motifs), seen))
        pairs = np.stack(sp.triu(held, k=1).nonzero())
        others = np.stack([pairs[0], rng.permutation(pairs[1])])
        if (
            both is None
            or alone is None
            or edge_rank(both(table), pairs, others) <= edge_rank(alone(table), pairs, others)
        ):
            return False
    return True


def edges_and_motifs(edges: sp.csr_array, motifs: sp.csr_array) -> sp.csr_array:
    """The sum of both, each scaled to total 1."""
    return sp.csr_array(edges / edges.sum() + motifs / motifs.sum())


def edge_rank(table: Array, edges: Pairs, others: Pairs) -> float:
    """Probability that the ends of an edge are more alike, by cosine, than those of another pair; ½ by chance."""
    rows = table.copy()
    level_rows(rows, 0.0)
    alike = [np.einsum("ec,ec->e", rows[pairs[0]], rows[pairs[1]]) for pairs in (edges, others)]
    ranks = rankdata(np.concatenate(alike))[: edges.shape[1]]
    count = edges.shape[1]
    return float((ranks.mean() - (count + 1) / 2) / others.shape[1]) if count else 0.5
