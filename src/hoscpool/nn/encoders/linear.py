"""A linear layer on dense or sparse features."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from hoscpool.nn.kernels import as_array, has_kernels
from hoscpool.nn.kinds import Features, Kinds


def apply_linear(layer: nn.Linear, x: Features, offset: Tensor | None = None) -> Tensor:
    """``X Θ``, and the offset if there is one; X may be a torch sparse tensor, which is not made dense."""
    if isinstance(x, Kinds):
        return _look_up(apply_linear(layer, x.table, offset), x.of_node)
    if x.layout == torch.strided:
        return nn.functional.linear(x, layer.weight, offset)
    h: Tensor = torch.sparse.mm(x, layer.weight.t())
    return h if offset is None else h + offset


def _look_up(table: Tensor, numbers: Tensor) -> Tensor:
    """Rows of a table ``[R, F]`` by their numbers ``[N]``; gradients can be taken once."""
    if not has_kernels(table):
        return table.index_select(0, numbers)
    rows: Tensor = _LookUp.apply(table, numbers)  # type: ignore[no-untyped-call]
    return rows


class _LookUp(torch.autograd.Function):
    """The way back adds up many rows into few, which torch does as if they were many."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, numbers: Tensor) -> Tensor:
        ctx.save_for_backward(numbers)
        ctx.count = len(table)
        return table.index_select(0, numbers)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        from hoscpool.nn.kernels.lookup import add_rows

        (numbers,) = ctx.saved_tensors
        to_table = gradient.new_zeros(ctx.count, gradient.size(1))
        add_rows(as_array(numbers), as_array(gradient), to_table.numpy())
        return to_table, None
