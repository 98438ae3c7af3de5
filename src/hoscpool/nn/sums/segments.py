"""Matrix products per graph over flat node tensors. They are one batched product if padding costs little."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

Sizes = tuple[int, ...]

MOST_PADDING = 4
"""Graphs are multiplied one by one if a padded batch has more than this many rows per real row."""
WORTH_A_CALL = 250_000
"""Number of multiplications that take as long as the call of one more product."""


def reduce_segments(s: Tensor, x: Tensor, sizes: Sizes) -> Tensor:
    """``S_bᵀ X_b`` for every graph b.

    Args:
        s: ``[N, K]``, the nodes ordered by graph.
        x: ``[N, F]``.
        sizes: Number of nodes of every graph.

    Returns:
        ``[B, K, F]``.
    """
    if is_paddable(sizes, s.size(1) * x.size(1)):
        return pad_segments(s, sizes).mT @ pad_segments(x, sizes)
    return _Reduce.apply(s, x, sizes)  # type: ignore[no-any-return, no-untyped-call]


def lift_segments(s: Tensor, p: Tensor, sizes: Sizes) -> Tensor:
    """``S_b P_b`` for every graph b, as one flat table.

    Args:
        s: ``[N, K]``, the nodes ordered by graph.
        p: ``[B, K, F]``.
        sizes: Number of nodes of every graph.

    Returns:
        ``[N, F]``.
    """
    if is_paddable(sizes, s.size(1) * p.size(2)):
        return unpad_segments(pad_segments(s, sizes) @ p, sizes)
    return _Lift.apply(s, p, sizes)  # type: ignore[no-any-return, no-untyped-call]


def is_paddable(sizes: Sizes, work: int) -> bool:
    """Whether padding all graphs to the largest is cheap, because their sizes are similar or small.

    Args:
        sizes: Number of nodes of every graph.
        work: Multiplications of a product per row.
    """
    rows, padded = sum(sizes), max((*sizes, 0)) * len(sizes)  # torch.compile does not know max(…, default=0)
    return padded <= MOST_PADDING * rows and (padded - rows) * work <= WORTH_A_CALL * len(sizes)


def pad_segments(flat: Tensor, sizes: Sizes) -> Tensor:
    """The rows ``[N, F]`` as a batch ``[B, n, F]``, with n the largest size. Padding is zero."""
    longest = max((*sizes, 0))
    if not _are_equal(sizes):
        rows = flat.new_zeros(len(sizes) * longest, flat.size(1))
        flat = rows.index_copy_(0, _places(sizes, flat.device), flat)
    return flat.reshape(len(sizes), longest, flat.size(1))


def unpad_segments(padded: Tensor, sizes: Sizes) -> Tensor:
    """The inverse of `pad_segments`, ``[B, n, F]`` → ``[N, F]``."""
    flat = padded.flatten(0, 1)
    return flat if _are_equal(sizes) else flat.index_select(0, _places(sizes, flat.device))


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


@lru_cache(maxsize=8)
def _places(sizes: Sizes, device: torch.device) -> Tensor:
    """The row of every node in the padded table, ``[N]``. All products of one batch share it."""
    count = np.asarray(sizes, dtype=np.int64)
    shift = np.arange(len(sizes)) * max(sizes, default=0) - (count.cumsum() - count)
    with torch.inference_mode(False):  # a tensor of inference mode could not be used in training later
        return torch.from_numpy(np.arange(count.sum()) + shift.repeat(count)).to(device)
