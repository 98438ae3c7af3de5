"""What the losses and the coarsening of a pool sum over the nodes of every graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.objectives import Adjacency


class NodeSums(NamedTuple):
    """Sums over the nodes of every graph, for all matrices W that were given.

    Attributes:
        association: Σ_ij W_ij S_ik S_jk, ``[M, B, K]``.
        volume: The volume of every cluster, ``[M, B, K]``.
        total: The volume of every graph, ``[M, B]``.
        squares: Σ_i S_ik², ``[B, K]``.
        adjacency: SᵀAS, ``[B, K, K]``.
        x: SᵀX, ``[B, K, F]``.
    """

    association: Tensor
    volume: Tensor
    total: Tensor
    squares: Tensor
    adjacency: Tensor
    x: Tensor


def with_edge(graph: GraphBatch, matrices: Sequence[Adjacency]) -> tuple[list[Adjacency], int]:
    """The matrices with A among them, at the end unless it is there already; and its place."""
    every = [*matrices] if any(matrix is graph.adjacency for matrix in matrices) else [*matrices, graph.adjacency]
    return every, next(place for place, matrix in enumerate(every) if matrix is graph.adjacency)
