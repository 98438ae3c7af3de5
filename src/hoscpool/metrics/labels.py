"""What every metric does first: read the labels, drop the directions of the graph, and sum over the clusters."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, as_graph, check_labels, in_mean_weights
from hoscpool.support.errors import GraphWarning

Labels = npt.NDArray[np.int64]


def read_labels(labels: Any, what: str = "labels") -> Labels:
    """Labels as int64 ``[N]``: whole numbers (−1 is a cluster like any other) or text.

    Raises:
        ValueError: There is not one whole number or text for every node. The message names the argument.
    """
    values = labels if hasattr(labels, "shape") else np.asarray(labels)
    if len(values.shape) == 2 and values.shape[1] > 1:
        raise ValueError(f"{what}: expected one label for every node, got shape {tuple(values.shape)}; take the argmax")
    if not values.shape:
        raise ValueError(f"{what}: expected one label for every node, got a single value")
    try:
        return np.asarray(check_labels(values, values.shape[0]))
    except ValueError as error:
        raise ValueError(str(error).replace("labels:", f"{what}:", 1)) from None


def read_pair(y: Any, labels: Any) -> tuple[Labels, Labels]:
    """Classes and labels of the same nodes.

    Raises:
        ValueError: One of them cannot be read, or the lengths differ.
    """
    first, second = read_labels(y, "y"), read_labels(labels)
    if len(first) != len(second):
        raise ValueError(f"labels: expected {len(first):,} labels, as many as in y, got {len(second):,}")
    return first, second


def number_clusters(labels: Any, num_nodes: int) -> tuple[npt.NDArray[np.int32], int]:
    """Every node's cluster renumbered 0 … K−1 without gaps, and K.

    Raises:
        ValueError: There is not one readable label for every node.
    """
    values = read_labels(labels)
    if len(values) != num_nodes:
        raise ValueError(f"labels: expected {num_nodes:,} labels, one for every node, got {len(values):,}")
    used, codes = np.unique(values, return_inverse=True)
    return codes.astype(np.int32), len(used)


def read_undirected(graph: Any, what: str) -> Graph:
    """The graph without directions, with weights in units of their mean. A warning says when directions are dropped."""
    seen = as_graph(graph)
    if seen.is_directed:
        message = f"{what} ignores edge directions, and this graph is directed"
        warnings.warn(message, GraphWarning, stacklevel=3)
    return in_mean_weights(seen.undirected())


Array = npt.NDArray[np.float64]


def association(matrix: sp.csr_array, cluster: npt.NDArray[np.int32], count: int) -> Array:
    """Σ of A_ij over i and j in cluster k, ``[K]``.

    Args:
        matrix: Symmetric weights A.
        cluster: Cluster of every node, 0 … K−1.
        count: K.
    """
    of_row = np.repeat(cluster, np.diff(matrix.indptr))
    inside = of_row == cluster[matrix.indices]
    return np.asarray(np.bincount(of_row[inside], matrix.data[inside], count), dtype=np.float64)


def volume(matrix: sp.csr_array, cluster: npt.NDArray[np.int32], count: int) -> Array:
    """Σ of A_ij over i in cluster k and any j, ``[K]``; arguments as in `association`."""
    return np.asarray(np.bincount(cluster, matrix.sum(axis=1), count), dtype=np.float64)
