"""The perceptron that assigns nodes to clusters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from torch import nn

from hoscpool.nn.checks import check_count


def make_mlp(in_channels: int, hidden: int | Sequence[int], out_channels: int) -> nn.Sequential:
    """Linear layers with ReLU between them."""
    widths = [hidden] if isinstance(hidden, int) else list(hidden)
    widths = [in_channels, *(check_count(width, "hidden") for width in widths), out_channels]
    layers: list[nn.Module] = []
    for width, following in pairwise(widths):
        layers += [nn.Linear(width, following), nn.ReLU()]
    return nn.Sequential(*layers[:-1])
