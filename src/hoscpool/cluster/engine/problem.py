"""The objective for hard labels and K clusters, what it asks of its input, and the state of a partition under it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.cluster.engine.kernels.node_moves import make_scratch
from hoscpool.cluster.engine.kernels.node_ties import tie_nodes
from hoscpool.cluster.engine.kernels.score import add_nodes, fill_scores
from hoscpool.cluster.engine.kernels.tables import Clusters, Level, Rule
from hoscpool.cluster.engine.level import Labels, pieces_of
from hoscpool.objectives import check_weight
from hoscpool.support.threads import RangeWorker, run_ranges

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


def check_weights_of(matrices: Mapping[str, Any], weights: Mapping[str, float]) -> None:
    """Refuse weights that do not fit the matrices.

    Raises:
        ValueError: The names differ, a weight is not valid, or all are zero.
    """
    if not matrices or set(weights) != set(matrices):
        wanted, got = (", ".join(names) or "none" for names in (matrices, weights))
        raise ValueError(f"weights: expected at least one matrix and one weight for each of {wanted}, got {got}")
    if not sum(check_weight(f"weights[{name!r}]", weight) for name, weight in weights.items()):
        raise ValueError("weights: expected a positive one, got none; with zero weights every partition is as good")


def check_matrices(matrices: Mapping[str, sp.csr_array]) -> None:
    """Refuse matrices that no cut is defined for.

    Raises:
        ValueError: A matrix is not a square CSR matrix of the same shape as the first, not symmetric, or has an entry
            that is negative or not finite.
    """
    shape = next(iter(matrices.values())).shape
    for name, matrix in matrices.items():
        if not sp.issparse(matrix) or matrix.format != "csr" or matrix.shape != (shape[0], shape[0]):
            got = f"{type(matrix).__name__} {list(getattr(matrix, 'shape', []))}"
            raise ValueError(f"matrices[{name!r}]: expected a CSR matrix [{shape[0]}, {shape[0]}], got {got}")
        if matrix.nnz and not (matrix.data.min() >= 0 and np.isfinite(matrix.data.max())):
            raise ValueError(f"matrices[{name!r}]: expected entries ≥ 0 and finite, got {matrix.data.min()} or NaN")
        if not np.allclose(matrix.sum(axis=0), matrix.sum(axis=1)):
            raise ValueError(f"matrices[{name!r}]: expected a symmetric matrix; pass A + Aᵀ or use graph.undirected()")


def check_clusters_fit(k: Any, num_nodes: int) -> int:
    """The number of clusters.

    Raises:
        ValueError: It is not a whole number from 1 to the number of nodes.
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= num_nodes:
        raise ValueError(f"k: expected a whole number from 1 to {num_nodes:,}, the number of nodes, got {k!r}")
    return int(k)


def check_count(argument: str, count: Any, least: int) -> int:
    """A whole number.

    Raises:
        ValueError: It is not one, or it is too small.
    """
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < least:
        raise ValueError(f"{argument}: expected a whole number ≥ {least}, got {count!r}")
    return int(count)


AHEAD = 1.001
"""A node's own cluster leads every other one in its memberships by this factor at least."""
ROOM = 1 << 24
"""Numbers in the coarsened matrices of all ranges together, at most."""


def ties(
    level: Level, scale: npt.NDArray[np.float64], labels: Labels, k: int, n_threads: int = 1
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    """The share of every node's weight that goes to each cluster ``[N, K]``, and SᵀAS of every matrix ``[J, K, K]``.

    Weight is that of Σ_j scale_j A^j. Where another cluster has as much of it as the node's own one or more, the own
    one is put just ahead and the row is scaled to 1, so that the label is always the largest entry. A node without
    weight belongs to its own cluster alone.

    Args:
        level: The graph.
        scale: Weight of every matrix, as α_j / vol_j.
        labels: Cluster of every node.
        k: Number of clusters.
        n_threads: Number of threads. The result does not depend on it.
    """
    lanes = len(scale)
    shares, parts, mass = np.zeros((len(labels), k), np.float32), {}, np.zeros(k)

    def worker() -> RangeWorker:
        scratch = make_scratch(lanes, k)

        def rows(start: int, stop: int) -> None:
            parts[start] = np.zeros((lanes, k, k))
            tie_nodes(level, labels, scale, AHEAD, mass, start, stop, parts[start], shares, *scratch)

        return rows

    pieces = min(pieces_of(len(level.indices)), max(1, ROOM // (lanes * k * k)))
    ranges = run_ranges(worker, level.indptr, pieces, n_threads)
    return shares, np.sum([parts[start] for start, _ in ranges], axis=0)
