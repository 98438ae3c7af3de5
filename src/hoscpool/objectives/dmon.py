"""DMoN's losses (Tsitsulin et al., 2023)."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from hoscpool.objectives.assignment import align, as_assignment
from hoscpool.objectives.convert import AdjacencyLike
from hoscpool.objectives.cuts import association_of, ratio, root, volume_of


def modularity_loss(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None) -> Tensor:
    r"""DMoN's spectral loss: minus the modularity of a soft assignment; arguments as in `motif_cut_loss`.

    .. math::
        \mathcal{L}_s = -\frac{1}{2m} \mathrm{Tr}\left(S^\top \left(A - \frac{d d^\top}{2m}\right) S\right)
        = -\sum_k \left[\frac{\mathrm{assoc}_k}{2m} - \left(\frac{\mathrm{vol}_k}{2m}\right)^2\right]

    A graph without edges contributes 0.

    Examples:
        >>> two_edges = (torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]]), None, 4)
        >>> modularity_loss(two_edges, torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]])).item()
        -0.5
    """
    matrix, flat = align(adjacency, assignment, batch)
    total = flat.sum(matrix.degree)[:, None]  # 2m [B, 1]
    inside = ratio(association_of(matrix, flat), total, total)  # [B, K]
    expected = ratio(volume_of(matrix, flat), total, total).square()  # [B, K]
    return -flat.mean((inside - expected).sum(-1))


def collapse_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""DMoN's regulariser against collapse, in [0, √K − 1]; arguments as in `orthogonality_loss`.

    .. math::
        \mathcal{L}_c = \frac{\sqrt{K}}{N} \left\| \sum_i S_{i*} \right\| - 1

    0 when all clusters hold the same share, hard or soft. A graph without nodes contributes 0.

    Examples:
        >>> collapse_loss(torch.eye(4)).item(), collapse_loss(torch.tensor([[1.0, 0, 0, 0]])).item()
        (0.0, 1.0)
    """
    flat = as_assignment(assignment, batch, mask)
    norm = root(flat.sum(flat.s).square().sum(-1))  # [B]
    share = math.sqrt(flat.num_clusters) * ratio(norm, flat.num_nodes, flat.num_nodes)
    return flat.mean(torch.where(flat.num_nodes > 0, share - 1, share))
