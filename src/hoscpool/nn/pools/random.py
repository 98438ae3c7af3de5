"""Random clusters: the baseline that shows what clustering adds."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.read_graphs import check_count
from hoscpool.nn.pools.clustering import HardPool
from hoscpool.nn.pools.registry import register_pool


@register_pool("random", "random clusters", title="Random")
class RandomPool(HardPool):
    """Every node joins a random cluster. An empty cluster is masked out.

    In training every call draws again. In evaluation the i-th node of every graph always joins the same cluster, so
    results repeat. The draws depend on ``random_state`` and the number of training calls, not on torch's global
    generator. A saved layer continues where it stopped.

    Args:
        in_channels: Width of the input features.
        num_clusters: K, the number of supernodes of every graph.
        random_state: Seed of the draws.
        remove_self_loops: Zero the diagonal of the coarsened adjacency.
        normalize: Normalise it symmetrically.
    """

    draws: Tensor

    def __init__(
        self,
        in_channels: int,
        num_clusters: int,
        *,
        random_state: int = 0,
        remove_self_loops: bool = True,
        normalize: bool = True,
    ) -> None:
        super().__init__(in_channels, num_clusters, remove_self_loops=remove_self_loops, normalize=normalize)
        self.random_state = check_count(random_state, "random_state", least=0)
        self.register_buffer("draws", torch.zeros((), dtype=torch.int64))

    def reset_parameters(self) -> None:
        """Start the sequence of draws again."""
        self.draws.zero_()

    def select(self, graph: GraphBatch) -> Tensor:
        """A one-hot S, ``[N, K]``."""
        if self.training:
            self.draws += 1
            cluster = self._draw(graph.x.size(0), int(self.draws))
        else:
            cluster = self._draw(max(graph.sizes, default=0), 0)[_positions(graph)]
        return nn.functional.one_hot(cluster.to(graph.x.device), self.num_clusters).to(graph.x.dtype)

    def _draw(self, count: int, call: int) -> Tensor:
        generator = torch.Generator().manual_seed(self.random_state * 1_000_003 + call)
        return torch.randint(self.num_clusters, (count,), generator=generator)


def _positions(graph: GraphBatch) -> Tensor:
    """The position of every node within its own graph."""
    return torch.arange(len(graph.x)) - torch.from_numpy(graph.ptr)[graph.batch.cpu()]
