"""The exact motif cut over enumerated instances, Appendix C, for motifs of any size."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from hoscpool.objectives.assignment import Assignment, as_assignment, ratio, with_slope

_CHUNK = 1 << 22
"""Numbers held at a time: instances × members × clusters."""


def exact_motif_cut_loss(instances: Any, assignment: Tensor, batch: Tensor | None = None) -> Tensor:
    r"""The motif normalised cut over enumerated instances, Appendix C of the paper, in [−1, 0].

    .. math::
        \mathcal{L} = -\frac{1}{K} \sum_k \left(1 - \frac{\mathrm{cut}_k}{\mathrm{vol}_k}\right), \quad
        \mathrm{cut}_k = \sum_v \left(1 - \prod_{i \in v} S_{ik} - \prod_{i \in v} (1 - S_{ik})\right), \quad
        \mathrm{vol}_k = \sum_v \sum_{i \in v} S_{ik}

    cut_k is the expected number of instances with members both inside and outside cluster k, if memberships are
    independent. For four nodes it equals ⅓ cut of G_M − ⅓ Σ_v P(exactly two of v in k), the identity of the appendix.
    `motif_cut_loss` on the motif adjacency leaves out the last term. For two and three nodes both losses are the same.
    A cluster without volume contributes 0.

    Args:
        instances: Node numbers of every instance, integers ``[n, m]``, such as `motif_instances` returns.
        assignment: S with rows that sum to 1, ``[N, K]``.
        batch: Graph of every node, int64 ``[N]``. The loss is the mean over the graphs.

    Returns:
        A scalar. Gradients can be taken once. Time is proportional to n·m·K, memory to N·K.

    Raises:
        ValueError: A shape does not fit, a node number is out of range, or an instance spans two graphs.

    Examples:
        >>> exact_motif_cut_loss([[0, 1, 2, 3]], torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]])).item()
        -0.5
    """
    flat = as_assignment(assignment, batch)
    nodes, graph = _check_instances(instances, flat)
    member = torch.zeros(len(flat.s), dtype=flat.s.dtype, device=flat.s.device)
    member.index_add_(0, nodes.flatten(), torch.ones_like(nodes.flatten(), dtype=flat.s.dtype))  # [N]
    vol = flat.sum(member[:, None] * flat.s)  # [B, K]
    total = flat.sum(member)[:, None]  # [B, 1]
    kept = ratio(vol - _expected_cut(nodes, graph, flat), vol, total)  # 1 − cut/vol [B, K]
    return -flat.mean(kept.mean(-1))


def exactly_two(instances: Tensor, s: Tensor) -> Tensor:
    r"""Expected number of instances with exactly two members in each cluster, ``[K]``, for independent memberships.

    .. math::
        \sum_v \sum_{\{a, b\} \subset v} S_{ak} S_{bk} \prod_{c \in v \setminus \{a, b\}} (1 - S_{ck})

    Args:
        instances: Node numbers, int64 ``[n, m]``.
        s: The assignment ``[N, K]``.
    """
    inside = s[instances]  # [n, m, K]
    members = range(instances.shape[1])
    total = s.new_zeros(s.shape[1])
    for a in members:
        for b in range(a):
            others = [c for c in members if c not in (a, b)]
            total = total + (inside[:, a] * inside[:, b] * (1 - inside[:, others]).prod(1)).sum(0)
    return total


def _expected_cut(nodes: Tensor, graph: Tensor | None, flat: Assignment) -> Tensor:
    """cut_k of every graph, ``[B, K]``. The gradient is summed in the same pass, so nothing per instance is kept."""
    s = flat.s.detach()
    cut, slope = s.new_zeros(flat.num_graphs, flat.num_clusters), torch.zeros_like(s)
    size = max(1, _CHUNK // (nodes.shape[1] * flat.num_clusters))
    for start in range(0, len(nodes), size):
        chunk = nodes[start : start + size]
        inside, outside = s[chunk], 1 - s[chunk]  # [n, m, K]
        per_instance = 1 - inside.prod(1) - outside.prod(1)  # [n, K]
        home = chunk.new_zeros(len(chunk)) if graph is None else graph[start : start + size]
        cut.index_add_(0, home, per_instance)
        change = _without_each(outside) - _without_each(inside)  # ∂/∂S [n, m, K]
        slope.index_add_(0, chunk.flatten(), change.flatten(0, 1))
    return with_slope(flat, cut, slope)


def _without_each(x: Tensor) -> Tensor:
    """For each member the product over the others, ``[n, m, K]``. It is also right if factors are 0."""
    ones = torch.ones_like(x[:, :1])
    before = torch.cat([ones, x[:, :-1]], 1).cumprod(1)
    after = torch.cat([ones, x.flip(1)[:, :-1]], 1).cumprod(1).flip(1)
    return before * after


def _check_instances(instances: Any, flat: Assignment) -> tuple[Tensor, Tensor | None]:
    nodes = torch.as_tensor(instances, device=flat.s.device)
    if nodes.ndim != 2 or nodes.shape[1] < 2 or nodes.is_floating_point():
        raise ValueError(f"instances: expected integers of shape [n, m ≥ 2], got {nodes.dtype} {list(nodes.shape)}")
    nodes = nodes.long()
    low, high = (int(nodes.min()), int(nodes.max())) if nodes.numel() else (0, -1)
    if low < 0 or high >= len(flat.s):
        raise ValueError(f"instances: expected node numbers from 0 to {len(flat.s) - 1}, got {low} to {high}")
    if flat.batch is None:
        return nodes, None
    graph = flat.batch[nodes]  # [n, m]
    if (graph != graph[:, :1]).any():
        raise ValueError("instances: expected every instance within one graph of the batch, got one that spans two")
    return nodes, graph[:, 0]
