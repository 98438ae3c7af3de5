"""Torch tensors: sparse or dense adjacency matrices and ``edge_index``. This module does not import torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph.converters.arrays import from_dense, from_scipy
from hoscpool.graph.raw import RawGraph
from hoscpool.graph.validate import check_num_nodes


def from_tensor(tensor: Any, num_nodes: int | None = None) -> RawGraph:
    """Raw arcs of a torch tensor.

    An integer tensor of shape ``[2, E]`` is an ``edge_index``, also if E is 2. Any other tensor is an adjacency matrix
    and must be square.
    """
    array = to_numpy(tensor)
    if sp.issparse(array):
        return from_scipy(array)
    if array.ndim == 2 and array.shape[0] == 2 and array.dtype.kind in "iu":
        return from_edge_index(array, num_nodes)
    return from_dense(array)


def to_numpy(tensor: Any) -> Any:
    """A torch tensor as a NumPy array, or as a SciPy matrix if it is sparse.

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
        rows, cols = tensor._indices().numpy()  # not coalesced, so that repeated entries can be reported
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


def from_edge_index(edge_index: Any, num_nodes: Any = None, weights: Any = None) -> RawGraph:
    """Raw arcs of an ``edge_index``: column e is the arc ``edge_index[0, e]`` → ``edge_index[1, e]``.

    Args:
        edge_index: Integers ``[2, E]``.
        num_nodes: Number of nodes. Default: the largest index + 1, which loses isolated nodes at the end.
        weights: Weight of every arc ``[E]``.

    Returns:
        The arcs.

    Raises:
        ValueError: The shape is not ``(2, E)``, or the entries are not integers.
    """
    index = check_edge_index(edge_index)
    raw = RawGraph(index[0], index[1], weights, 0)
    if num_nodes is None:
        raw.num_nodes = int(index.max()) + 1 if index.size else 0
        raw.notes.note(f"the number of nodes, {raw.num_nodes:,}, was taken from the largest index in edge_index")
    else:
        raw.num_nodes = check_num_nodes(num_nodes)
    return raw


def check_edge_index(edge_index: Any) -> npt.NDArray[Any]:
    """The ``edge_index`` as an integer array.

    Raises:
        ValueError: The shape is not ``(2, E)``, or the entries are not integers.
    """
    index = np.asarray(edge_index)
    if index.ndim != 2 or index.shape[0] != 2:
        hint = "; transpose it" if index.ndim == 2 and index.shape[1] == 2 else ""
        raise ValueError(f"edge_index: expected shape (2, E), got {index.shape}{hint}")
    if index.size and index.dtype.kind not in "iu":
        raise ValueError(f"edge_index: expected integers, got {index.dtype} dtype")
    if index.size and index.min() < 0:
        raise ValueError(f"edge_index: node index {index.min()} is out of range; expected indices from 0")
    return index if index.dtype.kind in "iu" else index.astype(np.int64)


def looks_like_edge_index(array: npt.NDArray[Any]) -> bool:
    """Whether a NumPy array is an ``edge_index``: integers ``[2, E]``. A 2 × 2 array is an adjacency matrix."""
    return array.ndim == 2 and array.shape[0] == 2 and array.shape[1] != 2 and array.dtype.kind in "iu"
