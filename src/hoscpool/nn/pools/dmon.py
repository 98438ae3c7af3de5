"""DMoN."""

from __future__ import annotations

from torch import Tensor, nn

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.base import Motifs
from hoscpool.nn.pools.clustering import MlpPool
from hoscpool.nn.pools.registry import register_pool
from hoscpool.objectives import collapse_loss, modularity_loss


@register_pool("dmon", "modularity (Tsitsulin et al. 2023)", title="DMoN")
class DMoNPool(MlpPool):
    """Deep modularity networks (Tsitsulin et al. 2023; PyG's ``DMoNPooling``).

    Losses: ``"modularity"`` −Tr(SᵀBS)/2m and ``"collapse"``, added with weight 1 each, as published. The pooled
    features pass through a SELU, as in the authors' code. Arguments as in `MlpPool`.
    """

    def reduce(self, graph: GraphBatch, assignment: Tensor) -> Tensor:
        """X_pool = SELU(SᵀX), ``[B, K, F]``."""
        return nn.functional.selu(super().reduce(graph, assignment))

    def losses(self, graph: GraphBatch, assignment: Tensor, motifs: Motifs | None) -> dict[str, Tensor]:  # noqa: ARG002
        """Modularity, and the term against collapse."""
        s, batch = graph.by_graph(assignment)
        return {
            "modularity": modularity_loss(graph.adjacency, s, batch),
            "collapse": collapse_loss(s, batch),
        }

    def loss_weights(self) -> dict[str, float]:
        """One each."""
        return {"modularity": 1.0, "collapse": 1.0}
