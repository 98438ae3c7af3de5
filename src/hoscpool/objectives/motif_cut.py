"""The motif cut, Eq. (6)."""

from __future__ import annotations

from torch import Tensor

from hoscpool.objectives.assignment import align
from hoscpool.objectives.convert import AdjacencyLike
from hoscpool.objectives.cuts import Volume, association_of, ratio, volume_of


def motif_cut_loss(
    adjacency: AdjacencyLike, assignment: Tensor, batch: Tensor | None = None, volume: Volume = "soft"
) -> Tensor:
    r"""The motif normalised cut of a soft assignment, Eq. (6) of the paper, in [−1, 0].

    .. math::
        \mathcal{L}_{mc} = -\frac{1}{K} \sum_k \frac{\sum_{ij} (A_M)_{ij} S_{ik} S_{jk}}{\mathrm{vol}_k}

    It is −1 when no motif is cut and every cluster holds some, and 0 when nodes that share a motif share no cluster.
    On the edges (A_M = A) it is the normalised cut.

    The volume of a soft cluster can be read in two ways that agree on hard assignments:

    - ``"soft"``: Σ_i d_i S_ik, the first line of Eq. (4). The uniform assignment S = 1/K scores −1/K: correctly bad.
    - ``"diagonal"``: Σ_i d_i S_ik², Eq. (6) as printed. The uniform assignment scores −1, the global minimum, and says
      nothing about the graph. Kept for study only.

    A cluster without volume contributes 0, and so does a graph without the motif: empty clusters are paid for, because
    the sum is divided by K all the same.

    Args:
        adjacency: Motif adjacency A_M of all graphs together: anything that `as_adjacency` takes.
        assignment: S with rows that sum to 1, ``[N, K]``; or ``[B, n, K]`` beside a dense adjacency ``[B, n, n]``.
        batch: Graph of every node, int64 ``[N]``, in any order; the loss is the mean over the graphs.
        volume: ``"soft"`` or ``"diagonal"``.

    Returns:
        A scalar, in float32 for an assignment of half precision. Gradients can be taken once.

    Raises:
        ValueError: A shape does not fit, a weight is not valid, or the volume is not known.

    Examples:
        >>> import torch
        >>> two_edges = (torch.tensor([[0, 1, 2, 3], [1, 0, 3, 2]]), None, 4)
        >>> motif_cut_loss(two_edges, torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]])).item()
        -1.0
    """
    matrix, flat = align(adjacency, assignment, batch)
    vol = volume_of(matrix, flat, volume)  # [B, K]
    total = flat.sum(matrix.degree)[:, None]  # [B, 1]
    return flat.mean(cut_of(association_of(matrix, flat), vol, total))


def cut_of(association: Tensor, volume: Tensor, total: Tensor) -> Tensor:
    """The cut of every graph ``[…]`` from its parts ``[…, K]`` and ``[…, K]``, and its own volume ``[…, 1]``."""
    return -ratio(association, volume, total).sum(-1) / association.shape[-1]
