"""Losses of other pools: MinCutPool, DMoN, DiffPool and JustBalance."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from hoscpool.objectives.assignment import align, as_assignment, association_of, ratio, root, volume_of
from hoscpool.objectives.operators.conversion import AdjacencyLike


def mincut_loss(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None) -> Tensor:
    r"""MinCutPool's cut, a ratio of traces in [−1, 0]. Arguments as in `motif_cut_loss`.

    .. math::
        \mathcal{L}_c = -\frac{\mathrm{Tr}(S^\top A S)}{\mathrm{Tr}(S^\top D S)}

    Unlike the motif cut it is one ratio for all clusters together. One cluster with all nodes scores −1.

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
    r"""MinCutPool's orthogonality, in [0, 2]. Arguments as in `orthogonality_loss`.

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


def modularity_loss(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None) -> Tensor:
    r"""DMoN's spectral loss: minus the modularity of a soft assignment. Arguments as in `motif_cut_loss`.

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
    return flat.mean(modularity_of(association_of(matrix, flat), volume_of(matrix, flat), flat.sum(matrix.degree)))


def modularity_of(association: Tensor, volume: Tensor, total: Tensor) -> Tensor:
    """The loss of every graph, ``[B]``.

    Args:
        association: Σ_ij A_ij S_ik S_jk, ``[B, K]``.
        volume: Σ_i d_i S_ik, ``[B, K]``.
        total: 2m, ``[B]``.
    """
    total = total.unsqueeze(-1)  # [B, 1]
    inside = ratio(association, total, total)  # [B, K]
    expected = ratio(volume, total, total).square()  # [B, K]
    return -(inside - expected).sum(-1)


def collapse_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""DMoN's regulariser against collapse, in [0, √K − 1]. Arguments as in `orthogonality_loss`.

    .. math::
        \mathcal{L}_c = \frac{\sqrt{K}}{N} \left\| \sum_i S_{i*} \right\| - 1

    It is 0 if all clusters hold the same share, hard or soft. A graph without nodes contributes 0.

    Examples:
        >>> collapse_loss(torch.eye(4)).item(), collapse_loss(torch.tensor([[1.0, 0, 0, 0]])).item()
        (0.0, 1.0)
    """
    flat = as_assignment(assignment, batch, mask)
    return flat.mean(collapse_of(flat.sum(flat.s), flat.num_nodes))


def collapse_of(sizes: Tensor, num_nodes: Tensor) -> Tensor:
    """The loss of every graph ``[B]`` from Σ_i S_ik ``[B, K]`` and its number of nodes ``[B]``."""
    norm = root(sizes.square().sum(-1))  # [B]
    share = math.sqrt(sizes.shape[-1]) * ratio(norm, num_nodes, num_nodes)
    return torch.where(num_nodes > 0, share - 1, share)


def link_prediction_loss(adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None) -> Tensor:
    r"""DiffPool's link prediction, divided by the number of pairs. Arguments as in `motif_cut_loss`.

    .. math::
        \mathcal{L}_{LP} = \frac{1}{N^2} \|A - S S^\top\|_F, \quad
        \|A - S S^\top\|_F^2 = \|A\|_F^2 - 2\,\mathrm{Tr}(S^\top A S) + \|S^\top S\|_F^2

    The right-hand side needs no N × N matrix. On one graph this is PyG's ``dense_diff_pool``. On a batch it is the mean
    over the graphs; PyG takes one norm over all graphs and divides it by the padded size.

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
    return root(square.clamp(min=0)) / num_nodes.clamp(min=1).square()  # rounding may give a value just below 0


def entropy_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""DiffPool's entropy, the mean over the nodes. Arguments as in `orthogonality_loss`.

    .. math::
        \mathcal{L}_E = -\frac{1}{N} \sum_i \sum_k S_{ik} \log S_{ik}

    It is 0 for a hard assignment (0·log 0 is 0), and log K for the uniform assignment.

    Examples:
        >>> entropy_loss(torch.eye(2)).item(), entropy_loss(torch.full((3, 2), 0.5)).item()
        (0.0, 0.693...)
    """
    flat = as_assignment(assignment, batch, mask)
    return flat.mean(entropy_of(flat.sum(row_entropy(flat.s)), flat.num_nodes))


def entropy_of(total: Tensor, num_nodes: Tensor) -> Tensor:
    """The loss of every graph ``[B]`` from the entropy of all its rows ``[B]`` and its number of nodes ``[B]``."""
    return ratio(total, num_nodes, num_nodes)


def row_entropy(s: Tensor) -> Tensor:
    """−Σ_k S_ik log S_ik of every row."""
    return -(s * s.clamp(min=torch.finfo(s.dtype).tiny).log()).sum(-1)


def just_balance_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""JustBalance: minus the trace of the entrywise √(SᵀS), in [−1, 0]. Arguments as in `orthogonality_loss`.

    .. math::
        \mathcal{L}_{JB} = -\frac{1}{\sqrt{N K}} \sum_k \|S_{*k}\|

    It is −1 for hard clusters of equal size, and −1/√K for the uniform assignment. It is a linear function of Eq. (8),
    :math:`\mathcal{L}_o = (1 + \mathcal{L}_{JB}) \sqrt{K} / (\sqrt{K} - 1)`. A graph without nodes contributes 0.

    Examples:
        >>> import torch
        >>> just_balance_loss(torch.eye(4)).item()
        -1.0
    """
    flat = as_assignment(assignment, batch, mask)
    return flat.mean(balance_of(flat.sum(flat.s.square()), flat.num_nodes))


def balance_of(squares: Tensor, num_nodes: Tensor) -> Tensor:
    """The loss of every graph ``[B]`` from Σ_i S_ik² ``[B, K]`` and its number of nodes ``[B]``."""
    norms = root(squares).sum(-1)  # [B]
    most = num_nodes.sqrt() * math.sqrt(squares.shape[-1])  # [B]
    return -ratio(norms, most, most)
