"""Agreement of a clustering with given classes: thin faces over scikit-learn."""

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

    (The paper prints a minus sign under the root, which would not be a normalisation.) 1 when both have one cluster
    only, 0 when just one of them has.

    Args:
        y: Class of every node, whole numbers or text, ``[N]``.
        labels: Cluster of every node, ``[N]``; the names of clusters do not matter.

    Raises:
        ValueError: The two differ in length, or hold NaN or fractions.

    Examples:
        >>> nmi([0, 0, 1, 1], [1, 1, 0, 0])
        1.0
    """
    return float(metrics.normalized_mutual_info_score(*read_pair(y, labels), average_method="geometric"))


def ari(y: Any, labels: Any) -> float:
    """Rand index adjusted for chance, in [−0.5, 1], 0 on average for random labels; arguments as in `nmi`.

    Examples:
        >>> ari([0, 0, 1, 1], [0, 0, 1, 2])
        0.57...
    """
    return float(metrics.adjusted_rand_score(*read_pair(y, labels)))


def homogeneity(y: Any, labels: Any) -> float:
    """1 − H(y | labels) / H(y), in [0, 1]: 1 when every cluster holds one class only; arguments as in `nmi`.

    Examples:
        >>> round(homogeneity([0, 0, 1, 1], [0, 1, 2, 3]), 6)
        1.0
    """
    return float(metrics.homogeneity_score(*read_pair(y, labels)))


def completeness(y: Any, labels: Any) -> float:
    """1 − H(labels | y) / H(labels), in [0, 1]: 1 when every class lies in one cluster; arguments as in `nmi`.

    Examples:
        >>> completeness([0, 0, 1, 1], [0, 0, 0, 0])
        1.0
    """
    return float(metrics.completeness_score(*read_pair(y, labels)))


def accuracy(y: Any, labels: Any) -> float:
    """Share of nodes in the right class when clusters are matched to classes one to one in the best way (Hungarian).

    With more clusters than classes the clusters left over count as wrong. Arguments as in `nmi`. No nodes: 1.

    Examples:
        >>> accuracy(["a", "a", "b", "b"], [1, 1, 0, 1])
        0.75
    """
    classes, clusters = read_pair(y, labels)
    if not len(classes):
        return 1.0
    table = contingency_matrix(classes, clusters)  # [classes, clusters]
    return float(table[linear_sum_assignment(table, maximize=True)].sum() / np.sum(table))
