"""Parameters from a seed, without touching torch's global one."""

from __future__ import annotations

import torch
from torch import nn


def seed_parameters(module: nn.Module, random_state: int) -> nn.Module:
    """Draw all parameters of a module anew from a seed; torch's global generator is left as it was.

    Args:
        module: Any module; it or its parts have ``reset_parameters``, as all layers of torch, PyG and this library.
        random_state: The seed.

    Returns:
        The module.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(random_state)
        reset(module)
    return module


def reset(module: nn.Module) -> None:
    """Draw the parameters of a module anew, or of its parts when it cannot itself."""
    method = getattr(module, "reset_parameters", None)
    if callable(method):
        method()
        return
    for child in module.children():
        reset(child)
