"""The motif cut (Eq. 6), the orthogonality (Eq. 8), their weighted sum (the objective of HoscPool), and its weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from torch import Tensor

from hoscpool.objectives.assignment import Volume, align, as_assignment, association_of, ratio, root, volume_of
from hoscpool.objectives.operators.conversion import AdjacencyLike


def motif_cut_loss(
    adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None, volume: Volume = "soft"
) -> Tensor:
    r"""The motif normalised cut of a soft assignment, Eq. (6) of the paper, in [−1, 0].

    .. math::
        \mathcal{L}_{mc} = -\frac{1}{K} \sum_k \frac{\sum_{ij} (A_M)_{ij} S_{ik} S_{jk}}{\mathrm{vol}_k}

    It is −1 if no motif is cut and every cluster holds a motif. It is 0 if no two nodes of a motif share a cluster. For
    edges (A_M = A) it is the normalised cut.

    There are two volumes of a soft cluster. They are equal for hard assignments:

    - ``"soft"``: Σ_i d_i S_ik, the first line of Eq. (4). The uniform assignment S = 1/K scores −1/K, as it should.
    - ``"diagonal"``: Σ_i d_i S_ik², Eq. (6) as printed. The uniform assignment scores −1, the global minimum on every
      graph. Use it for study only.

    A cluster without volume contributes 0, and so does a graph without the motif. The sum is always divided by K, so
    empty clusters make the loss worse.

    Args:
        adjacency: Motif adjacency A_M of all graphs together: anything that `as_adjacency` takes.
        assignment: S with rows that sum to 1, ``[N, K]``, or ``[B, n, K]`` with a dense adjacency ``[B, n, n]``.
        batch: Graph of every node, int64 ``[N]``, in any order. The loss is the mean over the graphs.
        volume: ``"soft"`` or ``"diagonal"``.

    Returns:
        A scalar, in float32 for an assignment of half precision. Gradients can be taken once.

    Raises:
        ValueError: A shape or a weight is not valid, or the volume is unknown.

    Examples:
        >>> import torch
        >>> two_edges = (torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]]), None, 4)
        >>> motif_cut_loss(two_edges, torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]])).item()
        -1.0
    """
    matrix, flat = align(adjacency, assignment, batch)
    vol = volume_of(matrix, flat, volume)  # [B, K]
    return flat.mean(cut_of(association_of(matrix, flat), vol, flat.sum(matrix.degree)))


def cut_of(association: Tensor, volume: Tensor, total: Tensor) -> Tensor:
    """L_mc of every graph ``[…]`` from associations ``[…, K]``, volumes ``[…, K]`` and the graph's volume ``[…]``."""
    return -ratio(association, volume, total.unsqueeze(-1)).sum(-1) / association.shape[-1]


