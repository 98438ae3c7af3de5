"""Both halves of coarsening, features and edges, as one product of every graph and one node of the gradient."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.segments import Sizes, is_paddable, lift_segments, pad_segments, reduce_segments, unpad_segments
from hoscpool.objectives import Adjacency


def reduce_both(s: Tensor, x: Tensor, adjacency: Adjacency, sizes: Sizes) -> tuple[Tensor, Tensor]:
    """``Sᵀ[AS | X]`` of every graph and A·S, for a constant symmetric A.

    Args:
        s: ``[N, K]``, the nodes ordered by graph.
        x: ``[N, F]``.
        adjacency: A over the N nodes.
        sizes: Number of nodes of every graph.

    Returns:
        ``[B, K, K + F]``, whose gradient can be taken once, and ``[N, K]`` without gradient.
    """
    both, product = _ReduceBoth.apply(s, x, adjacency, sizes)  # type: ignore[no-untyped-call]
    return both, product


class _ReduceBoth(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, adjacency: Adjacency, sizes: Sizes) -> tuple[Tensor, Tensor]:
        product = adjacency.multiply(s)
        both = torch.cat([product, x], dim=1)  # [N, K + F]
        ctx.adjacency, ctx.sizes, ctx.padded = adjacency, sizes, is_paddable(sizes, s.size(1) * both.size(1))
        ctx.mark_non_differentiable(product)
        if ctx.padded:
            s, both = pad_segments(s, sizes), pad_segments(both, sizes)
        ctx.save_for_backward(s, both)
        return s.mT @ both if ctx.padded else reduce_segments(s, both, sizes), product

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, Tensor, None, None]:
        s, both = ctx.saved_tensors

        def lift(rows: Tensor, pooled: Tensor) -> Tensor:
            return unpad_segments(rows @ pooled, ctx.sizes) if ctx.padded else lift_segments(rows, pooled, ctx.sizes)

        inside, features = gradient[..., : s.size(-1)], gradient[..., s.size(-1) :]
        to_s = None
        if ctx.needs_input_grad[0]:  # S stands twice in SᵀAS, and A is symmetric: A S (U + Uᵀ), besides X Yᵀ
            to_s = lift(both, torch.cat([inside + inside.mT, features], dim=-1).mT)
        return to_s, lift(s, features), None, None
