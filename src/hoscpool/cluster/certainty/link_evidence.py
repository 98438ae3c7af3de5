"""What the links of a node and its features say about its cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.cluster.engine.level import stack
from hoscpool.graph import Graph

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

KINDS = 5
"""Kinds of links. Without weights a link is in no motif, in few, or in many: fewer or more than half of those that are
in one. With weights all links are cut into five equal parts, by their weight and that of their motifs."""
SAMPLE = 100_000
"""Nodes on which the dispersion is measured, about, on a larger graph."""
BLOCK = 10_000
"""Neighbouring nodes of which the sample is made."""


@dataclass(frozen=True)
class Links:
    """The links of every node, each of one kind, as a compressed sparse matrix.

    Attributes:
        indptr: Row pointers ``[N + 1]``.
        ends: The neighbours.
        kinds: Kind of every link, from 0 to `KINDS` − 1.
    """

    indptr: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, graph: Graph, matrices: Mapping[str, sp.csr_array], motifs: Mapping[str, float]) -> Links:
        """The links of a graph without directions. Motif adjacencies, summed with their weights, tell the kinds.

        Args:
            graph: The graph.
            matrices: A_M of every motif.
            motifs: Weight of every motif.
        """
        higher = [name for name in matrices if name != "edge" and matrices[name].nnz and motifs[name]]
        strength = np.zeros(len(graph.indices), np.float32)
        if graph.weights is not None and len(graph.weights):
            strength += motifs.get("edge", 0.0) * (graph.weights / graph.weights.mean()).astype(np.float32)
        if higher:
            level = stack([graph.adjacency, *(matrices[name] for name in higher)])
            for place, name in enumerate(higher, start=1):
                strength += motifs[name] / matrices[name].data.mean() * level.data[:, place]
        cuts: Any = [0.0, *np.quantile(strength[strength > 0], [0.5])] if higher else []
        if graph.is_weighted and len(strength):
            cuts = np.quantile(strength, np.arange(1, KINDS) / KINDS)
        return cls(graph.indptr, graph.indices, np.searchsorted(cuts, strength).astype(np.uint8))

    def counts(self, start: int, stop: int, labels: Labels, k: int) -> sp.csr_array:
        """How many links the nodes of a range have to each cluster, by kind, ``[stop − start, K · KINDS]``."""
        arcs = slice(int(self.indptr[start]), int(self.indptr[stop]))
        ends = labels[self.ends[arcs]] * KINDS + self.kinds[arcs]
        rows = self.indptr[start : stop + 1] - arcs.start
        found = sp.csr_array((np.ones(len(ends)), ends, rows), shape=(stop - start, k * KINDS))
        found.sum_duplicates()
        return found


@dataclass(frozen=True)
class LinkModel:
    """Where the links of the nodes of each cluster go, by kind.

    A link of a node of cluster k goes to cluster l and is of kind t with probability p_k(l, t) = p_k(l) q(t),
    independently of its other links: a degree-corrected block model with kinds. The share q(t) of a kind differs
    between links that stay inside a cluster and links that leave it. Links that come together, as those of a triangle,
    are fewer independent facts than they seem. So the log-likelihood is divided by the dispersion, as in a
    quasi-likelihood.

    Attributes:
        log_shares: log p_k(l, t), ``[K, K · KINDS]``.
        dispersion: Pearson's statistic over its degrees of freedom, at least 1.
    """

    log_shares: Floats
    dispersion: float

    @classmethod
    def fit(cls, links: Links, labels: Labels, k: int, ranges: list[tuple[int, int]]) -> LinkModel:
        """The model of labelled nodes. Each cluster gets one link more, spread as those of all clusters are; q too."""
        totals = np.zeros((k, k * KINDS))
        for start, stop in ranges:
            totals += _members(labels[start:stop], k) @ links.counts(start, stop, labels, k)
        counts = totals.reshape(k, k, KINDS)
        to = _smooth(counts.sum(axis=2), counts.sum(axis=(0, 2)))  # [K, K]
        inside = np.einsum("kkt->t", counts)
        kinds = _smooth(np.stack([counts.sum(axis=(0, 1)) - inside, inside]), counts.sum(axis=(0, 1)))  # [2, KINDS]
        shares = (to[:, :, None] * kinds[np.eye(k, dtype=np.int64)]).reshape(k, k * KINDS)
        return cls(np.log(shares), _dispersion(links, labels, k, shares, totals))

    def log_likelihood(self, counts: sp.csr_array) -> Floats:
        """Log-likelihood of the links of some nodes, were they in each cluster, ``[n, K]``."""
        found: Floats = counts @ self.log_shares.T / self.dispersion
        return found


def _smooth(counts: Floats, everywhere: Floats) -> Floats:
    """The shares of every row, after one more count that is spread as all counts are."""
    one = (everywhere + 1e-12) / (everywhere + 1e-12).sum()
    smooth: Floats = (counts + one) / (counts.sum(axis=1, keepdims=True) + 1)
    return smooth


def _members(labels: Labels, k: int) -> sp.csr_array:
    """Which nodes are in which cluster, ``[K, n]``."""
    n = len(labels)
    return sp.csr_array((np.ones(n), (labels, np.arange(n))), shape=(k, n))


def _dispersion(links: Links, labels: Labels, k: int, shares: Floats, totals: Floats) -> float:
    """Pearson's statistic of a sample of nodes over its degrees of freedom, at least 1."""
    n, statistic, freedom = len(labels), 0.0, 0
    free = np.maximum((totals > 0).sum(axis=1) - 1, 1)
    for start in range(0, n, max(BLOCK, BLOCK * n // SAMPLE)):
        own = labels[start : start + BLOCK]
        counts = sp.coo_array(links.counts(start, start + len(own), labels, k))
        degree = np.bincount(counts.row, counts.data, len(own))
        expected = degree[counts.row] * shares[own[counts.row], counts.col]
        linked = degree > 0
        statistic += float((np.square(counts.data) / expected).sum() - degree.sum())
        freedom += int(free[own[linked]].sum())
    return max(1.0, statistic / max(freedom, 1))


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
