"""SAGPool and TopKPool: keep the nodes with the best scores."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn
from torch_geometric.nn import SAGPooling, TopKPooling

from hoscpool.nn.pools.dropping import DropPool, Kept, check_ratio, pyg_ratio
from hoscpool.nn.pools.registry import register_pool


class ScorePool(DropPool):
    """A pool that keeps the best nodes. An operator of PyG scores them.

    Args:
        in_channels: Width of the input features.
        ratio: Share of the nodes to keep, or their number in every graph.
        nonlinearity: Applied to the score.
    """

    scoring: ClassVar[type[nn.Module]]

    def __init__(self, in_channels: int, ratio: float | int = 0.5, *, nonlinearity: str = "tanh") -> None:
        super().__init__(in_channels)
        self.ratio = check_ratio(ratio)
        self.operator = self.scoring(in_channels, ratio=pyg_ratio(ratio), nonlinearity=nonlinearity)

    def keep(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None, batch: Tensor) -> Kept:
        """The best nodes, and the edges among them."""
        x, edge_index, edge_weight, batch, kept, _ = self.operator(x, edge_index, edge_weight, batch)
        return Kept(x, edge_index, edge_weight, batch, node=kept, supernode=torch.arange(len(kept), device=x.device))

    def extra_repr(self) -> str:
        """The size and the ratio."""
        return f"{self.in_channels}, ratio={self.ratio}"


@register_pool("sag", "nodes that a GNN scores best (Lee et al. 2019)", title="SAGPool")
class SAGPool(ScorePool):
    """Self-attention graph pooling (Lee, Lee & Kang 2019), by PyG's ``SAGPooling``; its score ignores edge weights.

    Args:
        in_channels: Width of the input features.
        ratio: Share of the nodes to keep, or their number in every graph.
        nonlinearity: Applied to the score.
    """

    scoring = SAGPooling


@register_pool("topk", "nodes whose projection scores best (Gao & Ji 2019)")
class TopKPool(ScorePool):
    """Keep the nodes with the highest projection score (Gao & Ji 2019), by PyG's ``TopKPooling``.

    Args:
        in_channels: Width of the input features.
        ratio: Share of the nodes to keep, or their number in every graph.
        nonlinearity: Applied to the score.
    """

    scoring = TopKPooling
