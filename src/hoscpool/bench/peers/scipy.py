"""SciPy: the sparse product ``(A @ A).multiply(A)``."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph


def prepare(graph: Graph, dtype: type = np.int64) -> sp.csr_array:
    """The adjacency matrix with ones of the given type and the smallest indices, which SciPy multiplies fastest."""
    index = np.int32 if len(graph.indices) < 2**31 else np.int64
    ones: npt.NDArray[Any] = np.ones(len(graph.indices), dtype)
    parts = (ones, graph.indices.astype(index), graph.indptr.astype(index))
    return sp.csr_array(parts, shape=(graph.num_nodes, graph.num_nodes))


def run(adjacency: Any) -> Any:
    """The triangle support of every edge as a symmetric matrix."""
    return (adjacency @ adjacency).multiply(adjacency)
