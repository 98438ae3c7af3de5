"""Everything a pool sums over the nodes of dense graphs, as a few batched products and one node of the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums.kernels import has_kernels
from hoscpool.nn.sums.result import NodeSums, with_edge
from hoscpool.objectives import Adjacency
from hoscpool.objectives.cuts import Volume
from hoscpool.objectives.operators.storage import DenseAdjacency


def sum_dense(graph: GraphBatch, s: Tensor, matrices: Sequence[Adjacency], volume: Volume = "soft") -> NodeSums | None:
    """The sums of an assignment ``[N, K]``, differentiable once in everything; ``None`` where this is not the way.

    Args:
        graph: The graphs.
        s: S.
        matrices: Symmetric matrices over the nodes of the batch.
        volume: ``"soft"`` or ``"diagonal"``.
    """
    every, edge = with_edge(graph, matrices)
    weights = [matrix.tensor for matrix in every if isinstance(matrix, DenseAdjacency)]
    if not matrices or len(weights) < len(every) or not has_kernels(s):
        return None
    if any(tensor.dtype != s.dtype for tensor in (graph.x, *weights)):
        return None
    call = _Call(len(matrices), edge, volume == "soft")
    return NodeSums(*_Sums.apply(s, graph.x, call, *weights))  # type: ignore[no-untyped-call]


class _Call(NamedTuple):
    """What is not differentiated: for how many matrices sums are returned, A's place among them, the volume."""

    cuts: int
    edge: int
    soft: bool


class _Sums(torch.autograd.Function):
    """By graph: S is ``[B, n, K]``, X ``[B, n, F]``, the degrees ``[B, n, M]``."""

    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, call: _Call, *weights: Tensor) -> tuple[Tensor, ...]:
        graphs, nodes = weights[0].shape[:2]
        members, features = s.view(graphs, nodes, -1), x.view(graphs, nodes, -1)
        products = [weight @ members for weight in weights]
        degree = torch.stack([weight.sum(dim=-1) for weight in weights[: call.cuts]], dim=-1)
        ctx.call = call
        ctx.save_for_backward(members, features, degree, *products)
        association = torch.stack([(members * product).sum(dim=1) for product in products[: call.cuts]])
        squared = members.square()
        volume = (degree.mT @ (members if call.soft else squared)).transpose(0, 1)
        reduced, k = members.mT @ torch.cat([products[call.edge], features], dim=-1), members.size(-1)
        total = degree.sum(dim=1).t()
        ctx.mark_non_differentiable(total)
        return association, volume, total, squared.sum(dim=1), reduced[..., :k], reduced[..., k:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """With U the gradient of SᵀWS, its diagonal included, S gets W S (U + Uᵀ), and W gets S U Sᵀ."""
        call: _Call = ctx.call
        members, features, degree, *products = ctx.saved_tensors
        association, volume, _total, squares, inside, pooled = gradients
        touching = degree @ volume.transpose(0, 1)  # what the volumes hand back to S or S², [B, n, K]
        if call.soft:
            to_s = (2 * members * squares.unsqueeze(1)).add_(touching)
        else:
            to_s = 2 * members * touching.add_(squares.unsqueeze(1))
        to_s.baddbmm_(features, pooled.mT).baddbmm_(products[call.edge], inside + inside.mT)
        for product, along in zip(products, association.unsqueeze(2), strict=False):
            to_s.addcmul_(product, along, value=2)
        to_weights = [
            _back_weight(members, call, association, volume, inside, m) if ctx.needs_input_grad[3 + m] else None
            for m in range(len(products))
        ]
        return to_s.flatten(0, 1), (members @ pooled).flatten(0, 1), None, *to_weights


def _back_weight(members: Tensor, call: _Call, association: Tensor, volume: Tensor, inside: Tensor, m: int) -> Tensor:
    """The gradient of the m-th W: S U Sᵀ, and in every row that of its degree."""
    if m >= call.cuts:
        return members @ inside @ members.mT
    lifted = members * association[m].unsqueeze(1)
    if m == call.edge:
        lifted.baddbmm_(members, inside)
    touched = members if call.soft else members.square()
    return torch.baddbmm(touched @ volume[m].unsqueeze(-1), lifted, members.mT)
