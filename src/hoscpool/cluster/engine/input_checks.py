"""What the engine asks of its input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.objectives import check_weight


def check_weights_of(matrices: Mapping[str, Any], weights: Mapping[str, float]) -> None:
    """Refuse weights that do not fit the matrices.

    Raises:
        ValueError: The names differ, a weight is not valid, or all are zero.
    """
    if not matrices or set(weights) != set(matrices):
        wanted, got = (", ".join(names) or "none" for names in (matrices, weights))
        raise ValueError(f"weights: expected at least one matrix and one weight for each of {wanted}, got {got}")
    if not sum(check_weight(f"weights[{name!r}]", weight) for name, weight in weights.items()):
        raise ValueError("weights: expected a positive one, got none; with zero weights every partition is as good")


def check_matrices(matrices: Mapping[str, sp.csr_array]) -> None:
    """Refuse matrices that no cut is defined for.

    Raises:
        ValueError: A matrix is not a square CSR matrix of the same shape as the first, not symmetric, or has an entry
            that is negative or not finite.
    """
    shape = next(iter(matrices.values())).shape
    for name, matrix in matrices.items():
        if not sp.issparse(matrix) or matrix.format != "csr" or matrix.shape != (shape[0], shape[0]):
            got = f"{type(matrix).__name__} {list(getattr(matrix, 'shape', []))}"
            raise ValueError(f"matrices[{name!r}]: expected a CSR matrix [{shape[0]}, {shape[0]}], got {got}")
        if matrix.nnz and not (matrix.data.min() >= 0 and np.isfinite(matrix.data.max())):
            raise ValueError(f"matrices[{name!r}]: expected entries ≥ 0 and finite, got {matrix.data.min()} or NaN")
        if not np.allclose(matrix.sum(axis=0), matrix.sum(axis=1)):
            raise ValueError(f"matrices[{name!r}]: expected a symmetric matrix; pass A + Aᵀ or use graph.undirected()")


def check_clusters_fit(k: Any, num_nodes: int) -> int:
    """The number of clusters.

    Raises:
        ValueError: It is not a whole number from 1 to the number of nodes.
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= num_nodes:
        raise ValueError(f"k: expected a whole number from 1 to {num_nodes:,}, the number of nodes, got {k!r}")
    return int(k)


def check_count(argument: str, count: Any, least: int) -> int:
    """A whole number.

    Raises:
        ValueError: It is not one, or it is too small.
    """
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < least:
        raise ValueError(f"{argument}: expected a whole number ≥ {least}, got {count!r}")
    return int(count)
