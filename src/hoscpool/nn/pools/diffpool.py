"""DiffPool."""

from __future__ import annotations

from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.encoders import GCN
from hoscpool.nn.pools.clustering import ClusteringPool
from hoscpool.nn.pools.registry import register_pool
from hoscpool.nn.sums.plain_sums import CutSums
from hoscpool.objectives import entropy_of, link_prediction_of, row_entropy


@register_pool("diffpool", "differentiable pooling (Ying et al. 2018)", title="DiffPool")
class DiffPool(ClusteringPool):
    """Differentiable pooling (Ying et al. 2018; PyG's ``dense_diff_pool``).

    The assignment comes from a GNN, softmax(A X Θ₁ + X Θ₂ + b). By default the coarsened adjacency is SᵀAS itself.
    Losses: ``"link"`` ‖A − SSᵀ‖ and ``"entropy"``, each with weight 1, as published.

    Args:
        in_channels: Width of the input features.
        num_clusters: K, the number of supernodes of every graph.
        remove_self_loops: Zero the diagonal of the coarsened adjacency.
        normalize: Normalise it symmetrically.
    """

    takes_counts, rounds, cut_along = True, 1, ("edge",)

    def __init__(
        self, in_channels: int, num_clusters: int, *, remove_self_loops: bool = False, normalize: bool = False
    ) -> None:
        super().__init__(in_channels, num_clusters, remove_self_loops=remove_self_loops, normalize=normalize)
        self.gnn = GCN(in_channels, num_clusters)

    def select(self, graph: GraphBatch) -> Tensor:
        """S = softmax(GNN(X, A)), ``[N, K]``."""
        return self.gnn.encode(graph.x, graph).softmax(dim=-1)  # graph, not graph.messages: A without directions

    @staticmethod
    def losses(graph: GraphBatch, assignment: Tensor, sums: CutSums) -> dict[str, Tensor]:
        """Link prediction and entropy."""
        squares = graph.sum(graph.adjacency.row_squares().unsqueeze(1)).squeeze(1)
        link = link_prediction_of(squares, sums.association[0], graph.gram(assignment), graph.num_nodes)
        unsure = graph.sum(graph.weigh(row_entropy(assignment).unsqueeze(1))).squeeze(1)
        return {"link": graph.mean(link), "entropy": graph.mean(entropy_of(unsure, graph.num_nodes))}
