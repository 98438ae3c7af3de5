"""Cheap views of a graph that need no labels: spectral coordinates, smoothed features, and k-means on either."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer

from hoscpool.cluster.laplacian import Array, RandomState, as_seed, laplacian_eigenpairs

_BAG_OF_WORDS = 0.5  # largest share of filled cells in a table that is read as a bag of words


def spectral_embedding(
    matrix: Any, n_components: int, *, regularize: float = 0.25, random_state: RandomState = 0
) -> Array:
    r"""Rows of the leading eigenvectors of the normalised Laplacian, each scaled to length 1.

    .. math::
        L_\tau = I - (D + \tau I)^{-1/2} A \, (D + \tau I)^{-1/2}

    Args:
        matrix: Symmetric weights ≥ 0, SciPy sparse or dense ``[N, N]``: an adjacency or a motif adjacency.
        n_components: Number of eigenvectors, 1 to N.
        regularize: τ in units of the mean degree. It keeps small pieces and nodes of low degree from taking the leading
            eigenvectors. 1 is what Qin & Rohe (2013) propose, 0 the textbook Laplacian; a quarter does better on
            most graphs, above all on motif adjacencies, whose mean is far above the typical degree.
        random_state: Seed of the iteration's start.

    Returns:
        ``[N, n_components]``. Rows are 0 where no leading eigenvector reaches: nodes without weight, and small pieces
        of a graph that is not connected.

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


def smoothed_features(
    adjacency: Any,
    x: Any,
    hops: int = 8,
    *,
    tfidf: bool | None = None,
    n_components: int = 128,
    random_state: RandomState = 0,
) -> Array:
    r"""Node features averaged over neighbourhoods of growing size, in the manner of S²GC (Zhu & Koniusz 2021).

    .. math::
        \frac{1}{H + 1} \sum_{h=0}^{H} \hat{A}^h X, \quad \hat{A} = (D + I)^{-1/2} (A + I) (D + I)^{-1/2}

    X is first weighted by TF-IDF if it is a bag of words, cut to its leading singular directions and centred. A
    sparse table stays sparse up to the singular vectors.

    Args:
        adjacency: Symmetric weights ≥ 0, SciPy sparse or dense ``[N, N]``.
        x: Features, SciPy sparse or dense ``[N, F]``.
        hops: H ≥ 0; 0 leaves the neighbours out.
        tfidf: Whether to weight by TF-IDF; ``None``: when no value is negative and at most half of them are not 0.
        n_components: Number of singular directions kept when F is larger.
        random_state: Seed of the singular value decomposition.

    Returns:
        ``[N, min(F, n_components)]``, or ``[N, N]`` when there are fewer nodes than that and more features.

    Raises:
        ValueError: The shapes do not fit, or ``tfidf`` is asked for and a value is negative.

    Examples:
        >>> smoothed_features(np.array([[0, 1], [1, 0]]), np.array([[1.0], [-1.0]]), hops=1).ravel()
        array([ 0.5, -0.5])
    """
    weights, table = sp.csr_array(adjacency, dtype=np.float64), _as_table(x)
    if weights.shape != (table.shape[0], table.shape[0]):
        raise ValueError(f"adjacency: expected shape {(table.shape[0],) * 2} to fit x, got {weights.shape}")
    if hops < 0:
        raise ValueError(f"hops: expected a number ≥ 0, got {hops}")
    if is_bag_of_words(table) if tfidf is None else tfidf:
        table = _tfidf(table)
    reduced = _reduce(table, n_components, as_seed(random_state))
    return _smooth(weights, reduced - reduced.mean(axis=0), hops)


def is_bag_of_words(x: Any) -> bool:
    """Whether a table of features looks like counts or shares of words: nothing negative, mostly zeros."""
    values = x.data if sp.issparse(x) else np.asarray(x)
    if not values.size or values.min() < 0:
        return False
    return bool(np.count_nonzero(values) <= _BAG_OF_WORDS * x.shape[0] * x.shape[1])


def kmeans(
    embedding: npt.ArrayLike, n_clusters: int, *, random_state: RandomState = 0, n_init: int = 10
) -> npt.NDArray[np.int64]:
    """Labels of scikit-learn's k-means, the best of ``n_init`` starts.

    Fewer than ``n_clusters`` different points give one cluster each, without a warning.

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
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Number of distinct clusters", category=ConvergenceWarning)
        return np.asarray(estimator.fit(points).labels_, dtype=np.int64)


def unit_rows(vectors: Array) -> Array:
    """Every row scaled to length 1; rows of zeros stay."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0))


def _as_table(x: Any) -> Any:
    table = sp.csr_array(x, dtype=np.float64) if sp.issparse(x) else np.asarray(x, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"x: expected a table of shape (N, F), got an array of shape {table.shape}")
    return table


def _tfidf(table: Any) -> sp.csr_array:
    counts = sp.csr_array(table)
    if counts.nnz and counts.data.min() < 0:
        raise ValueError("tfidf: expected features ≥ 0, got negative ones; pass tfidf=False")
    return sp.csr_array(TfidfTransformer().fit_transform(counts))


def _reduce(table: Any, n_components: int, seed: int) -> Array:
    """The table on its leading singular directions; as it is when it has no more columns than that."""
    if table.shape[1] <= n_components:
        return np.asarray(table.toarray() if sp.issparse(table) else table)
    svd = TruncatedSVD(min(n_components, table.shape[0]), random_state=seed)
    return np.asarray(svd.fit_transform(table))


def _smooth(weights: sp.csr_array, x: Array, hops: int) -> Array:
    looped = sp.csr_array(weights + sp.eye_array(len(x)))
    scale = sp.diags_array(1 / np.sqrt(np.asarray(looped.sum(axis=1))))
    propagation = sp.csr_array(scale @ looped @ scale)
    total = x.copy()
    for _ in range(hops):
        x = propagation @ x
        total += x
    return np.asarray(total / (hops + 1))
