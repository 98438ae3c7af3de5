"""What the losses of HoscPool are made of, for all motifs at once: one sum over the nodes, one step of the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.coarsen import edge_product, keep_coarsened
from hoscpool.nn.graphs import GraphBatch
from hoscpool.nn.small import sum_small
from hoscpool.objectives import Adjacency
from hoscpool.objectives.cuts import Volume


class Statistics(NamedTuple):
    """Sums over the nodes of every graph.

    Attributes:
        association: Σ_ij A_ij S_ik S_jk of every motif, ``[M, B, K]``.
        volume: The volume of every cluster, ``[M, B, K]``.
        total: The volume of every graph, ``[M, B, 1]``.
        squares: Σ_i S_ik², ``[B, K]``.
    """

    association: Tensor
    volume: Tensor
    total: Tensor
    squares: Tensor


def cut_statistics(graph: GraphBatch, s: Tensor, matrices: Sequence[Adjacency], volume: Volume) -> Statistics:
    """The statistics of an assignment ``[N, K]`` on the motif adjacencies of a batch, differentiable in both."""
    small = sum_small(graph, s, matrices, volume)
    if small is not None:
        keep_coarsened(graph, s, small)
        return Statistics(small.association, small.volume, small.total.unsqueeze(-1), small.squares)
    degree = torch.stack([matrix.degree for matrix in matrices])  # [M, N]
    products = [_product(graph, matrix, s) for matrix in matrices]
    if any(matrix.requires_grad for matrix in matrices):
        touched = s if volume == "soft" else s.square()
        parts = [s * product for product in products] + [d.unsqueeze(1) * touched for d in degree] + [s.square()]
        table = graph.sum(torch.cat(parts, dim=1))
    else:
        slopes = [2 * product.detach() for product in products]
        table = _Sums.apply(s, torch.cat(slopes, dim=1), degree, graph, volume)  # type: ignore[no-untyped-call]
    sums = table.view(len(graph.sizes), 2 * len(matrices) + 1, s.size(1)).transpose(0, 1)  # [2M + 1, B, K]
    count = len(matrices)
    return Statistics(sums[:count], sums[count:-1], graph.sum(degree.t()).t().unsqueeze(-1), sums[-1])


def _product(graph: GraphBatch, matrix: Adjacency, s: Tensor) -> Tensor:
    """A·S; the edge's is needed for coarsening too."""
    if matrix is graph.adjacency:
        return edge_product(graph, s)
    return matrix @ s if matrix.requires_grad else matrix.multiply(s.detach())


class _Sums(torch.autograd.Function):
    """The table ``[B, (2M + 1)·K]`` for constant matrices.

    A is symmetric, so ∂assoc_k/∂S_ik = 2·(A·S)_ik: the products of the forward pass are all that the backward needs.
    """

    @staticmethod
    def forward(ctx: Any, s: Tensor, slopes: Tensor, degree: Tensor, graph: GraphBatch, volume: Volume) -> Tensor:
        touched = degree.t().unsqueeze(-1) * (s if volume == "soft" else s.square()).unsqueeze(1)  # [N, M, K]
        values = slopes.view(len(s), len(degree), s.size(1)) * (s / 2).unsqueeze(1)  # [N, M, K]
        ctx.save_for_backward(s, slopes, degree)
        ctx.graph, ctx.volume = graph, volume
        return graph.sum(torch.cat([values.flatten(1), touched.flatten(1), s.square()], dim=1))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None, None]:
        s, slopes, degree = ctx.saved_tensors
        count = len(degree)
        to_node = gradient.index_select(0, ctx.graph.batch).view(len(s), 2 * count + 1, s.size(1))  # [N, 2M + 1, K]
        volume = (degree.t().unsqueeze(-1) * to_node[:, count:-1]).sum(dim=1)  # [N, K]
        if ctx.volume != "soft":
            volume = 2 * s * volume
        inside = (slopes.view(len(s), count, s.size(1)) * to_node[:, :count]).sum(dim=1)
        return inside + volume + 2 * s * to_node[:, -1], None, None, None, None
