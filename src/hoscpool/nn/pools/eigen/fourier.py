"""Spectral clustering of a graph and the Fourier modes of its parts. Deterministic, in NumPy."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, eigsh

from hoscpool.support.errors import GraphWarning

Array = npt.NDArray[np.float64]

_DENSE = 1000  # up to this many nodes all eigenvectors of a dense matrix come faster than a few of a sparse one
_ITERATIONS = 50
_KEPT = 1 << 28  # bytes


class _Store(OrderedDict[tuple[object, ...], "Basis"]):
    """A cache of bases by content, up to a number of bytes. The least recently used are removed."""

    size = 0

    def add(self, key: tuple[object, ...], basis: Basis) -> None:
        self[key] = basis
        self.size += basis.nbytes
        while self.size > _KEPT:
            self.size -= self.popitem(last=False)[1].nbytes


_STORE = _Store()


@dataclass(frozen=True)
class Basis:
    """A partition and its modes.

    Attributes:
        cluster: Cluster of every node, ``[n]``.
        modes: Entry (i, l): node i in the l-th eigenvector of the Laplacian of its own cluster; 0 beyond its size.
    """

    cluster: npt.NDArray[np.int64]
    modes: Array

    @property
    def nbytes(self) -> int:
        """Number of bytes."""
        return self.cluster.nbytes + self.modes.nbytes


def spectral_basis(rows: Rows, num_clusters: int, num_modes: int) -> Basis:
    """The basis of one graph. The last ones are cached by content, up to 256 MB."""
    key = (num_clusters, num_modes, rows.digest())
    basis = _STORE.get(key)
    if basis is None:
        adjacency = rows.to_scipy()
        cluster = partition(adjacency, num_clusters)
        basis = Basis(cluster, subgraph_modes(adjacency, cluster, num_modes))
        _STORE.add(key, basis)
    else:
        _STORE.move_to_end(key)
    return basis


def partition(adjacency: sp.csr_array, num_clusters: int) -> npt.NDArray[np.int64]:
    """Spectral clustering (Ng, Jordan & Weiss 2002) with a deterministic k-means.

    Args:
        adjacency: Symmetric weights of one graph.
        num_clusters: K. With fewer nodes every node is its own cluster.

    Returns:
        Cluster of every node, ``[n]``.
    """
    if adjacency.shape[0] <= num_clusters:
        return np.arange(adjacency.shape[0])
    vectors = _leading_eigenvectors(adjacency, num_clusters)
    length = np.linalg.norm(vectors, axis=1)
    points = vectors / np.maximum(length, 1e-12)[:, None]
    return _k_means(points, _far_apart(points, int(length.argmax()), num_clusters))


def subgraph_modes(adjacency: sp.csr_array, cluster: npt.NDArray[np.int64], num_modes: int) -> Array:
    """Leading eigenvectors of the Laplacian of every cluster, ``[n, num_modes]``."""
    modes, degree = np.zeros((adjacency.shape[0], num_modes)), adjacency.sum(axis=1)
    for k in np.unique(cluster):
        nodes = np.flatnonzero(cluster == k)
        weight = adjacency[nodes][:, nodes].toarray()
        vectors = np.linalg.eigh(np.diag(weight.sum(axis=1)) - weight)[1][:, :num_modes]
        modes[nodes, : vectors.shape[1]] = _fix_signs(vectors, degree[nodes])
    return modes


def _leading_eigenvectors(adjacency: sp.csr_array, count: int) -> Array:
    """Eigenvectors of D^(−1/2) A D^(−1/2) for the largest eigenvalues, ``[n, count]``."""
    scale = 1 / np.sqrt(np.maximum(adjacency.sum(axis=1), 1e-12))
    matrix = sp.csr_array(sp.diags_array(scale) @ adjacency @ sp.diags_array(scale))
    if matrix.shape[0] <= _DENSE:
        return np.asarray(np.linalg.eigh(matrix.toarray())[1][:, -count:])
    if not matrix.data.any():
        return np.eye(matrix.shape[0], count, count - matrix.shape[0])  # all are; these the dense solver has
    return _sparse_eigenvectors(matrix, count)


def _sparse_eigenvectors(matrix: sp.csr_array, count: int) -> Array:
    """The same by ARPACK. If it fails, we try more vectors from another start, then a dense solver."""
    size = matrix.shape[0]
    for start, room in ((np.ones(size), None), (np.random.default_rng(0).standard_normal(size), min(size, 4 * count))):
        try:
            return np.asarray(eigsh(matrix, k=count, which="LA", v0=start, ncv=room)[1])
        except ArpackNoConvergence as stopped:
            found = np.asarray(stopped.eigenvectors)
            message = f"EigenPool uses {found.shape[1]} of {count} eigenvectors of a graph; the others did not converge"
            warnings.warn(message, GraphWarning, stacklevel=2)
            return found
        except ArpackError:  # it failed, as happens on graphs with many equal eigenvalues
            continue
    return np.asarray(np.linalg.eigh(matrix.toarray())[1][:, -count:])


def _far_apart(points: Array, first: int, count: int) -> Array:
    """Points to start from. Each is the farthest from those before."""
    chosen = [first]
    distance = ((points - points[first]) ** 2).sum(axis=1)
    while len(chosen) < count:
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
    return points[chosen]


def _k_means(points: Array, centres: Array) -> npt.NDArray[np.int64]:
    cluster = np.full(len(points), -1)
    for _ in range(_ITERATIONS):
        previous, cluster = cluster, ((centres**2).sum(axis=1) - 2 * points @ centres.T).argmin(axis=1)
        if np.array_equal(cluster, previous):
            break
        counts = np.bincount(cluster, minlength=len(centres))[:, None]
        sums = np.zeros_like(centres)
        np.add.at(sums, cluster, points)
        centres = np.where(counts > 0, sums / np.maximum(counts, 1), centres)
    return cluster


def _fix_signs(vectors: Array, degree: Array) -> Array:
    """Make every column positive at high degrees. The sign is free, and node order must not decide it."""
    return vectors * np.where(degree @ vectors < -1e-9 * degree.sum(), -1.0, 1.0)


class Rows(NamedTuple):
    """A square sparse matrix as plain arrays, which are faster to make than a SciPy matrix.

    Attributes:
        indptr: Row pointers.
        indices: Columns.
        data: Entries.
    """

    indptr: npt.NDArray[Any]
    indices: npt.NDArray[Any]
    data: npt.NDArray[Any]

    def to_scipy(self) -> sp.csr_array:
        """The same as a SciPy matrix."""
        size = len(self.indptr) - 1
        return sp.csr_array((self.data, self.indices, self.indptr), shape=(size, size))

    def digest(self) -> bytes:
        """Sixteen bytes that identify the matrix."""
        found = blake2b(digest_size=16)
        for part in self:
            found.update(f"{part.dtype.str}{part.size}:".encode())
            found.update(part.tobytes())
        return found.digest()
