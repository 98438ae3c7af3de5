"""From sums over the nodes to the losses of HoscPool, in one step."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.sums.kernels import as_array, has_kernels
from hoscpool.nn.sums.node_sums import Statistics
from hoscpool.objectives.equations import cut_of, orthogonality_of


def hosc_terms(sums: Statistics, num_nodes: Tensor) -> Tensor:
    """L_mc of every motif and L_o, each the mean over the graphs, ``[M + 1]``; gradients can be taken once.

    Args:
        sums: Sums over the nodes of every graph.
        num_nodes: Number of nodes of every graph, ``[B]``.
    """
    if has_kernels(sums.squares):
        terms: Tensor = _Terms.apply(*sums, num_nodes)  # type: ignore[no-untyped-call]
        return terms
    cuts = cut_of(sums.association, sums.volume, sums.total)  # [M, B]
    apart = orthogonality_of(sums.squares, num_nodes)  # [B]
    return torch.cat([cuts, apart.unsqueeze(0)]).sum(dim=1) / max(len(num_nodes), 1)


class _Terms(torch.autograd.Function):
    """The same by a kernel that gives the slopes with the values."""

    @staticmethod
    def forward(ctx: Any, *sums: Tensor) -> Tensor:
        from hoscpool.nn.sums.kernels.losses import sum_cuts, sum_orthogonality

        association, volume, total, squares, num_nodes = map(as_array, sums)
        limits, terms = np.finfo(squares.dtype), np.empty(len(association) + 1, squares.dtype)
        ctx.slopes = tuple(np.empty_like(part) for part in (association, volume, squares))
        inside, touched, apart = ctx.slopes
        sum_cuts(association, volume, total[..., 0], limits.eps, limits.tiny, terms, inside, touched)
        terms[-1] = sum_orthogonality(squares, num_nodes, apart)
        return torch.from_numpy(terms)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, Tensor, None]:
        to_association, to_volume, to_squares = ctx.slopes
        weights = as_array(gradient)
        cuts = weights[:-1, None, None]
        parts = (cuts * to_association, cuts * to_volume, weights[-1] * to_squares)
        inside, touched, apart = map(torch.from_numpy, parts)
        return inside, touched, None, apart, None
