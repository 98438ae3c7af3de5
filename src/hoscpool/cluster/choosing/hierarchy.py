"""Nested coarser clusterings, made from a fitted one, each with its coarsened graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, as_graph

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Coarse:
    """A graph coarsened by cluster labels. Merging needs nothing else.

    Attributes:
        matrices: SᵀA_MS of the edge, of every motif in use, and of the graph of similar features (``"features"``), if
            the fit used one; diagonal included, ``[K, K]``.
        sizes: Nodes of every cluster, ``[K]``.
        features: SᵀX ``[K, F]``, or ``None``.
    """

    matrices: Mapping[str, Array]
    sizes: Array
    features: Array | None = None

    def in_weights_of(self, graph: Graph) -> Coarse:
        """The same with the edge matrix in the weights of a graph. A fit divides them by their mean."""
        if graph.weights is None or not len(graph.weights):
            return self
        return replace(self, matrices={**self.matrices, "edge": self.matrices["edge"] * graph.weights.mean()})

    def merged(self, groups: Array, count: int) -> Coarse:
        """The coarsened graph after cluster k was merged into group ``groups[k]``."""
        onto = np.eye(count)[groups]  # [K, count]
        matrices = {name: onto.T @ matrix @ onto for name, matrix in self.matrices.items()}
        return Coarse(matrices, onto.T @ self.sizes, None if self.features is None else onto.T @ self.features)


@dataclass(frozen=True)
class Level:
    """One level of a hierarchy.

    Attributes:
        n_clusters: Number of clusters.
        labels: Cluster of every node, ``[N]``; every cluster is a union of clusters of the level below.
        assignment: Soft memberships ``[N, n_clusters]``, summed over the merged clusters.
        parents: Cluster at this level of every cluster of the fitted model, ``[K]``; −1 for an empty one.
        graph: The coarsened graph A_pool = SᵀAS without its diagonal, with X_pool = SᵀX.
    """

    n_clusters: int
    labels: npt.NDArray[np.int64]
    assignment: Array
    parents: npt.NDArray[np.int64]
    graph: Graph


def coarsen(labels: Array, n_clusters: int, matrices: Mapping[str, sp.csr_array], features: Any) -> Coarse:
    """Coarsen a graph by cluster labels."""
    s = _one_hot(labels, n_clusters)
    small = {name: (s.T @ sp.csr_array(matrix, dtype=np.float64) @ s).toarray() for name, matrix in matrices.items()}
    return with_features(small, labels, n_clusters, features)


def with_features(small: Mapping[str, Array], labels: Array, n_clusters: int, features: Any) -> Coarse:
    """The coarsened graph of matrices between clusters that are known: sizes and features are added."""
    pooled: Any = None if features is None else _one_hot(labels, n_clusters).T @ features
    sizes = np.bincount(labels, minlength=n_clusters).astype(np.float64)
    return Coarse(small, sizes, pooled.toarray() if sp.issparse(pooled) else pooled)


def _one_hot(labels: Array, n_clusters: int) -> sp.csr_array:
    return sp.csr_array((np.ones(len(labels)), (np.arange(len(labels)), labels)), shape=(len(labels), n_clusters))


def build_hierarchy(
    assignment: Array, coarse: Coarse, weights: Mapping[str, float], n_clusters: Sequence[int]
) -> list[Level]:
    """Merge two clusters at a time: those whose union gives the best objective of the labels; see `Level`.

    Args:
        assignment: S of the fitted clusters, ``[N, K]``.
        coarse: The coarsened graph of the fitted clusters.
        weights: Weight of every cut in the objective of the labels.
        n_clusters: Numbers of clusters wanted.

    Raises:
        ValueError: A number is not between 1 and the number of clusters in use.
    """
    live = np.flatnonzero(coarse.sizes)
    wanted = sorted(set(n_clusters), reverse=True)
    if not wanted or wanted[0] > len(live) or wanted[-1] < 1:
        raise ValueError(f"n_clusters: expected numbers from 1 to {len(live)}, the clusters in use, got {n_clusters}")
    groups = np.arange(len(live))
    levels = []
    for count in range(len(live), wanted[-1] - 1, -1):
        if count < len(live):
            groups = _merge_best(_restrict(coarse, live).merged(groups, count + 1), weights)[groups]
        if count in wanted:
            levels.append(_level(assignment, _restrict(coarse, live).merged(groups, count), live, groups, count))
    return levels


def _restrict(coarse: Coarse, live: Array) -> Coarse:
    matrices = {name: matrix[np.ix_(live, live)] for name, matrix in coarse.matrices.items()}
    return Coarse(matrices, coarse.sizes[live], None if coarse.features is None else coarse.features[live])


def _merge_best(coarse: Coarse, weights: Mapping[str, float]) -> Array:
    """The group of every cluster after the best merge of two."""
    gain = merge_scores(coarse, weights)
    a, b = sorted(int(i) for i in np.unravel_index(gain.argmax(), gain.shape))
    groups = np.arange(len(gain))
    groups[b] = a
    groups[groups > b] -= 1
    return groups


def merge_scores(coarse: Coarse, weights: Mapping[str, float]) -> Array:
    """For every two of K clusters, minus the objective of the labels after their merge, up to a constant.

    This is how each merge changes `Objective.hard`, computed from the matrices of the K clusters alone:
    Σ_j α_j Σ_k assoc_k / vol_k / (K−1) + Σ_k √n_k / √N / (√(K−1) − 1); the diagonal is −∞.
    """
    k = len(coarse.sizes)
    score = np.zeros((k, k))
    for name, weight in weights.items():
        matrix = coarse.matrices[name]
        volume, inside = matrix.sum(axis=1), np.diag(matrix)
        union = inside[:, None] + inside + 2 * matrix
        score += weight / (k - 1) * _change(_ratio(union, volume[:, None] + volume), _ratio(inside, volume))
    if k > 2:
        root = np.sqrt(coarse.sizes)
        score += (
            _change(np.sqrt(coarse.sizes[:, None] + coarse.sizes), root)
            / np.sqrt(coarse.sizes.sum())
            / (np.sqrt(k - 1) - 1)
        )
    np.fill_diagonal(score, -np.inf)
    return score


def _change(of_union: Array, of_each: Array) -> Array:
    return of_union - of_each[:, None] - of_each


def _ratio(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _level(assignment: Array, coarse: Coarse, live: Array, groups: Array, count: int) -> Level:
    parents = np.full(assignment.shape[1], -1)
    parents[live] = groups
    labels = parents[assignment.argmax(axis=1)]
    merged = assignment[:, live] @ np.eye(count, dtype=assignment.dtype)[groups]
    links = coarse.matrices["edge"].copy()
    np.fill_diagonal(links, 0)
    graph = as_graph(sp.csr_array((links + links.T) / 2), directed=False, features=coarse.features)
    return Level(count, labels, merged, parents, graph)
