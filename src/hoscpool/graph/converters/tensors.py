"""Torch tensors: sparse or dense adjacency matrices and ``edge_index``. Torch itself is never imported here."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph.converters.arrays import from_dense, from_scipy
from hoscpool.graph.converters.edge_index import from_edge_index
from hoscpool.graph.raw import RawGraph


def from_tensor(tensor: Any, num_nodes: int | None = None) -> RawGraph:
    """Raw arcs of a torch tensor.

    An integer tensor of shape ``[2, E]`` is an ``edge_index``, also when E is 2; any other tensor is an adjacency
    matrix and must be square.
    """
    array = to_numpy(tensor)
    if sp.issparse(array):
        return from_scipy(array)
    if array.ndim == 2 and array.shape[0] == 2 and array.dtype.kind in "iu":
        return from_edge_index(array, num_nodes)
    return from_dense(array)


def to_numpy(tensor: Any) -> Any:
    """A torch tensor as a NumPy array, or as a SciPy matrix when it is sparse.

    Raises:
        ValueError: The sparse layout is neither COO, CSR nor CSC, or has dense dimensions.
    """
    tensor = tensor.detach().cpu()
    layout = str(tensor.layout).removeprefix("torch.")
    if layout == "strided":
        return _array(tensor)
    if layout not in ("sparse_coo", "sparse_csr", "sparse_csc"):
        raise ValueError(f"tensor: expected a dense, COO, CSR or CSC layout, got {layout}; call .to_sparse_coo() first")
    if tensor.dense_dim() or tensor.sparse_dim() != 2:
        raise ValueError(f"tensor: expected a sparse matrix of numbers, got a sparse tensor of shape {_shape(tensor)}")
    if layout == "sparse_coo":
        rows, cols = tensor._indices().numpy()  # not coalesced: repeated entries are to be reported, not summed unseen
        return sp.coo_array((_array(tensor._values()), (rows, cols)), shape=_shape(tensor))
    if layout == "sparse_csr":
        parts = (_array(tensor.values()), tensor.col_indices().numpy(), tensor.crow_indices().numpy())
        return sp.csr_array(parts, shape=_shape(tensor))
    parts = (_array(tensor.values()), tensor.row_indices().numpy(), tensor.ccol_indices().numpy())
    return sp.csc_array(parts, shape=_shape(tensor))


def _array(tensor: Any) -> Any:
    if str(tensor.dtype) in ("torch.bfloat16", "torch.float16"):  # NumPy has no bfloat16, SciPy no float16
        tensor = tensor.float()
    return np.asarray(tensor.resolve_conj().resolve_neg().numpy())


def _shape(tensor: Any) -> tuple[int, ...]:
    return tuple(int(size) for size in tensor.shape)
