"""The sums over the nodes as tensor operations. Tests compare the other backends with this one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums.segments import reduce_segments
from hoscpool.nn.sums.sum_types import Parts, Request
from hoscpool.objectives import Adjacency, Assignment, Volume, association_of, volume_of


def sum_plain(s: Tensor, request: Request) -> Parts:
    """The tensors of `NodeSums` on any device, in any precision."""
    graph, matrices, cuts, _, soft = request
    inside = reduce_segments(s, graph.adjacency.dot(s), graph.sizes)
    pooled = reduce_segments(s, graph.weigh(graph.x), graph.sizes)
    return *sum_cuts(graph, s, matrices[:cuts], soft), inside, pooled


def sum_cuts(graph: GraphBatch, s: Tensor, matrices: Sequence[Adjacency], soft: bool) -> Parts:
    """The tensors of `CutSums`."""
    flat = Assignment(s, None if len(graph.sizes) == 1 else graph.batch, len(graph.sizes))
    kind: Volume = "soft" if soft else "diagonal"
    none = s.new_zeros(0, len(graph.sizes), s.size(1))

    def stack(part: Callable[[Adjacency], Tensor]) -> Tensor:
        return torch.stack([part(matrix) for matrix in matrices]) if matrices else none

    association = stack(lambda matrix: association_of(matrix, flat))
    volume = stack(lambda matrix: volume_of(matrix, flat, kind))
    total = stack(lambda matrix: flat.sum(matrix.degree))
    return association, volume, total if matrices else none[..., 0], flat.sum(graph.weigh(s.square()))
