"""The sums over the nodes of every graph that losses and coarsening need, stated as tensor operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums.kernels import as_array
from hoscpool.nn.sums.segments import reduce_segments
from hoscpool.objectives import Adjacency, Assignment, Volume, association_of, volume_of


@dataclass(frozen=True, eq=False)
class CutSums:
    """The sums that the losses need, for every matrix W that they use.

    Attributes:
        names: The name of every matrix.
        association: Σ_ij W_ij S_ik S_jk, ``[M, B, K]``.
        volume: The volume of every cluster, ``[M, B, K]``.
        total: The volume of every graph, ``[M, B]``.
        squares: Σ_i S_ik², ``[B, K]``. A row counts once for every node it stands for.
    """

    names: tuple[str, ...]
    association: Tensor
    volume: Tensor
    total: Tensor
    squares: Tensor


@dataclass(frozen=True, eq=False)
class NodeSums(CutSums):
    """The sums of `CutSums`, and the coarsened graph.

    Attributes:
        adjacency: SᵀAS, ``[B, K, K]``.
        x: SᵀX, ``[B, K, F]``.
    """

    adjacency: Tensor
    x: Tensor


Parts = tuple[Tensor, ...]
"""The tensors of `NodeSums` in their order. Backends return them."""


class Request(NamedTuple):
    """The input of a backend, besides S.

    Attributes:
        graph: The graphs.
        matrices: Symmetric matrices over the nodes of the batch. A is one of them.
        cuts: Return association, volume and total for this many matrices, the first ones.
        edge: The position of A in ``matrices``.
        soft: Whether a volume is Σ d S instead of Σ d S².
    """

    graph: GraphBatch
    matrices: list[Adjacency]
    cuts: int
    edge: int
    soft: bool

    @property
    def counts(self) -> Any:
        """How many nodes every row stands for: an array ``[N]`` for the kernels, or ``None`` if it is always one."""
        return None if self.graph.counts is None else as_array(self.graph.counts)


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
