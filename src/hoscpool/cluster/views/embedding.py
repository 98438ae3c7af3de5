"""Spectral coordinates of a graph, and k-means on any coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from hoscpool.cluster.views.laplacian import Array, RandomState, as_seed, laplacian_eigenpairs
from hoscpool.support.errors import ignoring

_BAG_OF_WORDS = 0.5  # a bag of words has at most this share of filled cells


def spectral_embedding(
    matrix: Any, n_components: int, *, regularize: float = 0.25, random_state: RandomState = 0
) -> Array:
    r"""Rows of the leading eigenvectors of the normalised Laplacian, each scaled to length 1.

    .. math::
        L_\tau = I - (D + \tau I)^{-1/2} A \, (D + \tau I)^{-1/2}

    Args:
        matrix: Symmetric weights ≥ 0, SciPy sparse or dense ``[N, N]``: an adjacency or a motif adjacency.
        n_components: Number of eigenvectors, 1 to N.
        regularize: τ in units of the mean degree. Without it, the leading eigenvectors may describe only small pieces
            and nodes of low degree. 0 is the textbook Laplacian, 1 what Qin & Rohe (2013) propose. Of six values, a
            quarter has the best objective of the labels on average over 13 graphs
            (``benchmarks/choose_regularization.py``, without class labels).
        random_state: Seed of the starting vector.

    Returns:
        ``[N, n_components]``. Rows are 0 for nodes without weight, and for small separate pieces of the graph that no
        leading eigenvector reaches.

    Raises:
        ValueError: The matrix is not square, ``n_components`` not in 1 … N, or ``regularize`` negative.

    Examples:
        >>> import networkx as nx
        >>> two = nx.to_scipy_sparse_array(nx.barbell_graph(4, 0))
        >>> spectral_embedding(two, 2).shape
        (8, 2)
    """
    _, vectors = laplacian_eigenpairs(matrix, n_components, regularize=regularize, random_state=random_state)
    return unit_rows(vectors)


def is_bag_of_words(x: Any) -> bool:
    """Whether a table of features looks like counts or shares of words: no negative numbers, mostly zeros."""
    values = x.data if sp.issparse(x) else np.asarray(x)
    if not values.size or values.min() < 0:
        return False
    return bool(np.count_nonzero(values) <= _BAG_OF_WORDS * x.shape[0] * x.shape[1])


def kmeans(
    embedding: npt.ArrayLike, n_clusters: int, *, random_state: RandomState = 0, n_init: int = 10
) -> npt.NDArray[np.int64]:
    """Labels of scikit-learn's k-means, the best of ``n_init`` starts.

    If there are fewer different points than ``n_clusters``, each is a cluster; there is no warning.

    Raises:
        ValueError: ``n_clusters`` is not in 1 … N.

    Examples:
        >>> labels = kmeans([[0.0], [0.1], [5.0], [5.1]], 2)
        >>> bool(labels[0] == labels[1] != labels[2] == labels[3])
        True
    """
    points = np.ascontiguousarray(embedding, dtype=np.float64)
    if not 1 <= n_clusters <= len(points):
        raise ValueError(f"n_clusters: expected 1 to {len(points):,}, the number of points, got {n_clusters}")
    estimator = KMeans(n_clusters, n_init=n_init, random_state=as_seed(random_state))
    with ignoring(ConvergenceWarning, message="Number of distinct clusters"):
        return np.asarray(estimator.fit(points).labels_, dtype=np.int64)


def unit_rows(vectors: Array) -> Array:
    """Scale every row to length 1. Rows of zeros stay zero."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0))
