"""MinCutPool."""

from __future__ import annotations

from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.base import Motifs
from hoscpool.nn.pools.clustering import MlpPool
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.node_sums import cut_statistics
from hoscpool.nn.sums.segments import reduce_segments
from hoscpool.objectives.baselines import mincut_of, mincut_orthogonality_of


@register_pool("mincut", "relaxed minimum cut (Bianchi et al. 2020)", title="MinCutPool")
class MinCutPool(MlpPool):
    """Pooling by a relaxed minimum cut (Bianchi, Grattarola & Alippi 2020; PyG's ``dense_mincut_pool``).

    Losses: ``"cut"`` −Tr(SᵀAS)/Tr(SᵀDS) and ``"orthogonality"``, added with weight 1 each, as published. Arguments as
    in `MlpPool`.
    """

    takes_counts = True

    def losses(self, graph: GraphBatch, assignment: Tensor, motifs: Motifs | None) -> dict[str, Tensor]:  # noqa: ARG002
        """The trace ratio and its orthogonality term."""
        sums = cut_statistics(graph, assignment, [graph.adjacency], "diagonal")
        cut = mincut_of(sums.association[0], sums.volume[0], sums.total[0, :, 0])
        apart = mincut_orthogonality_of(reduce_segments(graph.weigh(assignment), assignment, graph.sizes))
        graphs = max(len(graph.sizes), 1)
        return {"cut": cut.sum() / graphs, "orthogonality": apart.sum() / graphs}

    def loss_weights(self) -> dict[str, float]:
        """One each."""
        return {"cut": 1.0, "orthogonality": 1.0}
