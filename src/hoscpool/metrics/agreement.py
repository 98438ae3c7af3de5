"""Agreement of a clustering with known classes; most functions call scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from sklearn.metrics.cluster import contingency_matrix

from hoscpool.metrics.labels import read_pair


def nmi(y: Any, labels: Any) -> float:
    r"""Normalised mutual information, in [0, 1], with the geometric mean of the two entropies.

    .. math::
        \mathrm{NMI} = \frac{H(\tilde y) - H(\tilde y \mid y)}{\sqrt{H(\tilde y) \, H(y)}}

    The paper prints a minus sign under the root, which would not normalise. The value is 1 if both have only one
    cluster, and 0 if exactly one of them does.

    Args:
        y: Class of every node, whole numbers or text, ``[N]``.
        labels: Cluster of every node, ``[N]``. The names of clusters do not matter.

    Raises:
        ValueError: The lengths differ, or a value is NaN or a fraction.

    Examples:
        >>> nmi([0, 0, 1, 1], [1, 1, 0, 0])
        1.0
    """
    return float(metrics.normalized_mutual_info_score(*read_pair(y, labels), average_method="geometric"))


def ari(y: Any, labels: Any) -> float:
    """Adjusted Rand index, in [−0.5, 1]. Random labels give 0 on average. Arguments as in `nmi`.

    Examples:
        >>> ari([0, 0, 1, 1], [0, 0, 1, 2])
        0.57...
    """
    return float(metrics.adjusted_rand_score(*read_pair(y, labels)))


def homogeneity(y: Any, labels: Any) -> float:
    """1 − H(y | labels) / H(y), in [0, 1]: 1 if every cluster holds only one class. Arguments as in `nmi`.

    Examples:
        >>> round(homogeneity([0, 0, 1, 1], [0, 1, 2, 3]), 6)
        1.0
    """
    return float(metrics.homogeneity_score(*read_pair(y, labels)))


def completeness(y: Any, labels: Any) -> float:
    """1 − H(labels | y) / H(labels), in [0, 1]: 1 if every class lies in one cluster. Arguments as in `nmi`.

    Examples:
        >>> completeness([0, 0, 1, 1], [0, 0, 0, 0])
        1.0
    """
    return float(metrics.completeness_score(*read_pair(y, labels)))


def accuracy(y: Any, labels: Any) -> float:
    """Share of nodes in the right class, with the best one-to-one match of clusters and classes (Hungarian).

    If there are more clusters than classes, the unmatched clusters count as wrong. Without nodes the value is 1.
    Arguments as in `nmi`.

    Examples:
        >>> accuracy(["a", "a", "b", "b"], [1, 1, 0, 1])
        0.75
    """
    classes, clusters = read_pair(y, labels)
    if not len(classes):
        return 1.0
    table = contingency_matrix(classes, clusters)  # [classes, clusters]
    return float(table[linear_sum_assignment(table, maximize=True)].sum() / np.sum(table))
