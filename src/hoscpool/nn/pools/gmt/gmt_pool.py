"""GMT: attention turns the whole graph into one supernode."""

from __future__ import annotations

import torch
from torch import nn
from torch_geometric.nn.aggr import GraphMultisetTransformer

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.read_graphs import check_count
from hoscpool.nn.pools.base import Motifs, Pool
from hoscpool.nn.pools.gmt.set_attention import transform_sets
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.nn.pools.registry import register_pool


@register_pool("gmt", "graph multiset transformer (Baek et al. 2021)", title="GMT", is_global=True)
class GMTPool(Pool):
    """Graph multiset transformer (Baek, Kang & Hwang 2021), as PyG's ``GraphMultisetTransformer``: a global pool.

    Every graph becomes one supernode, so ``x`` is ``[B, 1, F]`` and the adjacency is a single 0. For a graph without
    nodes the attention is undefined, and the result is 0.

    Args:
        in_channels: Width of the input features.
        num_clusters: Number of representative nodes in the middle of the network.
        heads: Number of attention heads. It must divide ``in_channels``.
        layer_norm: Normalise after every block.
        dropout: Dropout of the attention.
    """

    takes_counts = True

    def __init__(
        self, in_channels: int, num_clusters: int, *, heads: int = 1, layer_norm: bool = False, dropout: float = 0.0
    ) -> None:
        super().__init__(in_channels)
        self.num_clusters = check_count(num_clusters, "num_clusters")
        if in_channels % check_count(heads, "heads"):
            raise ValueError(f"heads: expected a divisor of in_channels={in_channels}, got {heads}")
        self.operator = GraphMultisetTransformer(
            in_channels, num_clusters, heads=heads, layer_norm=layer_norm, dropout=dropout
        )

    def reset_parameters(self) -> None:
        """Draw all parameters again. PyG would not draw the output projections of the attentions."""
        for module in self.modules():
            if isinstance(module, nn.MultiheadAttention):
                module.out_proj.reset_parameters()
        super().reset_parameters()

    def pool(self, graph: GraphBatch, motifs: Motifs | None) -> PoolingOutput:  # noqa: ARG002
        """Attend over the nodes of every graph that has any."""
        x = graph.x.new_zeros(len(graph.sizes), self.in_channels)
        filled = [i for i, size in enumerate(graph.sizes) if size]
        if filled:
            sizes = tuple(graph.sizes[i] for i in filled)
            attended = transform_sets(self.operator, graph.x, sizes, graph.counts)
            x = x.index_copy(0, torch.tensor(filled, device=x.device), attended)
        return PoolingOutput(
            x=x.unsqueeze(1),
            adjacency=x.new_zeros(x.size(0), 1, 1),
            assignment=x.new_ones(graph.x.size(0), 1),
            node_batch=graph.batch,
            sizes=graph.sizes,
            loss=x.new_zeros(()),
            objective=x.new_zeros(()),
        )

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.in_channels}, num_clusters={self.num_clusters}"
