"""Remove the diagonal of the coarsened graph and normalise it: the last step of every clustering pool."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor


def zero_diagonal(adjacency: Tensor) -> Tensor:
    """The adjacency without its diagonal."""
    build = _off_diagonal.__wrapped__ if torch.compiler.is_compiling() else _off_diagonal
    return adjacency * build(adjacency.size(-1), adjacency.dtype, adjacency.device)


@lru_cache(maxsize=16)
def _off_diagonal(size: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Ones with a diagonal of zeros."""
    with torch.inference_mode(False):  # a tensor of inference mode could not be used in training later
        return 1 - torch.eye(size, dtype=dtype, device=device)


def normalize_symmetric(adjacency: Tensor) -> Tensor:
    """D^(−1/2) A D^(−1/2) with sqrt(max(d, ε)). A supernode whose degree underflowed gets no edges.

    A degree counts as underflowed below the smallest normal number over ε². The next cut would divide by such weights,
    and the division by ε in the backward pass would overflow.
    """
    limits = torch.finfo(adjacency.dtype)
    degree = adjacency.sum(dim=-1)
    scale = degree.clamp(min=limits.eps).rsqrt().masked_fill(degree <= limits.tiny / limits.eps**2, 0)
    return scale.unsqueeze(-1) * adjacency * scale.unsqueeze(-2)
