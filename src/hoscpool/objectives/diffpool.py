"""DiffPool's losses (Ying et al., 2018)."""

from __future__ import annotations

import torch
from torch import Tensor

from hoscpool.objectives.assignment import align, as_assignment
from hoscpool.objectives.convert import AdjacencyLike
from hoscpool.objectives.cuts import association_of, ratio, root


def link_prediction_loss(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None) -> Tensor:
    r"""DiffPool's link prediction, divided by the number of pairs; arguments as in `motif_cut_loss`.

    .. math::
        \mathcal{L}_{LP} = \frac{1}{N^2} \|A - S S^\top\|_F, \quad
        \|A - S S^\top\|_F^2 = \|A\|_F^2 - 2\,\mathrm{Tr}(S^\top A S) + \|S^\top S\|_F^2

    The right-hand side needs no N × N matrix. On one graph this is PyG's ``dense_diff_pool``; on a batch it is the mean
    over the graphs, where PyG takes one norm over all of them and divides by the padded size.

    Examples:
        >>> link_prediction_loss(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.eye(2)).item()
        0.5
    """
    matrix, flat = align(adjacency, assignment, batch)
    squares = flat.sum(matrix.row_squares())
    return flat.mean(link_prediction_of(squares, association_of(matrix, flat), flat.gram(), flat.num_nodes))


def link_prediction_of(squares: Tensor, association: Tensor, gram: Tensor, num_nodes: Tensor) -> Tensor:
    """The link prediction loss of every graph, ``[B]``.

    Args:
        squares: ‖A‖², ``[B]``.
        association: Σ_ij A_ij S_ik S_jk, ``[B, K]``, whose sum is Tr(SᵀAS).
        gram: SᵀS, ``[B, K, K]``.
        num_nodes: N, ``[B]``.
    """
    square = squares - 2 * association.sum(-1) + gram.square().sum((1, 2))
    return root(square.clamp(min=0)) / num_nodes.clamp(min=1).square()  # rounding may leave a little below 0


def entropy_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""DiffPool's entropy, the mean over the nodes; arguments as in `orthogonality_loss`.

    .. math::
        \mathcal{L}_E = -\frac{1}{N} \sum_i \sum_k S_{ik} \log S_{ik}

    0 for a hard assignment (0·log 0 is 0), log K for the uniform one.

    Examples:
        >>> entropy_loss(torch.eye(2)).item(), entropy_loss(torch.full((3, 2), 0.5)).item()
        (0.0, 0.693...)
    """
    flat = as_assignment(assignment, batch, mask)
    entropy = flat.sum(row_entropy(flat.s))  # [B]
    return flat.mean(ratio(entropy, flat.num_nodes, flat.num_nodes))


def row_entropy(s: Tensor) -> Tensor:
    """−Σ_k S_ik log S_ik of every row."""
    return -(s * s.clamp(min=torch.finfo(s.dtype).tiny).log()).sum(-1)
