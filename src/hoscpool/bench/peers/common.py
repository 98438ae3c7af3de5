"""What the wrapped libraries share: edges in one common order, and counts in that order."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph

Counts = npt.NDArray[np.int64]


def edge_ends(graph: Graph) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Both ends (lower id first) of every undirected edge, sorted by lower, then higher id, each ``[E]``."""
    rows = np.repeat(np.arange(graph.num_nodes, dtype=np.int32), graph.degree)
    upper = rows < graph.indices
    return rows[upper], graph.indices[upper]


def counts_of_pairs(graph: Graph, u: npt.ArrayLike, v: npt.ArrayLike, counts: npt.ArrayLike) -> Counts:
    """Counts of pairs in any order → counts in the order of the edges, ``[E]``. A missing edge has count 0.

    Raises:
        ValueError: A pair without an edge has a count.
    """
    u, v, counts = np.asarray(u, np.int64), np.asarray(v, np.int64), np.asarray(counts)
    u, v, counts = u[counts != 0], v[counts != 0], counts[counts != 0]
    low, high = edge_ends(graph)
    keys = low.astype(np.int64) * graph.num_nodes + high
    wanted = np.minimum(u, v) * graph.num_nodes + np.maximum(u, v)
    position = np.searchsorted(keys, wanted)
    found = np.append(keys, -1)[position] == wanted
    if not found.all():
        raise ValueError(f"expected counts on edges only (got {int((~found).sum()):,} other pairs)")
    result = np.zeros(len(keys), np.int64)
    result[position] = counts
    return result


def counts_of_matrix(graph: Graph, matrix: Any) -> Counts:
    """The entries of a symmetric count matrix on the edges, ``[E]``. Only the upper half is read.

    Raises:
        ValueError: The matrix is not symmetric, or has an entry where there is no edge.
    """
    if (matrix != matrix.T).nnz:
        raise ValueError("expected a symmetric matrix")
    upper = sp.coo_array(sp.triu(matrix, 1))
    return counts_of_pairs(graph, upper.coords[0], upper.coords[1], upper.data)
