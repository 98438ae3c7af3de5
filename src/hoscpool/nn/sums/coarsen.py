"""From an assignment to the coarsened graph: the last step of every clustering pool."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums.kernels import as_array, has_kernels
from hoscpool.nn.sums.reduction import reduce_both
from hoscpool.nn.sums.result import NodeSums
from hoscpool.nn.sums.segments import reduce_segments
from hoscpool.nn.sums.small import sum_small


def coarsen_features(graph: GraphBatch, assignment: Tensor) -> Tensor:
    """X_pool = SᵀX for every graph, ``[B, K, F]``."""
    return _coarsen(graph, assignment)[0]


def coarsen_adjacency(
    graph: GraphBatch, assignment: Tensor, *, remove_self_loops: bool = True, normalize: bool = True
) -> Tensor:
    """A_pool = SᵀAS for every graph, ``[B, K, K]``.

    Args:
        graph: The graphs.
        assignment: S, ``[N, K]``.
        remove_self_loops: Zero the diagonal, which would otherwise dominate what the next encoder sees.
        normalize: D^(−1/2) A_pool D^(−1/2); its gradient can be taken once.
    """
    pooled = _coarsen(graph, assignment)[1]
    if normalize and has_kernels(pooled):
        normalized: Tensor = _Normalize.apply(pooled, remove_self_loops)  # type: ignore[no-untyped-call]
        return normalized
    if remove_self_loops:
        pooled = zero_diagonal(pooled)
    return normalize_symmetric(pooled) if normalize else pooled


def edge_product(graph: GraphBatch, assignment: Tensor) -> Tensor:
    """A·S, which the losses and the coarsening of large graphs share; differentiable where A is."""
    return _compose(graph, assignment)[2]


def keep_coarsened(graph: GraphBatch, assignment: Tensor, sums: NodeSums) -> None:
    """Hand on what the losses already summed up."""
    graph.once("coarsened", assignment, lambda: (sums.x, sums.adjacency))


def _coarsen(graph: GraphBatch, s: Tensor) -> tuple[Tensor, Tensor]:
    """SᵀX and SᵀAS, kept for the next who asks for the same."""
    return graph.once("coarsened", s, lambda: _compute(graph, s))


def _compute(graph: GraphBatch, s: Tensor) -> tuple[Tensor, Tensor]:
    sums = sum_small(graph, s, ())
    return _compose(graph, s)[:2] if sums is None else (sums.x, sums.adjacency)


def _compose(graph: GraphBatch, s: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """SᵀX, SᵀAS and A·S by matrix products."""
    return graph.once("composed", s, lambda: _multiply(graph, s))


def _multiply(graph: GraphBatch, s: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    if graph.dense is None:
        return reduce_both(s, graph.weigh(graph.x), graph.adjacency, graph.sizes)
    product = graph.propagate(s)
    return reduce_segments(s, graph.x, graph.sizes), reduce_segments(s, product, graph.sizes), product


def zero_diagonal(adjacency: Tensor) -> Tensor:
    """The adjacency without its diagonal."""
    build = _off_diagonal.__wrapped__ if torch.compiler.is_compiling() else _off_diagonal
    return adjacency * build(adjacency.size(-1), adjacency.dtype, adjacency.device)


@lru_cache(maxsize=16)
def _off_diagonal(size: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Ones but for a diagonal of zeros."""
    with torch.inference_mode(False):  # a tensor of inference mode could not take part in training later
        return 1 - torch.eye(size, dtype=dtype, device=device)


def normalize_symmetric(adjacency: Tensor) -> Tensor:
    """D^(−1/2) A D^(−1/2) with sqrt(max(d, ε)); a supernode whose degree is an underflow has no edges.

    An underflow is what is below the smallest normal number over ε²: the next cut divides by such weights, and the
    division by ε on the way back would overflow.
    """
    limits = torch.finfo(adjacency.dtype)
    degree = adjacency.sum(dim=-1)
    scale = degree.clamp(min=limits.eps).rsqrt().masked_fill(degree <= limits.tiny / limits.eps**2, 0)
    return scale.unsqueeze(-1) * adjacency * scale.unsqueeze(-2)


class _Normalize(torch.autograd.Function):
    """Both steps of cleaning by a kernel."""

    @staticmethod
    def forward(ctx: Any, adjacency: Tensor, remove_self_loops: bool) -> Tensor:
        from hoscpool.nn.sums.kernels.normalize import normalize

        weight = as_array(adjacency)
        limits = np.finfo(weight.dtype)
        ctx.remove_self_loops, ctx.eps = remove_self_loops, weight.dtype.type(limits.eps)
        ctx.normalized, ctx.degree, ctx.scale = np.empty_like(weight), *np.empty((2, *weight.shape[:2]), weight.dtype)
        least = limits.tiny / limits.eps**2
        normalize(weight, remove_self_loops, ctx.eps, least, ctx.degree, ctx.scale, ctx.normalized)
        return torch.from_numpy(ctx.normalized)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        from hoscpool.nn.sums.kernels.normalize import back_normalize

        out = np.empty_like(ctx.normalized)
        kept = ctx.normalized, ctx.degree, ctx.scale
        back_normalize(*kept, ctx.remove_self_loops, ctx.eps, as_array(gradient), out)
        return torch.from_numpy(out), None
