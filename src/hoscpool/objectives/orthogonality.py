"""The orthogonality regulariser, Eq. (8)."""

from __future__ import annotations

import math

from torch import Tensor

from hoscpool.objectives.assignment import as_assignment
from hoscpool.objectives.cuts import ratio, root


def orthogonality_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""How far an assignment is from balanced and hard, Eq. (8) of the paper, in [0, 1].

    .. math::
        \mathcal{L}_o = \frac{1}{\sqrt{K} - 1} \left(\sqrt{K} - \frac{1}{\sqrt{N}} \sum_k \|S_{*k}\|\right)

    It is 0 for hard clusters of equal size, and 1 for the uniform assignment or for one cluster that holds all nodes.
    With K = 1 the factor is not defined, and neither is balance: the loss is 0. A graph without nodes contributes 0.

    Args:
        assignment: S with rows that sum to 1, ``[N, K]`` or ``[B, n, K]``.
        batch: Graph of every node, int64 ``[N]``, in any order; the loss is the mean over the graphs.
        mask: Which nodes are real, bool ``[N]`` or ``[B, n]``; N counts only these.

    Returns:
        A scalar.

    Raises:
        ValueError: A shape does not fit.

    Examples:
        >>> import torch
        >>> orthogonality_loss(torch.eye(4)).item(), orthogonality_loss(torch.full((4, 4), 0.25)).item()
        (0.0, 1.0)
    """
    flat = as_assignment(assignment, batch, mask)
    k = flat.num_clusters
    norms = root(flat.sum(flat.s.square())).sum(-1)  # [B]
    size = flat.num_nodes.sqrt()  # [B]
    shortfall = ratio(math.sqrt(k) * size - norms, size, size)  # √K − Σ‖S‖/√N [B]
    return flat.mean(shortfall) / (math.sqrt(k) - 1) if k > 1 else 0 * norms.sum()
