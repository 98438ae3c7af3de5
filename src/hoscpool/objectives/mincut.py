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
    inside = association_of(matrix, flat).sum(-1)  # [B]
    touched = volume_of(matrix, flat, "diagonal").sum(-1)  # [B]
    return -flat.mean(ratio(inside, touched, flat.sum(matrix.degree)))


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
    gram = flat.gram()  # [B, K, K]
    size = root(gram.square().sum((1, 2)))[:, None, None]  # [B, 1, 1]
    target = torch.eye(flat.num_clusters, dtype=gram.dtype, device=gram.device) / math.sqrt(flat.num_clusters)
    distance = ratio(gram, size.expand_as(gram), size) - target * (size > 0)
    return flat.mean(root(distance.square().sum((1, 2))))
