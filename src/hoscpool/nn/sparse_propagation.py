"""One step of message passing on an edge list, as a sparse product."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch_geometric.utils import add_self_loops, remove_self_loops, softmax

from hoscpool.objectives.precision import HALVES, without_autocast
from hoscpool.objectives.quiet import quiet_sparse


class SparsePropagation:
    """A·H for a PyG edge list: column e sends from ``edge_index[0, e]`` to ``edge_index[1, e]``.

    Args:
        edge_index: Edges ``[2, E]``.
        edge_weight: Weights ``[E]``; 1 when ``None``.
        num_nodes: N.
        dtype: What to compute in; half precision is computed in float32.
    """

    def __init__(self, edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int, dtype: torch.dtype) -> None:
        self._source, self._target = edge_index.detach().clone()  # a cached value must not keep its key alive
        dtype = torch.float32 if dtype in HALVES else dtype
        ones = torch.ones(edge_index.size(1), dtype=dtype, device=edge_index.device)
        self._weight = ones if edge_weight is None else edge_weight.to(dtype)
        self._num_nodes = num_nodes

    @cached_property
    def degree(self) -> Tensor:
        """Sum of arriving weights, ``[N, 1]``."""
        # a layer may keep it for its backward pass, also when it was first asked for in inference mode
        with torch.inference_mode(False) if torch.is_inference_mode_enabled() else nullcontext():
            zeros = self._weight.new_zeros(self._num_nodes)
            return zeros.index_add(0, self._target, self._weight).unsqueeze(-1)

    def propagate(self, h: Tensor) -> Tensor:
        """A·H."""
        wide = h.to(self._weight.dtype)
        if self._weight.requires_grad:  # the fast product knows no gradient of the weights
            sent = self._weight.unsqueeze(-1) * wide[self._source]
            return torch.zeros_like(wide).index_add(0, self._target, sent).to(h.dtype)
        return _Product.apply(wide, self, False).to(h.dtype)  # type: ignore[no-any-return, no-untyped-call]

    def attend(self, source: Tensor, target: Tensor, values: Tensor, slope: float) -> Tensor:
        """Weighted attention, see `Propagation`."""
        source, target, wide = (part.to(self._weight.dtype) for part in (source, target, values))
        index, weight = remove_self_loops(torch.stack([self._source, self._target]), self._weight)
        index, weight = add_self_loops(index, weight, fill_value=1.0, num_nodes=self._num_nodes)
        score = torch.nn.functional.leaky_relu(source[index[0]] + target[index[1]], slope)  # [E, H]
        alpha = softmax(score + log_weight(weight).unsqueeze(-1), index[1], num_nodes=self._num_nodes)
        sent = alpha.unsqueeze(-1) * wide[index[0]]
        return torch.zeros_like(wide).index_add(0, index[1], sent).to(values.dtype)

    @cached_property
    def matrix(self) -> Tensor:
        """A as a CSR tensor: rows receive."""
        return _csr(self._target, self._source, self._weight, self._num_nodes)

    @cached_property
    def transposed(self) -> Tensor:
        """Aᵀ as a CSR tensor; the backward pass multiplies by it."""
        return _csr(self._source, self._target, self._weight, self._num_nodes)


class _Product(torch.autograd.Function):
    """A·H with the backward pass as one more CSR product, which torch's own does not use."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, graph: SparsePropagation, transpose: bool) -> Tensor:
        ctx.graph, ctx.transpose = graph, transpose
        with without_autocast(h.device):  # torch has no sparse product of half precision
            return (graph.transposed if transpose else graph.matrix) @ h

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        return _Product.apply(grad, ctx.graph, not ctx.transpose), None, None  # type: ignore[no-untyped-call]


def _csr(rows: Tensor, cols: Tensor, weight: Tensor, size: int) -> Tensor:
    if bool((rows[1:] < rows[:-1]).any()):
        rows, order = rows.sort(stable=True)
        cols, weight = cols[order], weight[order]
    counts = torch.bincount(rows, minlength=size)
    indptr = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    with quiet_sparse():
        return torch.sparse_csr_tensor(indptr, cols, weight, (size, size), check_invariants=False)


def log_weight(weight: Tensor) -> Tensor:
    """Log A_ij, and −∞ where there is no edge, with a finite gradient there."""
    tiny = torch.finfo(weight.dtype).tiny
    return torch.where(weight > 0, weight.clamp(min=tiny).log(), -torch.inf)
