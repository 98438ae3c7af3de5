"""From an assignment to the coarsened graph: the last step of every clustering pool."""

from __future__ import annotations

import torch
from torch import Tensor

from hoscpool.nn.graphs import GraphBatch
from hoscpool.nn.segments import reduce_segments


def coarsen_features(graph: GraphBatch, assignment: Tensor) -> Tensor:
    """X_pool = SᵀX for every graph, ``[B, K, F]``."""
    return reduce_segments(assignment, graph.x, graph.sizes)


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
    pooled = reduce_segments(assignment, graph.propagate(assignment), graph.sizes)
    if remove_self_loops:
        pooled = zero_diagonal(pooled)
    return normalize_symmetric(pooled) if normalize else pooled


def zero_diagonal(adjacency: Tensor) -> Tensor:
    """The adjacency without its diagonal."""
    return adjacency * (1 - torch.eye(adjacency.size(-1), dtype=adjacency.dtype, device=adjacency.device))


def normalize_symmetric(adjacency: Tensor) -> Tensor:
    """D^(−1/2) A D^(−1/2) with sqrt(max(d, ε)): a supernode without edges keeps its zeros and a finite gradient."""
    degree = adjacency.sum(dim=-1).clamp(min=torch.finfo(adjacency.dtype).eps)
    scale = degree.rsqrt()
    return scale.unsqueeze(-1) * adjacency * scale.unsqueeze(-2)
