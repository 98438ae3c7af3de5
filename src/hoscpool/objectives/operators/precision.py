"""Half precision: it is enough to store numbers, but too coarse to sum them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor

HALVES = (torch.float16, torch.bfloat16)


def is_half(tensor: Tensor) -> bool:
    """Whether a tensor is float16 or bfloat16."""
    return tensor.dtype in HALVES


def widen(tensor: Tensor) -> Tensor:
    """Convert half precision to float32. Return other tensors unchanged."""
    return tensor.float() if tensor.dtype in HALVES else tensor


def is_autocast(device: torch.device) -> bool:
    """Whether torch lowers the precision of products on this device."""
    return torch.is_autocast_enabled(device.type)


def without_autocast(device: torch.device) -> AbstractContextManager[object]:
    """A context in which products keep the precision of their factors."""
    return torch.autocast(device.type, enabled=False) if is_autocast(device) else nullcontext()
