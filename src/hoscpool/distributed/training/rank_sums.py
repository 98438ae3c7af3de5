"""Sums over the ranks with gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from hoscpool.distributed.training.ranks import Ranks


def sum_for_loss(parts: list[Tensor], ranks: Ranks) -> list[Tensor]:
    """Sums over the ranks for a loss that every rank computes alike, by one all-reduce.

    ∂loss/∂sum is known on every rank, and a rank's own part enters the sum with slope 1. So the gradient goes back as
    it is, and every rank gets that of its own nodes.
    """
    sizes = [part.numel() for part in parts]
    flat = torch.cat([part.reshape(-1) for part in parts])
    total: Tensor = _LossSum.apply(flat, ranks)  # type: ignore[no-untyped-call]
    return [piece.view_as(part) for piece, part in zip(torch.split(total, sizes), parts, strict=True)]


def sum_for_nodes(part: Tensor, ranks: Ranks) -> Tensor:
    """A sum over the ranks for values that go back to the nodes, such as a coarsened graph.

    Every rank knows the part of ∂loss/∂sum that comes from its own nodes. So the gradients are summed too.
    """
    total: Tensor = _NodeSum.apply(part, ranks)  # type: ignore[no-untyped-call]
    return total


class _LossSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, part: Tensor, ranks: Ranks) -> Tensor:  # noqa: ARG004
        return ranks.sum(part)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:  # noqa: ARG004
        return gradient, None


class _NodeSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, part: Tensor, ranks: Ranks) -> Tensor:
        ctx.ranks = ranks
        return ranks.sum(part)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return ctx.ranks.sum(gradient), None
