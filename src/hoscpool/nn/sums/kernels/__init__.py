"""Compiled kernels: imported only where they are used, for numba takes a moment to load."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def has_kernels(tensor: Tensor) -> bool:
    """Whether kernels are compiled for such a tensor: on the processor, in single or double precision, not traced."""
    if torch.compiler.is_compiling():
        return False
    return tensor.device.type == "cpu" and tensor.dtype in (torch.float32, torch.float64)


def as_array(tensor: Tensor) -> Any:
    """The same memory as a NumPy array, or a copy where it is not contiguous, as kernels expect it."""
    return tensor.detach().contiguous().numpy()
