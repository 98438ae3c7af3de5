"""The objective of a graph whose nodes are spread over the ranks. The losses are those of one process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from hoscpool.cluster import Objective
from hoscpool.distributed.training.halo import HaloAdjacency
from hoscpool.distributed.training.rank_sums import sum_for_loss
from hoscpool.distributed.training.ranks import Ranks
from hoscpool.nn import GraphBatch
from hoscpool.support.lazy import lazy


@dataclass(frozen=True, eq=False)
class SpreadGraph(GraphBatch):
    """One graph of which this rank has some nodes. Sums over nodes are sums over all ranks.

    Attributes:
        ranks: The processes.
    """

    ranks: Ranks | None = None

    @lazy
    def num_nodes(self) -> Tensor:
        """Number of nodes of the graph on all ranks, ``[1]``."""
        assert self.ranks is not None
        return self.ranks.sum(torch.tensor(self.sizes, dtype=torch.float64)).to(self.x.dtype)

    def add_up(self, sums: Sequence[Tensor]) -> Sequence[Tensor]:
        """Sums over the nodes of this rank, as sums over all nodes: 2K numbers a matrix and K squares at once."""
        assert self.ranks is not None
        return sum_for_loss(list(sums), self.ranks)

    def sum(self, values: Tensor) -> Tensor:
        """Σ over the nodes of all ranks, ``[n, F]`` → ``[1, F]``."""
        return self.add_up([super().sum(values)])[0]

    def gram(self, assignment: Tensor) -> Tensor:
        """SᵀS over the nodes of all ranks, ``[1, K, K]``."""
        return self.add_up([super().gram(assignment)])[0]


class SpreadObjective(Objective):
    """An objective whose matrices are spread over the ranks. Arguments as in `Objective`."""

    @cached_property
    def _graph(self) -> GraphBatch:
        first = next(iter(self.adjacencies.values()))
        assert isinstance(first, HaloAdjacency)
        x, batch = torch.empty(first.num_nodes, 0), torch.zeros(first.num_nodes, dtype=torch.int64)
        return SpreadGraph(x, batch, (first.num_nodes,), matrices=self.adjacencies, ranks=first.halo.ranks)
