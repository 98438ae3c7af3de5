"""The objective for hard labels and K clusters, and the state of a partition under it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hoscpool.cluster.engine.kernels.score import add_nodes, fill_scores
from hoscpool.cluster.engine.kernels.tables import Clusters, Level, Rule
from hoscpool.cluster.engine.level import Labels, pieces_of
from hoscpool.support.threads import run_ranges

Floats = npt.NDArray[np.float64]

NEGLIGIBLE = 1e-11
"""A cluster with a smaller share of the volume of a matrix has none: what is left is rounding."""
CRUMB = 1e-3
"""A cluster with less than this part of the mean volume of a cluster is a crumb."""


@dataclass(frozen=True)
class Problem:
    r"""F of hard labels, what `hoscpool.objectives.hosc_loss` is for a one-hot assignment.

    .. math::
        F = -\frac{1}{K} \sum_j \alpha_j \sum_k \frac{\mathrm{assoc}_k^j}{\mathrm{vol}_k^j}
            + \mu \, \frac{\sqrt{K} - \sum_k \sqrt{n_k / N}}{\sqrt{K} - 1}

    It is a constant minus the sum of one score for each cluster, over K.

    Attributes:
        alphas: Weight of every matrix.
        k: Number of clusters K.
        mu: Weight of the second term.
        totals: Sum of the entries of every matrix.
        num_nodes: N.
        n_threads: Threads to use.
    """

    alphas: Floats
    k: int
    mu: float
    totals: Floats
    num_nodes: float
    n_threads: int = 1

    @classmethod
    def of(cls, level: Level, alphas: Floats, k: int, mu: float, n_threads: int = 1) -> Problem:
        """The problem on a graph."""
        return cls(alphas, k, mu, level.degrees.sum(axis=0), float(level.sizes.sum()), n_threads)

    def at(self, mu: float) -> Problem:
        """The same with another weight of the second term."""
        return replace(self, mu=mu)

    @cached_property
    def rule(self) -> Rule:
        """The problem as kernels see it."""
        root = np.sqrt(self.k)
        balance = self.k * self.mu / (np.sqrt(self.num_nodes) * (root - 1)) if self.k > 1 else 0.0
        return Rule(self.alphas, NEGLIGIBLE * self.totals, float(balance))

    @cached_property
    def scale(self) -> npt.NDArray[np.float32]:
        """α_j / vol_j, over Σ_j α_j of the matrices with an entry: the entries of w = Σ_j scale_j A^j sum to 1."""
        live = self.totals > 0
        share = np.divide(self.alphas, self.totals, out=np.zeros_like(self.totals), where=live)
        return np.asarray(share / max(self.alphas[live].sum(), np.finfo(np.float64).tiny), dtype=np.float32)

    def value(self, clusters: Clusters) -> float:
        """F of a partition."""
        root = np.sqrt(self.k)
        constant = self.mu * root / (root - 1) if self.k > 1 else 0.0
        return float(constant - clusters.scores.sum() / self.k)

    def least_volume(self, clusters: Clusters) -> float:
        """The volume of the smallest cluster as a part of the mean one; volumes of matrices are weighed by α."""
        shares = clusters.volume @ self.scale.astype(np.float64)
        return float(self.k * shares.min() / max(shares.sum(), np.finfo(np.float64).tiny))

    def measure(self, level: Level, labels: Labels) -> Clusters:
        """The state of a partition.

        Sums are taken over ranges of rows that do not depend on the number of threads.
        """
        parts = dict[int, Clusters]()

        def add(start: int, stop: int) -> None:
            parts[start] = self._empty()
            add_nodes(level, labels, start, stop, parts[start])

        ranges = run_ranges(lambda: add, level.indptr, pieces_of(len(level.indices)), self.n_threads)
        state = Clusters(
            *(np.sum(arrays, axis=0) for arrays in zip(*(parts[start] for start, _ in ranges), strict=True))
        )
        fill_scores(self.rule, state)
        return state

    def _empty(self) -> Clusters:
        size = (self.k, len(self.alphas))
        mass, counts, scores = np.zeros(self.k), np.zeros(self.k, np.int64), np.zeros(self.k)
        return Clusters(np.zeros(size), np.zeros(size), mass, counts, scores)
