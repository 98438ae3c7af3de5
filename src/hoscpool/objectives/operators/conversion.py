"""`as_adjacency`: check any supported form of an adjacency matrix and convert it to an `Adjacency`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.graph import (
    Graph,
    check_edge_index,
    check_index,
    check_num_nodes,
    check_square,
    check_structure,
    check_weights,
    to_numpy,
)
from hoscpool.objectives.operators.product import Csr, widen
from hoscpool.objectives.operators.storage import Adjacency, DenseAdjacency, SparseAdjacency
from hoscpool.support.errors import GraphWarning

AdjacencyLike = Any
"""An `Adjacency`, a `Graph`, a SciPy sparse matrix, a torch tensor or a tuple; see `as_adjacency`."""

_ACCEPTED = (
    "a hoscpool Graph, a SciPy sparse matrix, a torch sparse matrix, a dense tensor [N, N] or [B, N, N], "
    "or a tuple (edge_index, edge_weight or None, num_nodes)"
)


def as_adjacency(
    obj: AdjacencyLike,
    *,
    mask: Tensor | None = None,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> Adjacency:
    """Convert an adjacency matrix in any storage to an `Adjacency`, which can multiply and knows its degrees.

    The diagonal is kept, and repeated edges are summed. A matrix that is not symmetric is made symmetric with a
    `GraphWarning`: each pair gets the heavier of its two weights.

    Args:
        obj: A `Graph`, a SciPy sparse matrix, a torch COO, CSR or CSC matrix, a tuple
            ``(edge_index, edge_weight or None, num_nodes)``, a dense tensor ``[N, N]`` or ``[B, N, N]``, or an
            `Adjacency`. Gradients flow to a dense tensor that requires them. Sparse weights are constants and must not
            require gradients.
        mask: Which nodes of a dense tensor are real, bool ``[N]`` or ``[B, N]``. The others are ignored.
        dtype: Type of the weights. Default: that of floating-point tensors, else torch's default.
        device: Default: the device of the tensor, else the CPU.

    Returns:
        The adjacency. Build it once if you use the same matrix several times.

    Raises:
        ValueError: The matrix is not square, an index is out of range, a weight is negative, NaN or infinite, or sparse
            weights require gradients.
        TypeError: The type of the object is not supported.

    Examples:
        >>> A = as_adjacency(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
        >>> A @ torch.tensor([[1.0], [3.0]])
        tensor([[3.],
                [1.]])
    """
    if mask is not None and not _is_dense(obj):
        raise ValueError("mask: only a dense adjacency tensor can have padding; leave the mask out")
    if isinstance(obj, Adjacency):
        return obj.to(dtype, device)
    if _is_dense(obj):
        return _from_dense(obj.to(device=device, dtype=_float_type(obj.dtype, dtype)), mask)
    matrix, source_dtype, source_device = _to_scipy(obj)
    return _from_scipy(matrix, _float_type(source_dtype, dtype), torch.device(device or source_device))


def _is_dense(obj: Any) -> bool:
    return isinstance(obj, Tensor) and obj.layout == torch.strided


def _float_type(source: torch.dtype | None, wanted: torch.dtype | None) -> torch.dtype:
    if wanted is not None:
        return wanted
    return source if source is not None and source.is_floating_point else torch.get_default_dtype()


def _from_dense(tensor: Tensor, mask: Tensor | None) -> Adjacency:
    if tensor.ndim not in (2, 3) or tensor.shape[-1] != tensor.shape[-2]:
        raise ValueError(f"adjacency: expected shape [N, N] or [B, N, N], got {list(tensor.shape)}")
    tensor = tensor if tensor.ndim == 3 else tensor[None]
    if mask is not None:
        if mask.dtype != torch.bool or mask.numel() != tensor.shape[0] * tensor.shape[1]:
            expected, got = list(tensor.shape[:2]), f"{mask.dtype} of shape {list(mask.shape)}"
            raise ValueError(f"mask: expected bool of shape {expected}, got {got}")
        mask = mask.reshape(tensor.shape[:2]).to(tensor.device)
        tensor = torch.where(mask[:, :, None] & mask[:, None, :], tensor, torch.zeros_like(tensor))
    _check_dense_weights(tensor.detach())
    return DenseAdjacency(_symmetric_dense(tensor), mask)


def _check_dense_weights(tensor: Tensor) -> None:
    if not tensor.numel():
        return
    low, high = (bound.item() for bound in tensor.aminmax())
    if not low >= 0 or not high < np.inf:
        bad = f"a weight of {low:g}" if low < 0 and high < np.inf else "NaN or infinite weights"
        raise ValueError(f"adjacency: expected finite weights ≥ 0, got {bad}; correct the matrix")
    most = torch.finfo(widen(tensor[:0]).dtype).max  # of the type in which losses are computed
    if high > most / tensor.numel():
        _check_total(tensor.sum((1, 2), dtype=torch.float64).max().item(), most, tensor.dtype)


def _check_total(total: float, most: float, dtype: torch.dtype) -> None:
    if total > most:
        raise ValueError(f"adjacency: expected a sum of weights within {dtype}, got {total:g}; scale them down")


def _symmetric_dense(tensor: Tensor) -> Tensor:
    """The matrix itself if it is symmetric up to rounding. Otherwise each pair gets the heavier of its weights."""
    transposed = tensor.transpose(1, 2)
    with torch.no_grad():
        limits = torch.finfo(tensor.dtype)  # below the smallest normal number rounding is absolute
        differs = (tensor - transposed).abs() > limits.eps**0.5 * torch.maximum(tensor, transposed) + limits.tiny
        if not differs.any():
            return tensor
    _warn_asymmetric()
    return torch.maximum(tensor, transposed)


def _warn_asymmetric() -> None:
    message = "the adjacency is not symmetric: directions are ignored, and each pair has the heavier of its two weights"
    warnings.warn(message, GraphWarning, stacklevel=5)


def _to_scipy(obj: Any) -> tuple[sp.csr_array, torch.dtype | None, torch.device]:
    """The matrix with repeated entries summed, and the type and device of the input."""
    cpu = torch.device("cpu")
    if isinstance(obj, Graph):
        return obj.adjacency, None, cpu
    if sp.issparse(obj):
        return _checked(obj), None, cpu
    if isinstance(obj, Tensor):
        _refuse_gradients(obj)
        return _checked(to_numpy(obj)), obj.dtype, obj.device
    if isinstance(obj, tuple) and len(obj) == 3:
        return _from_edges(*obj)
    raise TypeError(f"adjacency: expected {_ACCEPTED}, got {type(obj).__name__}")


def _from_edges(
    edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int
) -> tuple[sp.csr_array, torch.dtype | None, torch.device]:
    index, size = check_edge_index(edge_index.cpu()), check_num_nodes(num_nodes)
    dtype = None
    weights = np.ones(index.shape[1])
    if edge_weight is not None:
        _refuse_gradients(edge_weight)
        weights, dtype = to_numpy(edge_weight), edge_weight.dtype
    check_index(index[0], index[1], size)
    weights = check_weights(weights, index.shape[1])
    matrix = sp.csr_array(sp.coo_array((weights, (index[0], index[1])), shape=(size, size)))
    return matrix, dtype, edge_index.device


def _checked(obj: Any) -> sp.csr_array:
    check_square(obj.shape)
    check_structure(obj)
    matrix = sp.coo_array(obj)
    weights = check_weights(matrix.data, matrix.nnz)
    return sp.csr_array(sp.coo_array((weights, matrix.coords), shape=matrix.shape))


def _refuse_gradients(tensor: Tensor) -> None:
    if tensor.requires_grad:
        raise ValueError(
            "adjacency: expected sparse weights without gradients, got weights that require gradients; "
            "call detach() on the weights, or pass a dense adjacency"
        )


def _from_scipy(matrix: sp.csr_array, dtype: torch.dtype, device: torch.device) -> Adjacency:
    matrix = _symmetric_sparse(matrix)
    degree = np.asarray(matrix.sum(axis=1), dtype=np.float64).reshape(-1)
    _check_total(degree.sum(), torch.finfo(dtype).max, dtype)
    values = None if (matrix.data == 1).all() else torch.tensor(matrix.data, dtype=dtype)
    indptr = torch.tensor(matrix.indptr, dtype=torch.int64)
    stored = Csr(indptr, torch.tensor(matrix.indices, dtype=torch.int32), values)
    return SparseAdjacency(stored.to(dtype, device), torch.tensor(degree, dtype=dtype, device=device))


def _symmetric_sparse(matrix: sp.csr_array) -> sp.csr_array:
    """The matrix itself if it is symmetric. Otherwise each pair gets the heavier of its weights.

    The test of symmetry is one product with a fixed vector of random numbers: A·x = Aᵀ·x.
    """
    probe = np.random.default_rng(0).random(matrix.shape[0]) + 0.5
    if np.allclose(matrix @ probe, matrix.T @ probe, rtol=1e-6, atol=0):
        return matrix
    _warn_asymmetric()
    return sp.csr_array(matrix.maximum(matrix.T))
