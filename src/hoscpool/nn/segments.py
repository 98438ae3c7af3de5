"""Matrix products graph by graph over flat node tensors: no padding to the largest graph of the batch."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

Sizes = tuple[int, ...]


def reduce_segments(s: Tensor, x: Tensor, sizes: Sizes) -> Tensor:
    """``S_bᵀ X_b`` for every graph b.

    Args:
        s: ``[N, K]``, the nodes ordered by graph.
        x: ``[N, F]``.
        sizes: Number of nodes of every graph.

    Returns:
        ``[B, K, F]``.
    """
    if _are_equal(sizes):
        return _stack(s, sizes).mT @ _stack(x, sizes)
    return _Reduce.apply(s, x, sizes)  # type: ignore[no-any-return, no-untyped-call]


def lift_segments(s: Tensor, p: Tensor, sizes: Sizes) -> Tensor:
    """``S_b P_b`` for every graph b, one under the other.

    Args:
        s: ``[N, K]``, the nodes ordered by graph.
        p: ``[B, K, F]``.
        sizes: Number of nodes of every graph.

    Returns:
        ``[N, F]``.
    """
    if _are_equal(sizes):
        return (_stack(s, sizes) @ p).flatten(0, 1)
    return _Lift.apply(s, p, sizes)  # type: ignore[no-any-return, no-untyped-call]


class _Reduce(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, sizes: Sizes) -> Tensor:
        ctx.save_for_backward(s, x)
        ctx.sizes = sizes
        out = x.new_zeros(len(sizes), s.size(1), x.size(1))
        for s_b, x_b, out_b in zip(torch.split(s, list(sizes)), torch.split(x, list(sizes)), out, strict=True):
            torch.mm(s_b.t(), x_b, out=out_b)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        s, x = ctx.saved_tensors
        return lift_segments(x, grad.mT, ctx.sizes), lift_segments(s, grad, ctx.sizes), None


class _Lift(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, s: Tensor, p: Tensor, sizes: Sizes) -> Tensor:
        ctx.save_for_backward(s, p)
        ctx.sizes = sizes
        out = p.new_empty(s.size(0), p.size(2))
        for s_b, p_b, out_b in zip(torch.split(s, list(sizes)), p, torch.split(out, list(sizes)), strict=True):
            torch.mm(s_b, p_b, out=out_b)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        s, p = ctx.saved_tensors
        return lift_segments(grad, p.mT, ctx.sizes), reduce_segments(s, grad, ctx.sizes), None


def _are_equal(sizes: Sizes) -> bool:
    return all(size == sizes[0] for size in sizes)


def _stack(flat: Tensor, sizes: Sizes) -> Tensor:
    return flat.reshape(len(sizes), sizes[0] if sizes else 0, flat.size(1))
