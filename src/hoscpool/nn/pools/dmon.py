"""DMoN."""

from __future__ import annotations

from torch import Tensor, nn

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.clustering import MlpPool
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.plain_sums import CutSums, NodeSums
from hoscpool.objectives import collapse_of, modularity_of


@register_pool("dmon", "modularity (Tsitsulin et al. 2023)", title="DMoN")
class DMoNPool(MlpPool):
    """Deep modularity networks (Tsitsulin et al. 2023; PyG's ``DMoNPooling``).

    Losses: ``"modularity"`` −Tr(SᵀBS)/2m and ``"collapse"``, each with weight 1, as published. A SELU is applied to the
    pooled features, as in the authors' code. Arguments as in `MlpPool`.
    """

    cut_along = ("edge",)

    def reduce(self, graph: GraphBatch, assignment: Tensor, sums: NodeSums) -> Tensor:
        """X_pool = SELU(SᵀX), ``[B, K, F]``."""
        return nn.functional.selu(super().reduce(graph, assignment, sums))

    @staticmethod
    def losses(graph: GraphBatch, assignment: Tensor, sums: CutSums) -> dict[str, Tensor]:
        """Modularity, and the regulariser against collapse."""
        modularity = modularity_of(sums.association[0], sums.volume[0], sums.total[0])
        collapse = collapse_of(graph.sum(graph.weigh(assignment)), graph.num_nodes)
        return {"modularity": graph.mean(modularity), "collapse": graph.mean(collapse)}
