"""The probability that a node belongs to its cluster, and the cluster that comes second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from hoscpool.cluster.certainty.link_evidence import FeatureModel, LinkModel, Links

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

CLOSE = 1 / 3
"""A node is between two communities if the second one is at least this part as probable as its own."""
ENTRIES = 1 << 22
"""Links and probabilities that are worked on at a time."""
NO_CLUSTER = -1


@dataclass(frozen=True)
class Confidence:
    """How sure the cluster of every node is.

    Attributes:
        own: Probability that the node belongs to its cluster, float32 ``[N]``.
        second: The most probable other cluster, int64 ``[N]``; −1 if there is no other one.
        between: Whether the node lies between these two, ``[N]``.
    """

    own: npt.NDArray[np.float32]
    second: Labels
    between: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _Model:
    """What one restart says about its own clusters.

    Attributes:
        labels: Cluster of every node.
        log_prior: Logarithm of the share of the nodes in every cluster, −∞ for an empty one.
        links: The model of the links, or ``None``.
        features: The model of the features, or ``None``.
        match: Which of these clusters stands for every kept one.
    """

    labels: Labels
    log_prior: Floats
    links: LinkModel | None
    features: FeatureModel | None
    match: Labels


def measure_confidence(
    restarts: Sequence[Labels], k: int, links: Links | None, table: npt.NDArray[np.floating] | None
) -> Confidence:
    """The confidence of the first of several clusterings of the same nodes.

    A restart gives each node the probability of each cluster, from its links, its features and the size of the cluster,
    if all other nodes are where the restart put them. Clusters of different restarts are matched one to one, and the
    probabilities are averaged. So a node is sure if its links say so and all restarts do.

    Args:
        restarts: Labels ``[N]`` from 0 to K − 1; the kept ones first.
        k: Number of clusters.
        links: The links, if they are evidence.
        table: The features, if they are.
    """
    kept, count = restarts[0], len(restarts[0])
    ranges = _ranges(count, k, links)
    models = [_model(labels, kept, k, links, table, ranges) for labels in restarts]
    own, second = np.empty(count, np.float32), np.full(count, NO_CLUSTER, np.int64)
    between = np.zeros(count, np.bool_)
    is_used = np.bincount(kept, minlength=k) > 0
    for start, stop in ranges:
        rows = np.arange(stop - start)
        mean = np.zeros((stop - start, k))
        for model in models:
            mean += _probabilities(model, k, links, table, start, stop)[:, model.match] / len(models)
        labels = kept[start:stop]
        own[start:stop] = mean[rows, labels]
        mean[rows, labels] = -1.0
        mean[:, ~is_used] = -1.0
        best = mean.argmax(axis=1)
        exists = mean[rows, best] >= 0
        second[start:stop] = np.where(exists, best, NO_CLUSTER)
        between[start:stop] = exists & (mean[rows, best] >= CLOSE * own[start:stop])
    if table is None:  # of a node without links nothing is known
        between &= False if links is None else np.diff(links.indptr) > 0
    return Confidence(own, second, between)


def _model(
    labels: Labels, kept: Labels, k: int, links: Links | None, table: object, ranges: list[tuple[int, int]]
) -> _Model:
    sizes = np.bincount(labels, minlength=k)
    with np.errstate(divide="ignore"):
        log_prior = np.log(sizes / len(labels))
    return _Model(
        labels,
        log_prior,
        None if links is None else LinkModel.fit(links, labels, k, ranges),
        FeatureModel.fit(table, labels, k) if isinstance(table, np.ndarray) else None,
        match_clusters(kept, labels, k),
    )


def _probabilities(
    model: _Model, k: int, links: Links | None, table: npt.NDArray[np.floating] | None, start: int, stop: int
) -> Floats:
    """The probability of every cluster for the nodes of a range, ``[stop − start, K]``."""
    score: Floats = np.tile(model.log_prior, (stop - start, 1))
    if links is not None and model.links is not None:
        score += model.links.log_likelihood(links.counts(start, stop, model.labels, k))
    if table is not None and model.features is not None:
        score += model.features.log_likelihood(table[start:stop])
    score -= score.max(axis=1, keepdims=True)
    np.exp(score, out=score)
    score /= score.sum(axis=1, keepdims=True)
    return score


def match_clusters(kept: Labels, labels: Labels, k: int) -> Labels:
    """For every cluster of some labels the cluster of others that stands for it: one to one, with most nodes in common.

    >>> match_clusters(np.array([0, 0, 1, 1, 2]), np.array([2, 2, 0, 0, 1]), 3)
    array([2, 0, 1])
    """
    common = np.bincount(kept * k + labels, minlength=k * k).reshape(k, k)
    _, match = linear_sum_assignment(common, maximize=True)
    return np.asarray(match, dtype=np.int64)


def _ranges(count: int, k: int, links: Links | None) -> list[tuple[int, int]]:
    """Ranges of nodes with so many links and probabilities that both fit in memory."""
    work = np.arange(count + 1) * k + (0 if links is None else links.indptr)
    cuts = np.searchsorted(work, np.arange(ENTRIES, int(work[-1]), ENTRIES))
    bounds = np.unique(np.concatenate([[0], cuts, [count]]))
    return list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
