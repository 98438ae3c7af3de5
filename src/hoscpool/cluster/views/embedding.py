"""Spectral coordinates of a graph: eigenvectors of its normalised Laplacian, and k-means on any coordinates."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, lobpcg
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

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


Array = npt.NDArray[np.float64]
RandomState = int | np.random.Generator | np.random.RandomState | None

_DENSE = 500  # up to this many nodes, all eigenvectors of a dense matrix are faster than a few of a sparse one
_TOLERANCE = 1e-9
_NOISE = 1e-12  # a smaller share of a vector's weight in a piece of the graph is a rounding error
_LOBPCG_ITERATIONS = 500
_EIGSH_TAKES_RNG = "rng" in inspect.signature(eigsh).parameters


def laplacian_eigenpairs(
    matrix: Any, n_components: int, *, regularize: float = 0.25, random_state: RandomState = 0
) -> tuple[Array, Array]:
    """The smallest eigenvalues of the normalised Laplacian, ascending, and their vectors; see `spectral_embedding`.

    With τ = 0 a graph in c pieces has eigenvalue 0 c times. Its eigenvectors are known: one per piece, the heaviest
    pieces first. The iteration does not compute them, because it is bad at repeated eigenvalues. Rows are zero for a
    piece that none of the eigenvectors reaches, and for a node without weight.

    Returns:
        Eigenvalues ``[n_components]`` and eigenvectors ``[N, n_components]``, the largest entry of each positive.
    """
    weights = _as_weights(matrix, n_components, regularize)
    degree = np.asarray(weights.sum(axis=1), dtype=np.float64)
    if not degree.any():
        return np.ones(n_components), np.zeros((len(degree), n_components))
    _, piece = sp.csgraph.connected_components(weights, directed=False)
    tau = regularize * float(degree.mean())
    known = _null_vectors(degree, piece)[:, : n_components if tau == 0 else 0]  # [N, c]
    values, vectors = np.zeros(known.shape[1]), known.toarray()
    if len(values) < n_components:
        product = _normalised_product(weights, degree + tau, known)
        rng = np.random.default_rng(as_seed(random_state))
        found, others = _largest_eigenpairs(product, len(degree), n_components - len(values), rng)
        values, vectors = np.append(values, 1 - found), np.hstack([vectors, others])
    return values, _fix_signs(_without_noise(vectors, np.where(degree > 0, piece, -1) + 1))


def _as_weights(matrix: Any, n_components: int, regularize: float) -> sp.csr_array:
    weights = sp.csr_array(matrix, dtype=np.float64)
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1]:
        raise ValueError(f"matrix: expected a square matrix, got shape {weights.shape}")
    if not 1 <= n_components <= weights.shape[0]:
        raise ValueError(f"n_components: expected 1 to {weights.shape[0]:,}, the number of nodes, got {n_components}")
    if not 0 <= regularize < np.inf:
        raise ValueError(f"regularize: expected a number ≥ 0, got {regularize}")
    return weights


def _null_vectors(degree: Array, piece: npt.NDArray[np.int32]) -> sp.csc_array:
    """Eigenvectors of eigenvalue 0: each is √degree on one piece of the graph; heaviest piece first, ``[N, c]``."""
    volume = np.bincount(piece, weights=degree)
    place = np.empty(len(volume), dtype=np.int64)
    place[np.argsort(-volume, kind="stable")] = np.arange(len(volume))
    rows = np.flatnonzero(degree)
    entries = np.sqrt(degree[rows] / volume[piece[rows]])
    shape = (len(degree), np.count_nonzero(volume))
    return sp.csc_array((entries, (rows, place[piece[rows]])), shape=shape)


def _normalised_product(weights: sp.csr_array, total: Array, known: sp.csc_array) -> Callable[[Array], Array]:
    """The map v ↦ D^(−1/2) A D^(−1/2) v with the eigenvalues of the known eigenvectors moved from 1 to −1."""
    scale = sp.diags_array(np.divide(1, np.sqrt(total), out=np.zeros_like(total), where=total > 0))
    normalised = sp.csr_array(scale @ weights @ scale)
    if not known.shape[1]:
        return lambda v: np.asarray(normalised @ v)
    return lambda v: np.asarray(normalised @ v - 2 * (known @ (known.T @ v)))


def _largest_eigenpairs(
    product: Callable[[Array], Array], size: int, count: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Eigenpairs of a symmetric map, largest first: dense when small, else by ARPACK, or by LOBPCG if that fails."""
    if size <= _DENSE or count >= size - 1:
        values, vectors = np.linalg.eigh(product(np.eye(size)))
        return values[: -count - 1 : -1], vectors[:, : -count - 1 : -1]
    operator = LinearOperator((size, size), matvec=product, matmat=product, dtype=np.float64)
    start = rng.standard_normal(size)
    try:
        options = {"rng": rng} if _EIGSH_TAKES_RNG else {}
        values, vectors = eigsh(operator, k=count, which="LA", v0=start, tol=_TOLERANCE, **options)
    except ArpackNoConvergence:
        message = f"ARPACK did not converge on {count} eigenvectors of {size:,} nodes: LOBPCG is used instead"
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
        values, vectors = _lobpcg(operator, count, rng)
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def _lobpcg(operator: LinearOperator, count: int, rng: np.random.Generator) -> tuple[Array, Array]:
    start = rng.standard_normal((operator.shape[0], count))
    with ignoring(UserWarning, module="scipy"):  # the caller has warned already
        values, vectors = lobpcg(operator, start, largest=True, tol=_TOLERANCE, maxiter=_LOBPCG_ITERATIONS)
    return values, vectors


def _without_noise(vectors: Array, piece: npt.NDArray[np.int64]) -> Array:
    """Set a vector to 0 on pieces where it is only rounding errors. Scaling rows to length 1 would enlarge them."""
    groups = sp.csr_array((np.ones(len(piece)), (piece, np.arange(len(piece)))))
    energy = groups @ vectors**2  # [pieces, k]
    return np.where((energy < _NOISE)[piece], 0.0, vectors)


def _fix_signs(vectors: Array) -> Array:
    """Make the largest entry of every column positive, because the sign of an eigenvector is arbitrary."""
    columns = np.arange(vectors.shape[1])
    largest = vectors[np.abs(vectors).argmax(axis=0), columns]
    return np.asarray(vectors * np.where(largest < 0, -1.0, 1.0))


def as_seed(random_state: RandomState) -> int:
    """A whole number from any ``random_state``. The global generator is never used."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return int(random_state)
