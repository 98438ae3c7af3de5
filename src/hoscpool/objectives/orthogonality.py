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
        A scalar, in float32 for an assignment of half precision.

    Raises:
        ValueError: A shape does not fit.

    Examples:
        >>> import torch
        >>> orthogonality_loss(torch.eye(4)).item(), orthogonality_loss(torch.full((4, 4), 0.25)).item()
        (0.0, 1.0)
    """
    flat = as_assignment(assignment, batch, mask)
    return flat.mean(orthogonality_of(flat.sum(flat.s.square()), flat.num_nodes))


def orthogonality_of(squares: Tensor, num_nodes: Tensor) -> Tensor:
    """The loss of every graph from Σ_i S_ik² ``[B, K]`` and its number of nodes ``[B]``."""
    k = squares.shape[-1]
    norms = root(squares).sum(-1)  # [B]
    if k == 1:
        return 0 * norms
    size = num_nodes.sqrt()  # [B]
    return ratio(math.sqrt(k) * size - norms, size, size) / (math.sqrt(k) - 1)  # √K − Σ‖S‖/√N, scaled
