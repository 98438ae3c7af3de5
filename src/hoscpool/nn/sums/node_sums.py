"""What the losses of HoscPool are made of, for all motifs at once: one sum over the nodes, one step of the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums.coarsen import edge_product, keep_coarsened
from hoscpool.nn.sums.dense import sum_dense
from hoscpool.nn.sums.result import NodeSums
from hoscpool.nn.sums.small import sum_small
from hoscpool.nn.sums.sparse import sum_sparse
from hoscpool.objectives import Adjacency
from hoscpool.objectives.cuts import Volume


class Statistics(NamedTuple):
    """Sums over the nodes of every graph.

    Attributes:
        association: Σ_ij A_ij S_ik S_jk of every motif, ``[M, B, K]``.
        volume: The volume of every cluster, ``[M, B, K]``.
        total: The volume of every graph, ``[M, B, 1]``.
        squares: Σ_i S_ik², ``[B, K]``, a row counted as often as nodes it stands for.
    """

    association: Tensor
    volume: Tensor
    total: Tensor
    squares: Tensor


def cut_statistics(graph: GraphBatch, s: Tensor, matrices: Sequence[Adjacency], volume: Volume) -> Statistics:
    """The statistics of an assignment ``[N, K]`` on the motif adjacencies of a batch, differentiable in both."""
    sums = sum_nodes(graph, s, matrices, volume)
    if sums is not None:
        keep_coarsened(graph, s, sums)
        return Statistics(sums.association, sums.volume, sums.total.unsqueeze(-1), sums.squares)
    degree = torch.stack([matrix.degree for matrix in matrices])  # [M, N]
    products = [_product(graph, matrix, s) for matrix in matrices]
    if any(matrix.requires_grad for matrix in matrices):
        touched = s if volume == "soft" else s.square()
        parts = [s * product for product in products] + [d.unsqueeze(1) * touched for d in degree]
        parts.append(graph.weigh(s.square()))
        table = graph.sum(torch.cat(parts, dim=1)).view(len(graph.sizes), -1, s.size(1)).transpose(0, 1)
    else:
        constants = [product.detach() for product in products]
        table = _Sums.apply(s, degree.to(s.dtype), graph, volume == "soft", *constants)  # type: ignore[no-untyped-call]
    count = len(matrices)
    return Statistics(table[:count], table[count:-1], graph.sum(degree.t()).t().unsqueeze(-1), table[-1])


def sum_nodes(graph: GraphBatch, s: Tensor, matrices: Sequence[Adjacency], volume: Volume) -> NodeSums | None:
    """All sums at once by the way that suits the graphs; ``None`` where kernels cannot help."""
    for way in (sum_small, sum_dense, sum_sparse):
        sums = way(graph, s, matrices, volume)
        if sums is not None:
            return sums
    return None


def _product(graph: GraphBatch, matrix: Adjacency, s: Tensor) -> Tensor:
    """A·S; the edge's is needed for coarsening too."""
    if matrix is graph.adjacency:
        return edge_product(graph, s)
    return matrix @ s if matrix.requires_grad else matrix.multiply(s.detach())


class _Sums(torch.autograd.Function):
    """The table ``[2M + 1, B, K]`` for constant matrices: associations, volumes, squares.

    A is symmetric, so ∂assoc_k/∂S_ik = 2·(A·S)_ik: the products of the forward pass are all that the backward needs.
    """

    @staticmethod
    def forward(ctx: Any, s: Tensor, degree: Tensor, graph: GraphBatch, soft: bool, *products: Tensor) -> Tensor:
        ctx.save_for_backward(s, degree, *products)
        ctx.graph, ctx.soft = graph, soft
        inside = [s * product for product in products]
        touched = [d.unsqueeze(1) * (s if soft else s.square()) for d in degree]
        sums = graph.sum(torch.cat([*inside, *touched, graph.weigh(s.square())], dim=1))  # [B, (2M + 1)·K]
        return sums.view(len(graph.sizes), -1, s.size(1)).transpose(0, 1).contiguous()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        s, degree, *products = ctx.saved_tensors
        count = len(products)
        to_node = gradient.index_select(1, ctx.graph.batch)  # [2M + 1, N, K]
        volume = torch.einsum("mn,mnk->nk", degree, to_node[count:-1])
        inside = sum(product * slope for product, slope in zip(products, to_node, strict=False))
        to_s = 2 * (inside + ctx.graph.weigh(s * to_node[-1])) + (volume if ctx.soft else 2 * s * volume)
        return to_s, None, None, None, *(None for _ in products)
