"""No pooling: the output is the input."""

from __future__ import annotations

import torch
from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.base import Motifs
from hoscpool.nn.pools.dropping import DropPool, Kept
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.nn.pools.registry import register_pool


@register_pool("none", "no pooling", title="NoPool")
class NoPool(DropPool):
    """Returns the input graphs unchanged, as edge lists: the baseline without coarsening.

    Args:
        in_channels: Width of the input features.
    """

    takes_counts = True

    def pool(self, graph: GraphBatch, motifs: Motifs | None) -> PoolingOutput:
        """All nodes and edges, with what is already known about the graphs."""
        out = super().pool(graph, motifs)
        out.graphs = graph
        return out

    def keep(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None, batch: Tensor) -> Kept:
        """All nodes and edges."""
        every = torch.arange(x.size(0), device=x.device)
        return Kept(x, edge_index, edge_weight, batch, node=every, supernode=every)
