"""JustBalance's loss (Bianchi, 2022)."""

from __future__ import annotations

import math

from torch import Tensor

from hoscpool.objectives.assignment import as_assignment
from hoscpool.objectives.cuts import ratio, root


def just_balance_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""JustBalance: the trace of √(SᵀS), taken entry by entry, scaled to [−1, 0]; arguments as in `orthogonality_loss`.

    .. math::
        \mathcal{L}_{JB} = -\frac{1}{\sqrt{N K}} \sum_k \|S_{*k}\|

    −1 for hard clusters of equal size, −1/√K for the uniform assignment: the same preference as Eq. (8) of the paper,
    :math:`\mathcal{L}_o = (1 + \mathcal{L}_{JB}) \sqrt{K} / (\sqrt{K} - 1)`. A graph without nodes contributes 0.

    Examples:
        >>> import torch
        >>> just_balance_loss(torch.eye(4)).item()
        -1.0
    """
    flat = as_assignment(assignment, batch, mask)
    norms = root(flat.sum(flat.s.square())).sum(-1)  # [B]
    most = flat.num_nodes.sqrt() * math.sqrt(flat.num_clusters)  # [B]
    return -flat.mean(ratio(norms, most, most))
