"""Associations and volumes of clusters in a weighted graph, for modularity and conductance.

These are `association` and `volume` of `hoscpool.objectives` for hard labels, without a table of nodes times clusters.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

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
