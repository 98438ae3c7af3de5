"""A stand-in for torch-scatter, made of torch's own operations, for a peer that imports it.

torch-scatter has to be compiled for the installed torch. The functions here have the same signatures and results as
torch-scatter's. This includes gradients, writing into ``out``, and the position of a maximum or minimum.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import torch
from torch import Tensor

NAME = "torch_scatter"


def scatter_add(
    src: Tensor, index: Tensor, dim: int = -1, out: Tensor | None = None, dim_size: int | None = None
) -> Tensor:
    """Entries of ``src`` with the same index added up along a dimension, on top of ``out`` if there is one."""
    index = _spread(index, src, dim)
    return _start(src, index, dim, out, dim_size).scatter_add_(dim, index, src)


def scatter_mul(
    src: Tensor, index: Tensor, dim: int = -1, out: Tensor | None = None, dim_size: int | None = None
) -> Tensor:
    """Their product; 1 where there is no entry."""
    index = _spread(index, src, dim)
    if out is None:
        start = _start(src, index, dim, None, dim_size).fill_(1)
        return start.scatter_reduce(dim, index, src, "prod")
    return out.scatter_reduce_(dim, index, src, "prod")


def scatter_mean(
    src: Tensor, index: Tensor, dim: int = -1, out: Tensor | None = None, dim_size: int | None = None
) -> Tensor:
    """Their mean, rounded down for whole numbers; 0 where there is no entry."""
    total = scatter_add(src, index, dim, out, dim_size)
    index = _spread(index, src, dim)
    count = torch.zeros_like(total).scatter_add_(dim, index, torch.ones_like(src)).clamp_(min=1)
    return total.div_(count, rounding_mode=None if total.is_floating_point() else "floor")


def scatter_max(
    src: Tensor, index: Tensor, dim: int = -1, out: Tensor | None = None, dim_size: int | None = None
) -> tuple[Tensor, Tensor]:
    """The largest (0 where there is no entry), and the place of the first one; past the end where there is none."""
    return _extreme("amax", src, index, dim, out, dim_size)


def scatter_min(
    src: Tensor, index: Tensor, dim: int = -1, out: Tensor | None = None, dim_size: int | None = None
) -> tuple[Tensor, Tensor]:
    """The smallest, likewise."""
    return _extreme("amin", src, index, dim, out, dim_size)


def scatter(
    src: Tensor,
    index: Tensor,
    dim: int = -1,
    out: Tensor | None = None,
    dim_size: int | None = None,
    reduce: str = "sum",
) -> Tensor:
    """One of the above, chosen by name.

    Raises:
        ValueError: There is none of that name.
    """
    extremes = {"max": scatter_max, "min": scatter_min}
    if reduce in extremes:
        return extremes[reduce](src, index, dim, out, dim_size)[0]
    others: dict[str, Callable[..., Tensor]]
    others = {"sum": scatter_add, "add": scatter_add, "mul": scatter_mul, "mean": scatter_mean}
    if reduce not in others:
        raise ValueError(f"reduce: expected one of {', '.join([*others, *extremes])} (got {reduce!r})")
    return others[reduce](src, index, dim, out, dim_size)


def as_module() -> ModuleType:
    """The functions under the name that they are imported by."""
    module = ModuleType(NAME, __doc__)
    for function in (scatter, scatter_add, scatter_mul, scatter_mean, scatter_max, scatter_min):
        setattr(module, function.__name__, function)
    module.scatter_sum = scatter_add  # type: ignore[attr-defined]
    return module


def _extreme(
    kind: str, src: Tensor, index: Tensor, dim: int, out: Tensor | None, dim_size: int | None
) -> tuple[Tensor, Tensor]:
    """One entry wins, and only it gets the gradient. An entry that only equals ``out`` does not win."""
    index, size = _spread(index, src, dim), src.size(dim)
    start = _start(src, index, dim, out, dim_size)
    with torch.no_grad():
        best = start.scatter_reduce(dim, index, src, kind, include_self=out is not None)
        wins = src == best.gather(dim, index)
        if out is not None:
            wins &= src != out.gather(dim, index)
        places = _spread(torch.arange(size, device=src.device), src, dim)
        nowhere = torch.full_like(start, size, dtype=torch.int64)
        where = nowhere.scatter_reduce(dim, index, torch.where(wins, places, size), "amin")
    beyond = src.new_zeros([1 if axis == dim % src.dim() else length for axis, length in enumerate(src.shape)])
    found = torch.cat([src, beyond], dim).gather(dim, where)
    return (found if out is None else out.copy_(torch.where(where < size, found, out))), where


def _spread(index: Tensor, src: Tensor, dim: int) -> Tensor:
    """The index in the shape of ``src``; one of a single dimension runs along ``dim``."""
    if index.dim() == 1:
        index = index.view([-1 if axis == dim % src.dim() else 1 for axis in range(src.dim())])
    return index.expand_as(src)


def _start(src: Tensor, index: Tensor, dim: int, out: Tensor | None, dim_size: int | None) -> Tensor:
    """The tensor that entries are added to: ``out``, or zeros of the given or necessary size."""
    if out is not None:
        return out
    shape = list(src.shape)
    shape[dim] = dim_size if dim_size is not None else int(index.max()) + 1 if index.numel() else 0
    return src.new_zeros(shape)
