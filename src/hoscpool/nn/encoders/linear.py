"""A linear layer on dense or sparse features."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def apply_linear(layer: nn.Linear, x: Tensor, bias: bool = True) -> Tensor:
    """``X Θ + b`` where X may be a torch sparse tensor, which is not made dense; ``bias=False`` leaves b out."""
    offset = layer.bias if bias else None
    if x.layout == torch.strided:
        return nn.functional.linear(x, layer.weight, offset)
    h: Tensor = torch.sparse.mm(x, layer.weight.t())
    return h if offset is None else h + offset
