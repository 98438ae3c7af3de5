"""Graph isomorphism network."""

from __future__ import annotations

from torch import Tensor, nn

from hoscpool.nn.batch.propagation import Propagation
from hoscpool.nn.encoders.encoder import Encoder, apply_linear, register_encoder


@register_encoder("gin")
class GIN(Encoder):
    """MLP((1 + ε) X + A X) with a two-layer perceptron (Xu et al. 2019; PyG's ``GINConv``).

    Args:
        in_channels: Width of the input features.
        out_channels: Width of the hidden layer and of the output.
        eps: ε, a constant.
    """

    def __init__(self, in_channels: int, out_channels: int, eps: float = 0.0) -> None:
        super().__init__(in_channels, out_channels)
        self.eps = eps
        self.first = nn.Linear(in_channels, out_channels)
        self.second = nn.Linear(out_channels, out_channels)

    def encode(self, x: Tensor, graph: Propagation) -> Tensor:
        """The first linear layer comes before the sum over neighbours. The result is the same."""
        h = apply_linear(self.first, x)
        h = (1 + self.eps) * h + graph.propagate(h) + self.first.bias
        return self.second(h.relu())  # type: ignore[no-any-return]
