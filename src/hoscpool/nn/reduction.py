"""Both halves of coarsening, features and edges, as one product of every graph and one node of the gradient."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.segments import Sizes, is_paddable, lift_segments, pad_segments, reduce_segments, unpad_segments
from hoscpool.objectives import Adjacency

WIDTH = 16
"""Products are fastest where the width of the result is a multiple of it; columns of zeros fill up what is missing."""


def reduce_both(s: Tensor, x: Tensor, adjacency: Adjacency, sizes: Sizes) -> tuple[Tensor, Tensor, Tensor]:
    """SᵀX and SᵀAS of every graph, and A·S, for a constant symmetric A.

    Args:
        s: ``[N, K]``, the nodes ordered by graph.
        x: ``[N, F]``.
        adjacency: A over the N nodes.
        sizes: Number of nodes of every graph.

    Returns:
        ``[B, K, F]`` and ``[B, K, K]``, whose gradients can be taken once, and ``[N, K]`` without gradient.
    """
    features, inside, product = _ReduceBoth.apply(s, x, adjacency, sizes)  # type: ignore[no-untyped-call]
    return features, inside, product


class _ReduceBoth(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, adjacency: Adjacency, sizes: Sizes) -> tuple[Tensor, ...]:
        product = adjacency.multiply(s)
        ctx.width = s.size(1) + x.size(1)
        both = torch.cat([product, x, _fill(x, ctx.width)], dim=1)  # [N, K + F], and zeros
        ctx.adjacency, ctx.sizes, ctx.padded = adjacency, sizes, is_paddable(sizes, s.size(1) * both.size(1))
        ctx.mark_non_differentiable(product)
        if ctx.padded:
            s, both = pad_segments(s, sizes), pad_segments(both, sizes)
        ctx.save_for_backward(s, both)
        reduced = s.mT @ both if ctx.padded else reduce_segments(s, both, sizes)
        k = product.size(1)
        return reduced[..., k : ctx.width], reduced[..., :k], product

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, features: Tensor, inside: Tensor, _: Tensor) -> tuple[Tensor | None, Tensor, None, None]:
        s, both = ctx.saved_tensors

        def lift(rows: Tensor, pooled: Tensor) -> Tensor:
            return unpad_segments(rows @ pooled, ctx.sizes) if ctx.padded else lift_segments(rows, pooled, ctx.sizes)

        to_s = None
        if ctx.needs_input_grad[0]:  # S stands twice in SᵀAS, and A is symmetric: A S (U + Uᵀ), besides X Yᵀ
            k = s.size(-1)
            pooled = inside.new_zeros(len(inside), both.size(-1), k + -k % WIDTH)
            torch.add(inside, inside.mT, out=pooled[:, :k, :k])
            pooled[:, k : ctx.width, :k] = features.mT
            to_s = lift(both, pooled)[:, :k]
        return to_s, lift(s, features), None, None


def _fill(x: Tensor, width: int) -> Tensor:
    """Zeros beside x that make a table of that width a multiple of `WIDTH`."""
    return x.new_zeros(len(x), -width % WIDTH)
