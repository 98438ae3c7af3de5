"""The sums over the nodes of dense graphs as a few batched products and one node of the gradient."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.sums.kernels import has_kernels
from hoscpool.nn.sums.sum_types import Parts, Request
from hoscpool.objectives.operators.storage import DenseAdjacency


def sum_dense(s: Tensor, request: Request) -> Parts | None:
    """The sums, differentiable once in everything; ``None`` where this is not the way."""
    weights = [matrix.tensor for matrix in request.matrices if isinstance(matrix, DenseAdjacency)]
    if not request.cuts or len(weights) < len(request.matrices) or not has_kernels(s):
        return None
    if any(tensor.dtype != s.dtype for tensor in (request.graph.x, *weights)):
        return None
    parts: Parts = _Sums.apply(s, request.graph.x, request, *weights)  # type: ignore[no-untyped-call]
    return parts


class _Sums(torch.autograd.Function):
    """By graph: S is ``[B, n, K]``, X ``[B, n, F]``, the degrees ``[B, n, M]``."""

    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, request: Request, *weights: Tensor) -> Parts:
        graphs, nodes = weights[0].shape[:2]
        members, features = s.view(graphs, nodes, -1), x.view(graphs, nodes, -1)
        products = [weight @ members for weight in weights]
        degree = torch.stack([weight.sum(dim=-1) for weight in weights[: request.cuts]], dim=-1)
        ctx.request = request
        ctx.save_for_backward(members, features, degree, *products)
        association = torch.stack([(members * product).sum(dim=1) for product in products[: request.cuts]])
        squared = members.square()
        volume = (degree.mT @ (members if request.soft else squared)).transpose(0, 1)
        reduced, k = members.mT @ torch.cat([products[request.edge], features], dim=-1), members.size(-1)
        return association, volume, degree.sum(dim=1).t(), squared.sum(dim=1), reduced[..., :k], reduced[..., k:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """With U the gradient of SᵀWS, its diagonal included, S gets W S (U + Uᵀ), and W gets S U Sᵀ."""
        request: Request = ctx.request
        members, features, degree, *products = ctx.saved_tensors
        association, volume, total, squares, inside, pooled = gradients
        touching = degree @ volume.transpose(0, 1)  # what the volumes hand back to S or S², [B, n, K]
        if request.soft:
            to_s = (2 * members * squares.unsqueeze(1)).add_(touching)
        else:
            to_s = 2 * members * touching.add_(squares.unsqueeze(1))
        to_s.baddbmm_(features, pooled.mT).baddbmm_(products[request.edge], inside + inside.mT)
        for product, along in zip(products, association.unsqueeze(2), strict=False):
            to_s.addcmul_(product, along, value=2)
        to_weights = [
            _back_weight(members, request, association, volume, total, inside, m)
            if ctx.needs_input_grad[3 + m]
            else None
            for m in range(len(products))
        ]
        return to_s.flatten(0, 1), (members @ pooled).flatten(0, 1), None, *to_weights


def _back_weight(
    members: Tensor, request: Request, association: Tensor, volume: Tensor, total: Tensor, inside: Tensor, m: int
) -> Tensor:
    """The gradient of the m-th W: S U Sᵀ, and in every row that of its degree."""
    if m >= request.cuts:
        return members @ inside @ members.mT
    lifted = members * association[m].unsqueeze(1)
    if m == request.edge:
        lifted.baddbmm_(members, inside)
    touched = members if request.soft else members.square()
    to_degree = touched @ volume[m].unsqueeze(-1) + total[m].view(-1, 1, 1)  # [B, n, 1]
    return torch.baddbmm(to_degree, lifted, members.mT)
