"""Compiled kernels. They are imported only where they are used, because numba loads slowly."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def has_kernels(tensor: Tensor) -> bool:
    """Whether the kernels support this tensor: on the CPU, in float32 or float64, and not traced."""
    if torch.compiler.is_compiling():
        return False
    return tensor.device.type == "cpu" and tensor.dtype in (torch.float32, torch.float64)


def as_array(tensor: Tensor) -> Any:
    """The tensor as a contiguous NumPy array. It shares memory if the tensor is contiguous."""
    return tensor.detach().contiguous().numpy()
