"""Graph attention network."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.propagation import Propagation
from hoscpool.nn.batch.read_graphs import check_count
from hoscpool.nn.encoders.encoder import Encoder, apply_linear, register_encoder


@register_encoder("gat")
class GAT(Encoder):
    """Attention over the neighbours and the node itself (Veličković et al. 2018; PyG's ``GATConv``).

    α_ij ∝ A_ij exp(leaky_relu(a·x_j + b·x_i)) with A_ii = 1. With weights 1 this is GATConv. On a coarsened graph every
    pair is joined, so there the weights matter.

    With features of edges e_ij, c·(Θ_e e_ij) is added to the score. The edge of a node to itself has the mean of those
    that arrive, as in PyG. A coarsened graph has no features of edges, and the term is left out there.

    Args:
        in_channels: Width of the input features.
        out_channels: Width of the output, all heads together.
        heads: Number of attention heads. It must divide ``out_channels``.
        negative_slope: Slope of the leaky ReLU.
        edge_channels: Width of the features of edges; 0 for none.
    """

    sums = False
    takes_edges = True

    def __init__(
        self, in_channels: int, out_channels: int, heads: int = 1, negative_slope: float = 0.2, edge_channels: int = 0
    ) -> None:
        super().__init__(in_channels, out_channels)
        if out_channels % check_count(heads, "heads"):
            raise ValueError(f"heads: expected a divisor of out_channels={out_channels}, got {heads}")
        self.heads = heads
        self.negative_slope = negative_slope
        self.values = nn.Linear(in_channels, out_channels, bias=False)
        self.source = nn.Parameter(torch.empty(heads, out_channels // heads))
        self.target = nn.Parameter(torch.empty(heads, out_channels // heads))
        self.bias = nn.Parameter(torch.empty(out_channels))
        self.edge_channels = edge_channels
        if edge_channels:
            self.edge_values = nn.Linear(edge_channels, out_channels, bias=False)
            self.on_edge = nn.Parameter(torch.empty(heads, out_channels // heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all parameters again."""
        nn.init.xavier_uniform_(self.values.weight)
        nn.init.xavier_uniform_(self.source)
        nn.init.xavier_uniform_(self.target)
        nn.init.zeros_(self.bias)
        if self.edge_channels:
            nn.init.xavier_uniform_(self.edge_values.weight)
            nn.init.xavier_uniform_(self.on_edge)

    def encode(self, x: Tensor, graph: Propagation) -> Tensor:
        """Heads side by side, plus b."""
        values = apply_linear(self.values, x)
        values = values.view(*values.shape[:-1], self.heads, -1)  # [..., N, H, C]
        source, target = (values * self.source).sum(-1), (values * self.target).sum(-1)  # [..., N, H]
        on_edge = None
        if self.edge_channels and graph.edge_attr is not None:
            edges = self.edge_values(graph.edge_attr).view(-1, *self.on_edge.shape)  # [E, H, C]
            on_edge = (edges * self.on_edge).sum(-1)  # [E, H]
        return graph.attend(source, target, values, self.negative_slope, on_edge).flatten(-2) + self.bias

    def extra_repr(self) -> str:
        """The sizes and the number of heads."""
        return f"{super().extra_repr()}, heads={self.heads}"
