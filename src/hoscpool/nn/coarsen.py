"""From an assignment to the coarsened graph: the last step of every clustering pool."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from hoscpool.nn.graphs import GraphBatch
from hoscpool.nn.reduction import reduce_both
from hoscpool.nn.segments import reduce_segments


def coarsen_features(graph: GraphBatch, assignment: Tensor) -> Tensor:
    """X_pool = SᵀX for every graph, ``[B, K, F]``."""
    return _coarsen(graph, assignment)[0]


def coarsen_adjacency(
    graph: GraphBatch, assignment: Tensor, *, remove_self_loops: bool = True, normalize: bool = True
) -> Tensor:
    """A_pool = SᵀAS for every graph, ``[B, K, K]``.

    Args:
        graph: The graphs.
        assignment: S, ``[N, K]``.
        remove_self_loops: Zero the diagonal, which would otherwise dominate what the next encoder sees.
        normalize: D^(−1/2) A_pool D^(−1/2).
    """
    pooled = _coarsen(graph, assignment)[1]
    if remove_self_loops:
        pooled = zero_diagonal(pooled)
    return normalize_symmetric(pooled) if normalize else pooled


def edge_product(graph: GraphBatch, assignment: Tensor) -> Tensor:
    """A·S, which the losses and the coarsening share; differentiable where A is."""
    return _coarsen(graph, assignment)[2]


def _coarsen(graph: GraphBatch, s: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """SᵀX, SᵀAS and A·S, kept for the next who asks for the same."""
    return graph.once("coarsened", s, lambda: _compute(graph, s))


def _compute(graph: GraphBatch, s: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    if graph.dense is None:
        both, product = reduce_both(s, graph.x, graph.adjacency, graph.sizes)
        return both[..., s.size(1) :], both[..., : s.size(1)], product
    product = graph.propagate(s)
    return reduce_segments(s, graph.x, graph.sizes), reduce_segments(s, product, graph.sizes), product


def zero_diagonal(adjacency: Tensor) -> Tensor:
    """The adjacency without its diagonal."""
    build = _off_diagonal.__wrapped__ if torch.compiler.is_compiling() else _off_diagonal
    return adjacency * build(adjacency.size(-1), adjacency.dtype, adjacency.device)


@lru_cache(maxsize=16)
def _off_diagonal(size: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Ones but for a diagonal of zeros."""
    return 1 - torch.eye(size, dtype=dtype, device=device)


def normalize_symmetric(adjacency: Tensor) -> Tensor:
    """D^(−1/2) A D^(−1/2) with sqrt(max(d, ε)): a supernode without edges keeps its zeros and a finite gradient."""
    degree = adjacency.sum(dim=-1).clamp(min=torch.finfo(adjacency.dtype).eps)
    scale = degree.rsqrt()
    return scale.unsqueeze(-1) * adjacency * scale.unsqueeze(-2)
