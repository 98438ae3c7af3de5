"""GraphSAGE."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.propagation import Propagation
from hoscpool.nn.encoders.encoder import Encoder, apply_linear, register_encoder


@register_encoder("sage")
class SAGE(Encoder):
    """D⁻¹A X Θ₁ + X Θ₂ + b: the weighted mean of the neighbours (Hamilton et al. 2017; PyG's ``SAGEConv``).

    PyG's ``DenseSAGEConv`` divides by max(D, 1). This layer takes a mean on weighted graphs too. A node without
    neighbours receives 0.

    Args:
        in_channels: Width of the input features.
        out_channels: Width of the output.
    """

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__(in_channels, out_channels)
        self.neighbours = nn.Linear(in_channels, out_channels)
        self.skip = nn.Linear(in_channels, out_channels, bias=False)

    def encode(self, x: Tensor, graph: Propagation) -> Tensor:
        """A (X Θ₁) / d + X Θ₂ + b."""
        limits = torch.finfo(graph.degree.dtype)
        # the gradient divides by the degree once more, which overflows for a degree close to zero
        alone = graph.degree < (limits.tiny / limits.eps**2 if graph.degree.requires_grad else limits.tiny)
        total = graph.propagate(apply_linear(self.neighbours, x))
        mean = (total / graph.degree.masked_fill(alone, torch.inf)).to(total.dtype)
        return mean + apply_linear(self.skip, x, self.neighbours.bias)
