"""JustBalance."""

from __future__ import annotations

from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.clustering import MlpPool
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.plain_sums import CutSums
from hoscpool.objectives import balance_of


@register_pool("just-balance", "balanced clusters (Bianchi 2022)", title="JustBalance")
class JustBalancePool(MlpPool):
    """Just Balance GNN (Bianchi 2022). The loss ``"balance"`` favours balanced clusters. Arguments as in `MlpPool`."""

    @staticmethod
    def losses(graph: GraphBatch, assignment: Tensor, sums: CutSums) -> dict[str, Tensor]:  # noqa: ARG004
        """−Tr sqrt(SᵀS), scaled."""
        return {"balance": graph.mean(balance_of(sums.squares, graph.num_nodes))}
