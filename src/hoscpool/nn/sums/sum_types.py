"""What the losses and the coarsening of a pool sum over the nodes of every graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums.kernels import as_array
from hoscpool.objectives import Adjacency


@dataclass(frozen=True, eq=False)
class CutSums:
    """The sums that losses are made of, for the matrices W that an assignment is judged by.

    Attributes:
        names: The name of every matrix.
        association: Σ_ij W_ij S_ik S_jk, ``[M, B, K]``.
        volume: The volume of every cluster, ``[M, B, K]``.
        total: The volume of every graph, ``[M, B]``.
        squares: Σ_i S_ik², ``[B, K]``, a row counted as often as nodes it stands for.
    """

    names: tuple[str, ...]
    association: Tensor
    volume: Tensor
    total: Tensor
    squares: Tensor


@dataclass(frozen=True, eq=False)
class NodeSums(CutSums):
    """The same, and the coarsened graph.

    Attributes:
        adjacency: SᵀAS, ``[B, K, K]``.
        x: SᵀX, ``[B, K, F]``.
    """

    adjacency: Tensor
    x: Tensor


Parts = tuple[Tensor, ...]
"""The tensors of `NodeSums` in their order, as a backend returns them."""


class Request(NamedTuple):
    """What a backend is asked for, besides S.

    Attributes:
        graph: The graphs.
        matrices: Symmetric matrices over the nodes of the batch; A is one of them.
        cuts: The first so many of them are those that association, volume and total are returned for.
        edge: The place of A.
        soft: Whether a volume is Σ d S, and not Σ d S².
    """

    graph: GraphBatch
    matrices: list[Adjacency]
    cuts: int
    edge: int
    soft: bool

    @property
    def counts(self) -> Any:
        """How many nodes every row stands for, as kernels take it: an array ``[N]``, or ``None`` for one."""
        return None if self.graph.counts is None else as_array(self.graph.counts)
