"""Motif adjacency of small dense weighted graphs, such as coarsened ones, differentiable in the weights."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.motifs import Motif, get_motif
from hoscpool.nn.coarsen import zero_diagonal


def dense_motif_adjacency(
    adjacency: Tensor, motif: str | Motif, *, on_edges: bool = True, is_pooled: bool = False
) -> Tensor:
    """(A_M)_ij = Σ over the instances that contain i and j of the product of their edge weights.

    On 0/1 weights these are the counts of [`motif_adjacency`][hoscpool.motif_adjacency]; the triangle is A² ⊙ A.
    Three-node motifs cost K³ a graph, four-node motifs K⁴ time and K³ memory. The diagonal is ignored: an instance has
    distinct nodes.

    Args:
        adjacency: Symmetric weights ``[B, K, K]``.
        motif: An undirected motif of the catalogue.
        on_edges: Keep only pairs i, j of positive weight.
        is_pooled: Whether the weights come from a symmetric formula, so that only the symmetric part of their gradient
            matters; it is all that triangles then hand back, at half the cost.

    Returns:
        ``[B, K, K]``, symmetric with zero diagonal.

    Raises:
        ValueError: The motif is directed; a coarsened graph has no directions.

    Examples:
        >>> square = torch.tensor([[[0.0, 2.0, 1.0], [2.0, 0.0, 3.0], [1.0, 3.0, 0.0]]])
        >>> dense_motif_adjacency(square, "triangle")[0]
        tensor([[0., 6., 6.],
                [6., 0., 6.],
                [6., 6., 0.]])
    """
    motif = get_motif(motif)
    if motif.is_directed:
        raise ValueError(
            f"motifs: {motif.name} is a directed motif and a dense adjacency has no directions; "
            "use undirected motifs in the layers after the first pool"
        )
    weight = zero_diagonal(adjacency)
    if motif.name == "edge":
        return weight
    if motif.name == "triangle":
        return _Triangles.apply(weight) if is_pooled else torch.bmm(weight, weight) * weight  # type: ignore[no-untyped-call]
    total = _sum_over_role_pairs(weight, motif)
    return total * (weight > 0) if on_edges else total


class _Triangles(torch.autograd.Function):
    """A² ⊙ A of symmetric matrices that depend on something by symmetric formulas only."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor) -> Tensor:
        square = torch.bmm(weight, weight)
        ctx.save_for_backward(weight, square)
        return square * weight

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        """G ⊙ A² + H A + A H with H = G ⊙ A; of the last two the symmetric part, T + Tᵀ with T = (H + Hᵀ)/2 A."""
        weight, square = ctx.saved_tensors
        along = gradient * weight
        half = torch.bmm((along + along.mT).div_(2), weight)
        return gradient.mul(square).add_(half).add_(half.mT)


def _sum_over_role_pairs(weight: Tensor, motif: Motif) -> Tensor:
    """Put i and j in every pair of roles; the other roles are summed out."""
    apart = zero_diagonal(torch.ones_like(weight))  # roles without an edge between them are still different nodes
    joined = {frozenset(edge) for edge in motif.edges}
    total = torch.zeros_like(weight)
    for a, b in combinations(range(motif.num_nodes), 2):
        rest = [role for role in range(motif.num_nodes) if role not in (a, b)]

        def factor(r: int, q: int) -> Tensor:
            return weight if frozenset((r, q)) in joined else apart

        total = total + factor(a, b) * _sum_out(factor, a, b, rest)
    return (total + total.mT) / _count_automorphisms(motif)


def _sum_out(factor: Callable[[int, int], Tensor], a: int, b: int, rest: list[int]) -> Tensor:
    """Σ over the nodes in the remaining one or two roles of all factors that touch them, ``[B, K, K]``."""
    c = rest[0]
    if len(rest) == 1:
        return factor(a, c) @ factor(b, c)
    d = rest[1]
    at_c = factor(a, c).unsqueeze(2) * factor(b, c).unsqueeze(1)  # [B, K, K, K]
    at_d = factor(a, d).unsqueeze(2) * factor(b, d).unsqueeze(1)
    return ((at_c @ factor(c, d).unsqueeze(1)) * at_d).sum(dim=-1)


def _count_automorphisms(motif: Motif) -> int:
    edges = {frozenset(edge) for edge in motif.edges}
    orders = permutations(range(motif.num_nodes))
    return sum({frozenset((p[a], p[b])) for a, b in motif.edges} == edges for p in orders)
