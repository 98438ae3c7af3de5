"""Graph convolution with a skip connection."""

from __future__ import annotations

from torch import Tensor, nn

from hoscpool.nn.batch.propagation import Product
from hoscpool.nn.encoders.encoder import Encoder, apply_linear, register_encoder


@register_encoder("gcn", "gcn-skip")
class GCN(Encoder):
    """The encoder of the paper, A X Θ₁ + X Θ₂ + b (Morris et al. 2019; PyG's ``GraphConv``).

    XΘ₁ is computed before the product with A. So sparse features stay sparse, and wide ones are cheap.

    Args:
        in_channels: Width of the input features.
        out_channels: Width of the output.
    """

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__(in_channels, out_channels)
        self.neighbours = nn.Linear(in_channels, out_channels)
        self.skip = nn.Linear(in_channels, out_channels, bias=False)

    def encode(self, x: Tensor, graph: Product) -> Tensor:
        """A (X Θ₁) + X Θ₂ + b."""
        h = graph.propagate(apply_linear(self.neighbours, x))
        return h + apply_linear(self.skip, x, self.neighbours.bias)
