"""Methods of others that stand beside ours in the tables: k-means on features, Louvain and Leiden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph

STARTS = 10
"""Starts of k-means."""
HOPS = 16
"""As in the paper of S²GC."""
WIDTH = 128
"""Features with more columns are reduced to so many by a singular value decomposition before they are smoothed."""


class ReferenceMethod(Protocol):
    """A method with the parts of an estimator that a record needs.

    Attributes:
        n_clusters: K, or the number that was found by a method that chooses it.
        labels_: The clusters, after `fit`.
    """

    n_clusters: int
    labels_: npt.NDArray[Any]

    def fit(self, graph: Graph) -> ReferenceMethod:
        """Cluster the nodes."""

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that the result depends on, without K and the seed."""


@dataclass
class FeatureKMeans:
    """k-means on the features of a graph: as they are, or smoothed along the edges.

    Smoothed features are S²GC (Zhu & Koniusz 2021): rows of unit length, and the mean of Â^h X over h = 0 … H with
    Â = (D + I)^(−1/2) (A + I) (D + I)^(−1/2).

    Attributes:
        n_clusters: K.
        random_state: Seed.
        hops: H; 0 leaves the features as they are.
    """

    n_clusters: int
    random_state: int
    hops: int = 0

    def fit(self, graph: Graph) -> FeatureKMeans:
        """Cluster the nodes.

        Raises:
            ValueError: The graph has no features.
        """
        from sklearn.cluster import KMeans

        if graph.features is None:
            raise ValueError("graph: expected features, got none; choose a dataset that has features")
        x = smooth_features(graph, self.hops, self.random_state) if self.hops else graph.features
        found = KMeans(self.n_clusters, n_init=STARTS, random_state=self.random_state)
        self.labels_ = found.fit_predict(x)
        return self

    @property
    def settings(self) -> dict[str, Any]:
        """The model with its numbers."""
        smoothing = {"hops": self.hops, "width": WIDTH} if self.hops else {}
        return {"model": "KMeans", "n_init": STARTS, **smoothing}


def smooth_features(graph: Graph, hops: int, seed: int) -> npt.NDArray[Any]:
    """The smoothed features, dense."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize

    x: Any = normalize(graph.features)
    if x.shape[1] > WIDTH:
        x = TruncatedSVD(WIDTH, random_state=seed).fit_transform(x)
    x = np.asarray(x.toarray() if sp.issparse(x) else x)
    closed = sp.csr_array(graph.adjacency + sp.eye_array(graph.num_nodes))
    scale = sp.diags_array(1 / np.sqrt(closed.sum(axis=1)))
    step = scale @ closed @ scale
    total, h = x.copy(), x
    for _ in range(hops):
        h = step @ h
        total += h
    mean: npt.NDArray[Any] = total / (hops + 1)
    return mean


@dataclass
class Communities:
    """Louvain by scikit-network or Leiden by igraph, on modularity. They see the edges alone, and choose K.

    Attributes:
        n_clusters: The number of communities, after `fit`.
        random_state: Seed.
        name: ``"louvain"`` or ``"leiden"``.
    """

    n_clusters: int
    random_state: int
    name: str

    def fit(self, graph: Graph) -> Communities:
        """Find communities.

        Raises:
            MissingDependencyError: The library is not installed.
        """
        from hoscpool.bench import detect_communities

        found = detect_communities(self.name, graph, self.random_state)
        self.labels_ = np.unique(found, return_inverse=True)[1]
        self.n_clusters = int(self.labels_.max(initial=-1)) + 1
        return self

    @property
    def settings(self) -> dict[str, Any]:
        """The model; its parameters are the defaults of its library."""
        return {"model": self.name}


REFERENCES: dict[str, Callable[[int, int], ReferenceMethod]] = {
    "kmeans": lambda k, seed: FeatureKMeans(k, seed),
    "smooth-kmeans": lambda k, seed: FeatureKMeans(k, seed, HOPS),
    "louvain": lambda k, seed: Communities(k, seed, "louvain"),
    "leiden": lambda k, seed: Communities(k, seed, "leiden"),
}
"""Reference methods by name."""
TITLES = {
    "kmeans": "k-means on features",
    "smooth-kmeans": "k-means on smoothed features",
    "louvain": "Louvain, chooses K",
    "leiden": "Leiden, chooses K",
}
