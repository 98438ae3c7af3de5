"""EdgePool: contract edges."""

from __future__ import annotations

import torch
from torch import Tensor
from torch_geometric.nn import EdgePooling

from hoscpool.nn.pools.dropping import DropPool, Kept
from hoscpool.nn.pools.registry import register_pool


@register_pool("edge", "contracted edges (Diehl 2019)")
class EdgePool(DropPool):
    """Contract a matching of high-scoring edges (Diehl 2019), by PyG's ``EdgePooling``; it ignores edge weights.

    About half of the nodes remain on every graph. PyG numbers the supernodes in the order of contraction. Here they are
    sorted by graph, as the next layer needs them. Nodes with the same neighbours have equal scores. PyG's sort decides
    such ties, and the rest of the batch can change its decision.

    Args:
        in_channels: Width of the input features.
        dropout: Dropout of the edge scores.
    """

    def __init__(self, in_channels: int, *, dropout: float = 0.0) -> None:
        super().__init__(in_channels)
        self.operator = EdgePooling(in_channels, dropout=dropout)

    def keep(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None, batch: Tensor) -> Kept:  # noqa: ARG002
        """The contracted graphs."""
        pooled, edges, graphs, info = self.operator(x, edge_index, batch)
        graphs, order = graphs.sort(stable=True)
        number = torch.empty_like(order)
        number[order] = torch.arange(len(order), device=order.device)
        every = torch.arange(x.size(0), device=x.device)
        return Kept(pooled[order], number[edges], None, graphs, node=every, supernode=number[info.cluster])
