"""JustBalance."""

from __future__ import annotations

from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.base import Motifs
from hoscpool.nn.pools.clustering import MlpPool
from hoscpool.nn.pools.registry import register_pool
from hoscpool.objectives import just_balance_loss


@register_pool("just-balance", "balanced clusters (Bianchi 2022)", title="JustBalance")
class JustBalancePool(MlpPool):
    """Just Balance GNN (Bianchi 2022): the loss ``"balance"``, asks for balanced clusters. Arguments: `MlpPool`."""

    def losses(self, graph: GraphBatch, assignment: Tensor, motifs: Motifs | None) -> dict[str, Tensor]:  # noqa: ARG002
        """−Tr sqrt(SᵀS), scaled."""
        s, batch = graph.by_graph(assignment)
        return {"balance": just_balance_loss(s, batch)}

    def loss_weights(self) -> dict[str, float]:
        """One."""
        return {"balance": 1.0}