def orthogonality_loss(assignment: Tensor, batch: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
    r"""The distance of an assignment from balanced hard clusters, Eq. (8) of the paper, in [0, 1].

    .. math::
        \mathcal{L}_o = \frac{1}{\sqrt{K} - 1} \left(\sqrt{K} - \frac{1}{\sqrt{N}} \sum_k \|S_{*k}\|\right)

    It is 0 for hard clusters of equal size, and 1 for the uniform assignment or for one cluster with all nodes. For
    K = 1 the factor is not defined, and the loss is 0. A graph without nodes contributes 0.

    Args:
        assignment: S with rows that sum to 1, ``[N, K]`` or ``[B, n, K]``.
        batch: Graph of every node, int64 ``[N]``, in any order. The loss is the mean over the graphs.
        mask: Which nodes are real, bool ``[N]`` or ``[B, n]``. N counts only these.

    Returns:
        A scalar, in float32 for an assignment of half precision.

    Raises:
        ValueError: A shape is not valid.

    Examples:
        >>> import torch
        >>> orthogonality_loss(torch.eye(4)).item(), orthogonality_loss(torch.full((4, 4), 0.25)).item()
        (0.0, 1.0)
    """
    flat = as_assignment(assignment, batch, mask)
    return flat.mean(orthogonality_of(flat.sum(flat.s.square()), flat.num_nodes))


def orthogonality_of(squares: Tensor, num_nodes: Tensor) -> Tensor:
    """L_o of every graph ``[B]`` from Σ_i S_ik² ``[B, K]`` and its number of nodes ``[B]``."""
    k = squares.shape[-1]
    norms = root(squares).sum(-1)  # [B]
    if k == 1:
        return 0 * norms
    size = num_nodes.sqrt()  # [B]
    return ratio(math.sqrt(k) * size - norms, size, size) / (math.sqrt(k) - 1)  # √K − Σ‖S‖/√N, scaled


class HoscLoss(NamedTuple):
    """The weighted sum, and its unweighted terms: the cut of every motif, and ``"orthogonality"``."""

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
        weights: α_j of every motif. Default: equal weights that sum to 1.
        mu: Weight μ of the orthogonality term.
        batch: Graph of every node, as in `motif_cut_loss`.
        volume: ``"soft"`` or ``"diagonal"``, as in `motif_cut_loss`.
        schedule: How the weights change during training, as in `motif_weights`.
        progress: The training progress, in [0, 1].

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


Schedule = Literal["constant", "adaptive"] | Callable[[float], "float | Mapping[str, float]"]
SCHEDULES: dict[str, Callable[[float], float] | None] = {"constant": None, "adaptive": lambda progress: 1.0 - progress}
"""Share of the higher-order motifs as a function of progress. ``None`` does not change the weights."""

LARGEST_WEIGHT = 1e6
"""Terms are between −1 and 1. Next to a term with a larger weight, one of weight 1 is lost in float32 rounding."""


def motif_weights(
    motifs: Mapping[str, float], schedule: Schedule = "constant", progress: float | None = None
) -> dict[str, float]:
    """The weights α_j of the motifs at one point of training.

    Args:
        motifs: The weights as given, such as ``{"edge": 0.5, "triangle": 0.5}``.
        schedule: ``"constant"`` does not change the weights. With ``"adaptive"`` the share of the higher-order motifs
            falls linearly from 1 to 0, and the share of the edge rises. A function of progress returns this share, or
            all weights by name. The sum of the weights and the proportions among the higher-order motifs stay those
            of ``motifs``. The weights are constant if there is only the edge, or no edge.
        progress: How much of training is done, in [0, 1]. Needed unless the schedule is ``"constant"``.

    Returns:
        A weight for every motif.

    Raises:
        ValueError: A weight is negative or too large, the schedule is unknown, or progress is not in [0, 1].

    Examples:
        >>> motif_weights({"edge": 0.5, "triangle": 0.5}, "adaptive", progress=0.25)
        {'edge': 0.25, 'triangle': 0.75}
    """
    weights = check_weights(motifs)
    rule = _rule(schedule)
    if rule is None:
        return weights
    wanted = rule(_check_progress(progress))
    if not isinstance(wanted, Mapping):
        return _shift(weights, float(wanted))
    if set(wanted) != set(weights):
        raise ValueError(f"schedule: expected weights for {', '.join(weights)}, got {', '.join(wanted)}")
    return check_weights({name: wanted[name] for name in weights})


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights as floats.

    Raises:
        ValueError: There is none, or one is negative or too large.
    """
    if not weights:
        raise ValueError("motifs: expected at least one motif with its weight, such as {'edge': 1.0}, got none")
    return {name: check_weight(f"motifs[{name!r}]", weight) for name, weight in weights.items()}


def check_weight(argument: str, weight: float) -> float:
    """The weight of a term as a float.

    Raises:
        ValueError: It is negative or too large.
    """
    if not 0 <= weight <= LARGEST_WEIGHT:
        raise ValueError(f"{argument}: expected a weight from 0 to {LARGEST_WEIGHT:g}, got {weight}")
    return float(weight)


def _rule(schedule: Schedule) -> Callable[[float], float | Mapping[str, float]] | None:
    if callable(schedule):
        return schedule
    if schedule not in SCHEDULES:
        raise ValueError(f"schedule: expected one of {', '.join(SCHEDULES)} or a function, got {schedule!r}")
    return SCHEDULES[schedule]


def _check_progress(progress: float | None) -> float:
    if progress is None:
        raise ValueError("progress: this schedule needs to know how much of training is done, from 0 to 1, got None")
    if not 0 <= progress <= 1:
        raise ValueError(f"progress: expected a number from 0 to 1, got {progress}")
    return float(progress)


def _shift(weights: dict[str, float], share: float) -> dict[str, float]:
    """The same total, with that share for the higher-order motifs."""
    if not 0 <= share <= 1:
        raise ValueError(f"schedule: expected a share from 0 to 1 for the higher-order motifs, got {share}")
    total = sum(weights.values())
    higher = total - weights.get("edge", 0.0)
    if "edge" not in weights or not higher:
        return weights
    return {n: total * (1 - share) if n == "edge" else w * total * share / higher for n, w in weights.items()}
