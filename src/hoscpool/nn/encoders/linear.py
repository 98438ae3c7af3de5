"""A linear layer on dense or sparse features."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from hoscpool.nn.kinds import Features, Kinds


def apply_linear(layer: nn.Linear, x: Features, offset: Tensor | None = None) -> Tensor:
    """``X Θ``, and the offset if there is one; X may be a torch sparse tensor, which is not made dense."""
    if isinstance(x, Kinds):
        return apply_linear(layer, x.table, offset).index_select(0, x.of_node)
    if x.layout == torch.strided:
        return nn.functional.linear(x, layer.weight, offset)
    h: Tensor = torch.sparse.mm(x, layer.weight.t())
    return h if offset is None else h + offset
