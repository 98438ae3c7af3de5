"""The objective of HoscPool: the cuts of several motifs, weighted, and the orthogonality term; Eq. (7) and (8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor

from hoscpool.objectives.assignment import align
from hoscpool.objectives.convert import AdjacencyLike
from hoscpool.objectives.cuts import Volume
from hoscpool.objectives.motif_cut import motif_cut_loss
from hoscpool.objectives.orthogonality import orthogonality_loss
from hoscpool.objectives.schedule import Schedule, check_weight, motif_weights


class HoscLoss(NamedTuple):
    """The weighted sum, and its parts without their weights: the cut of every motif, and ``"orthogonality"``."""

    total: Tensor
    losses: dict[str, Tensor]


def hosc_loss(
    adjacencies: Mapping[str, AdjacencyLike],
    assignment: Tensor,
    weights: Mapping[str, float] | None = None,
    mu: float = 0.0,
    batch: Tensor | None = None,
    volume: Volume = "soft",
    *,
    schedule: Schedule = "constant",
    progress: float | None = None,
) -> HoscLoss:
    r"""The objective of HoscPool over any number of motifs, Eq. (7) with the regulariser of Eq. (8).

    .. math::
        \mathcal{L} = \sum_j \alpha_j \mathcal{L}_{mc}^j + \mu \mathcal{L}_o

    Args:
        adjacencies: The motif adjacency of every motif, each anything that `as_adjacency` takes.
        assignment: S, as in `motif_cut_loss`.
        weights: α_j of every motif; by default equal ones that sum to 1.
        mu: Weight μ of the orthogonality term.
        batch: Graph of every node, as in `motif_cut_loss`.
        volume: ``"soft"`` or ``"diagonal"``, as in `motif_cut_loss`.
        schedule: How the weights move, as in `motif_weights`.
        progress: How much of training is done, in [0, 1].

    Returns:
        The sum, and every term without its weight.

    Raises:
        ValueError: The motifs and the weights have different names, or an argument is not valid.

    Examples:
        >>> import torch
        >>> pair = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
        >>> hosc_loss({"edge": pair}, torch.tensor([[1.0, 0.0], [1.0, 0.0]]), mu=0.1).losses
        {'edge': tensor(-0.5000), 'orthogonality': tensor(1.0000)}
    """
    if weights is None:
        weights = dict.fromkeys(adjacencies, 1 / max(len(adjacencies), 1))
    if set(weights) != set(adjacencies):
        raise ValueError(f"weights: expected one for each of {_names(adjacencies)}, got {_names(weights)}")
    alpha = motif_weights(weights, schedule, progress)
    check_weight("mu", mu)
    losses = {name: motif_cut_loss(matrix, assignment, batch, volume) for name, matrix in adjacencies.items()}
    cut = sum((alpha[name] * loss for name, loss in losses.items()), start=assignment.new_zeros(()))
    first = next(iter(adjacencies.values()))
    matrix, flat = align(first, assignment, batch)
    losses["orthogonality"] = orthogonality_loss(flat.s, flat.batch, matrix.mask)
    return HoscLoss(cut + mu * losses["orthogonality"], losses)


def _names(mapping: Mapping[str, object]) -> str:
    return ", ".join(mapping) or "none"
