"""How large the clusters are, and whether the clustering has collapsed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.metrics.labels import read_labels


@dataclass(frozen=True)
class SizeStatistics:
    """A summary of the cluster sizes.

    Attributes:
        n_clusters: K, empty clusters included.
        live: Number of clusters in use, that is, with at least one node.
        smallest: Size of the smallest cluster in use.
        largest: Size of the largest cluster.
        largest_share: Its share of the nodes, 1/K to 1.
        entropy: −Σ p_k ln p_k over the shares of nodes, 0 to ln K.
        balance: entropy / ln K, 0 (one cluster holds all nodes) to 1 (all sizes equal). 1 for K = 1.
    """

    n_clusters: int
    live: int
    smallest: int
    largest: int
    largest_share: float
    entropy: float
    balance: float


def cluster_sizes(labels: Any, n_clusters: int | None = None) -> npt.NDArray[np.int64]:
    """Number of nodes in every cluster, 0 for an empty one, ``[K]``.

    Args:
        labels: Cluster of every node, whole numbers ≥ 0 or text, ``[N]``.
        n_clusters: K; by default the largest label + 1.

    Raises:
        ValueError: A label is negative, NaN or a fraction, or not below ``n_clusters``.

    Examples:
        >>> cluster_sizes([0, 0, 3])
        array([2, 0, 0, 1])
    """
    values = read_labels(labels)
    if len(values) and values.min() < 0:
        raise ValueError(f"labels: expected numbers ≥ 0, got {values.min()}; leave out nodes that are in no cluster")
    found = int(values.max(initial=-1)) + 1
    if n_clusters is not None and n_clusters < found:
        raise ValueError(f"labels: expected 0 to {n_clusters - 1} for n_clusters={n_clusters}, got {found - 1}")
    return np.bincount(values, minlength=found if n_clusters is None else n_clusters).astype(np.int64)


def size_statistics(labels: Any, n_clusters: int | None = None) -> SizeStatistics:
    """Clusters in use, entropy, balance and the largest share. Arguments and errors as in `cluster_sizes`.

    Examples:
        >>> statistics = size_statistics([0, 0, 1, 1], n_clusters=4)
        >>> statistics.live, statistics.largest_share, statistics.balance
        (2, 0.5, 0.5)
    """
    sizes = cluster_sizes(labels, n_clusters)
    there = sizes[sizes > 0]
    share = there / max(there.sum(), 1)
    entropy = float(-(share * np.log(share)).sum()) + 0.0  # + 0.0: never −0
    return SizeStatistics(
        n_clusters=len(sizes),
        live=len(there),
        smallest=int(there.min(initial=there.max(initial=0))),
        largest=int(there.max(initial=0)),
        largest_share=float(share.max(initial=0)),
        entropy=entropy,
        balance=entropy / float(np.log(len(sizes))) if len(sizes) > 1 else 1.0,
    )
