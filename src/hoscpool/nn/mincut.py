"""MinCutPool."""

from __future__ import annotations

from torch import Tensor

from hoscpool.nn.base import Motifs
from hoscpool.nn.clustering import MlpPool
from hoscpool.nn.graphs import GraphBatch
from hoscpool.objectives import mincut_loss, mincut_orthogonality_loss


class MinCutPool(MlpPool):
    """Pooling by a relaxed minimum cut (Bianchi, Grattarola & Alippi 2020; PyG's ``dense_mincut_pool``).

    Losses: ``"cut"`` −Tr(SᵀAS)/Tr(SᵀDS) and ``"orthogonality"``, added with weight 1 each, as published. Arguments as
    in `MlpPool`.
    """

    def losses(self, graph: GraphBatch, assignment: Tensor, motifs: Motifs | None) -> dict[str, Tensor]:  # noqa: ARG002
        """The trace ratio and its orthogonality term."""
        s, batch = graph.by_graph(assignment)
        return {
            "cut": mincut_loss(graph.adjacency, s, batch),
            "orthogonality": mincut_orthogonality_loss(s, batch),
        }

    def loss_weights(self) -> dict[str, float]:
        """One each."""
        return {"cut": 1.0, "orthogonality": 1.0}
