"""What the links of a node say about its cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.cluster.engine.level import stack
from hoscpool.graph import Graph

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

KINDS = 3
"""A link is in no motif, in few, or in many: fewer or more than half of the links that are in one."""
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
        weights: Weight of every link in units in which a typical link counts once.
    """

    indptr: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.float32] | None

    @classmethod
    def of(cls, graph: Graph, matrices: Mapping[str, sp.csr_array], motifs: Mapping[str, float]) -> Links:
        """The links of a graph without directions. Motif adjacencies, summed with their weights, tell the kinds.

        Args:
            graph: The graph.
            matrices: A_M of every motif.
            motifs: Weight of every motif.
        """
        kinds = np.zeros(len(graph.indices), np.uint8)
        higher = [name for name in matrices if name != "edge" and matrices[name].nnz and motifs[name]]
        if higher:
            level = stack([graph.adjacency, *(matrices[name] for name in higher)])
            strength = sum(
                motifs[name] / matrices[name].data.mean() * level.data[:, place + 1]
                for place, name in enumerate(higher)
            )
            inside = np.asarray(strength) > 0
            kinds[inside] = 1
            kinds[np.asarray(strength) > np.median(np.asarray(strength)[inside])] = 2
        weights = None
        if graph.weights is not None and len(graph.weights):
            weights = (graph.weights * graph.weights.mean() / np.square(graph.weights).mean()).astype(np.float32)
        return cls(graph.indptr, graph.indices, kinds, weights)

    def counts(self, start: int, stop: int, labels: Labels, k: int) -> sp.csr_array:
        """How many links the nodes of a range have to each cluster, by kind, ``[stop − start, K · KINDS]``."""
        arcs = slice(int(self.indptr[start]), int(self.indptr[stop]))
        ends = labels[self.ends[arcs]] * KINDS + self.kinds[arcs]
        weights = np.ones(len(ends)) if self.weights is None else self.weights[arcs].astype(np.float64)
        rows = self.indptr[start : stop + 1] - arcs.start
        found = sp.csr_array((weights, ends, rows), shape=(stop - start, k * KINDS))
        found.sum_duplicates()
        return found


@dataclass(frozen=True)
class LinkModel:
    """Where the links of the nodes of each cluster go, by kind.

    A link of a node of cluster k goes to cluster l and is of kind t with probability p_k(l, t), independently of its
    other links: a degree-corrected block model with kinds. Links that come together, as those of a triangle, are fewer
    independent facts than they seem. So the log-likelihood is divided by the dispersion, as in a quasi-likelihood.

    Attributes:
        log_shares: log p_k(l, t), ``[K, K · KINDS]``.
        dispersion: Pearson's statistic over its degrees of freedom, at least 1.
    """

    log_shares: Floats
    dispersion: float

    @classmethod
    def fit(cls, links: Links, labels: Labels, k: int, ranges: list[tuple[int, int]]) -> LinkModel:
        """The model of labelled nodes. Every cluster gets one link more, spread as those of all clusters are."""
        totals = np.zeros((k, k * KINDS))
        for start, stop in ranges:
            totals += _members(labels[start:stop], k) @ links.counts(start, stop, labels, k)
        everywhere = totals.sum(axis=0) / max(totals.sum(), 1e-300)
        smooth = (totals + everywhere + 1e-12) / (totals.sum(axis=1, keepdims=True) + 1)
        shares = smooth / smooth.sum(axis=1, keepdims=True)
        return cls(np.log(shares), _dispersion(links, labels, k, shares, totals))

    def log_likelihood(self, counts: sp.csr_array) -> Floats:
        """Log-likelihood of the links of some nodes, were they in each cluster, ``[n, K]``."""
        found: Floats = counts @ self.log_shares.T / self.dispersion
        return found


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
