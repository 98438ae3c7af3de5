"""Half precision: enough to store numbers, not to add them up."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor

HALVES = (torch.float16, torch.bfloat16)


def is_half(tensor: Tensor) -> bool:
    """Whether a tensor is of half precision, either kind."""
    return tensor.dtype in HALVES


def widen(tensor: Tensor) -> Tensor:
    """The tensor to compute with: half precision in float32, any other as it is."""
    return tensor.float() if tensor.dtype in HALVES else tensor


def is_autocast(device: torch.device) -> bool:
    """Whether torch would lower the precision of products there."""
    return torch.is_autocast_enabled(device.type)


def without_autocast(device: torch.device) -> AbstractContextManager[object]:
    """Where products keep the precision of their factors."""
    return torch.autocast(device.type, enabled=False) if is_autocast(device) else nullcontext()
