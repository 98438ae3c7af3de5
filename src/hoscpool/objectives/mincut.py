"""MinCutPool's losses (Bianchi, Grattarola & Alippi, 2020)."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from hoscpool.objectives.assignment import align, as_assignment
from hoscpool.objectives.convert import AdjacencyLike
from hoscpool.objectives.cuts import association_of, ratio, root, volume_of


def mincut_loss(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None) -> Tensor:
    r"""MinCutPool's cut, a ratio of traces in [−1, 0]; arguments as in `motif_cut_loss`.

    .. math::
        \mathcal{L}_c = -\frac{\mathrm{Tr}(S^\top A S)}{\mathrm{Tr}(S^\top D S)}

    Unlike the motif cut it is one ratio for all clusters together; one cluster that holds everything scores −1.

    Examples:
        >>> mincut_loss(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([[1.0, 0.0], [1.0, 0.0]])).item()
        -1.0
    """
    matrix, flat = align(adjacency, assignment, batch)
    touched = volume_of(matrix, flat, "diagonal")
    return flat.mean(mincut_of(association_of(matrix, flat), touched, flat.sum(matrix.degree)))


def mincut_of(association: Tensor, volume: Tensor, total: Tensor) -> Tensor:
    """The cut of every graph, ``[B]``.

    Args:
        association: Σ_ij A_ij S_ik S_jk, ``[B, K]``.
        volume: Σ_i d_i S_ik², ``[B, K]``.
        total: Σ_i d_i, ``[B]``.
    """
    return -ratio(association.sum(-1), volume.sum(-1), total)


def mincut_orthogonality_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""MinCutPool's orthogonality, in [0, 2]; arguments as in `orthogonality_loss`.

    .. math::
        \mathcal{L}_o = \left\| \frac{S^\top S}{\|S^\top S\|_F} - \frac{I_K}{\sqrt{K}} \right\|_F

    A graph without nodes contributes 0.

    Examples:
        >>> mincut_orthogonality_loss(torch.eye(4)).item()
        0.0
    """
    flat = as_assignment(assignment, batch, mask)
    return flat.mean(mincut_orthogonality_of(flat.gram()))


def mincut_orthogonality_of(gram: Tensor) -> Tensor:
    """The orthogonality of every graph, ``[B]``, from its SᵀS, ``[B, K, K]``."""
    size = root(gram.square().sum((1, 2)))[:, None, None]  # [B, 1, 1]
    target = torch.eye(gram.shape[-1], dtype=gram.dtype, device=gram.device) / math.sqrt(gram.shape[-1])
    distance = ratio(gram, size.expand_as(gram), size) - target * (size > 0)
    return root(distance.square().sum((1, 2)))
