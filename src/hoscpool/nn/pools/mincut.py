"""MinCutPool."""

from __future__ import annotations

from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.clustering import MlpPool
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.plain_sums import CutSums
from hoscpool.objectives import mincut_of, mincut_orthogonality_of


@register_pool("mincut", "relaxed minimum cut (Bianchi et al. 2020)", title="MinCutPool")
class MinCutPool(MlpPool):
    """Pooling by a relaxed minimum cut (Bianchi, Grattarola & Alippi 2020; PyG's ``dense_mincut_pool``).

    Losses: ``"cut"`` −Tr(SᵀAS)/Tr(SᵀDS) and ``"orthogonality"``, each with weight 1, as published. Arguments as in
    `MlpPool`.
    """

    takes_counts, cut_along, volume = True, ("edge",), "diagonal"

    @staticmethod
    def losses(graph: GraphBatch, assignment: Tensor, sums: CutSums) -> dict[str, Tensor]:
        """The trace ratio and its orthogonality term."""
        cut = mincut_of(sums.association[0], sums.volume[0], sums.total[0])
        apart = mincut_orthogonality_of(graph.gram(assignment))
        return {"cut": graph.mean(cut), "orthogonality": graph.mean(apart)}
