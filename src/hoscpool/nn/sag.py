"""SAGPool: keep the nodes that a small GNN scores best."""

from __future__ import annotations

import torch
from torch import Tensor
from torch_geometric.nn import SAGPooling

from hoscpool.nn.dropping import DropPool, Kept, check_ratio


class SAGPool(DropPool):
    """Self-attention graph pooling (Lee, Lee & Kang 2019), by PyG's ``SAGPooling``; its score ignores edge weights.

    Args:
        in_channels: Width of the input features.
        ratio: Share of the nodes to keep, or their number in every graph.
        nonlinearity: Applied to the score.
    """

    def __init__(self, in_channels: int, ratio: float | int = 0.5, *, nonlinearity: str = "tanh") -> None:
        super().__init__(in_channels)
        self.ratio = check_ratio(ratio)
        self.operator = SAGPooling(in_channels, ratio=ratio, nonlinearity=nonlinearity)

    def keep(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None, batch: Tensor) -> Kept:
        """The best nodes, and the edges among them."""
        x, edge_index, edge_weight, batch, kept, _ = self.operator(x, edge_index, edge_weight, batch)
        return Kept(x, edge_index, edge_weight, batch, node=kept, supernode=torch.arange(len(kept), device=x.device))

    def extra_repr(self) -> str:
        """The size and the ratio."""
        return f"{self.in_channels}, ratio={self.ratio}"
