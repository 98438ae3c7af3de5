"""Graph isomorphism network with features of edges."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.propagation import Propagation
from hoscpool.nn.encoders.encoder import Encoder, register_encoder


@register_encoder("gine")
class GINE(Encoder):
    """MLP((1 + ε) x_i + Σ_j A_ij ReLU(x_j + Θ_e e_ij)), a two-layer MLP (Hu et al. 2020; PyG's ``GINEConv``).

    Without features of edges, as on a coarsened graph, the message is ReLU(x_j).

    Args:
        in_channels: Width of the input features.
        out_channels: Width of the hidden layer and of the output.
        eps: ε, a constant.
        edge_channels: Width of the features of edges e_ij; 0 for none.
    """

    sums = False
    takes_edges = True

    def __init__(self, in_channels: int, out_channels: int, eps: float = 0.0, edge_channels: int = 0) -> None:
        super().__init__(in_channels, out_channels)
        self.eps = eps
        self.edge_channels = edge_channels
        self.edges = nn.Linear(edge_channels, in_channels) if edge_channels else None
        self.first = nn.Linear(in_channels, out_channels)
        self.second = nn.Linear(out_channels, out_channels)

    def encode(self, x: Tensor, graph: Propagation) -> Tensor:
        """The messages, their sum and the perceptron."""
        h = x if x.layout == torch.strided else x.to_dense()  # ReLU(x_j + …) has no zeros to save
        if self.edges is None or graph.edge_attr is None:
            arriving = graph.propagate(h.relu())
        else:
            on_edge = self.edges(graph.edge_attr)
            arriving = graph.gather(lambda source: (h[source] + on_edge).relu())
        return self.second(self.first((1 + self.eps) * h + arriving).relu())  # type: ignore[no-any-return]
