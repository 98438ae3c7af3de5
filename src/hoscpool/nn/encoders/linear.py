"""A linear layer on dense or sparse features."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def apply_linear(layer: nn.Linear, x: Tensor, offset: Tensor | None = None) -> Tensor:
    """``X Θ``, and the offset if there is one; X may be a torch sparse tensor, which is not made dense."""
    if x.layout == torch.strided:
        return nn.functional.linear(x, layer.weight, offset)
    h: Tensor = torch.sparse.mm(x, layer.weight.t())
    return h if offset is None else h + offset
