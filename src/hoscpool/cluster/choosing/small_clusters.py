"""Clusters below a smallest size are merged into others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from hoscpool.cluster.choosing.hierarchy import Coarse, merge_scores
from hoscpool.objectives import motif_cut_loss

if TYPE_CHECKING:
    from hoscpool.cluster.fit import Solution

Array = npt.NDArray[Any]
AHEAD = 1.001
"""A node's own cluster has at least this many times the membership of any other."""


def check_min_size(min_size: Any, num_nodes: int) -> int | None:
    """The smallest size of a cluster.

    Raises:
        ValueError: It is not a whole number from 1 to the number of nodes.
    """
    if min_size is None:
        return None
    is_whole = isinstance(min_size, int | np.integer) and not isinstance(min_size, bool)
    if not is_whole or not 1 <= min_size <= num_nodes:
        raise ValueError(
            f"min_size: expected a whole number from 1 to {num_nodes:,}, the number of nodes, got {min_size!r}"
        )
    return int(min_size)


def merge_small(
    solution: Solution, weights: Mapping[str, float], min_size: int | None
) -> tuple[Solution, npt.NDArray[np.int64] | None]:
    """The solution without clusters of fewer than ``min_size`` nodes.

    The smallest cluster is merged first, into the one with which the objective of the labels is lowest; so on until all
    are large enough. Empty clusters go too.

    Returns:
        The solution, and the new number of every cluster; ``None`` if nothing was merged.
    """
    if min_size is None:
        return solution, None
    groups = groups_of_size(solution.coarse, weights, min_size)
    count = int(groups.max()) + 1
    if count == len(groups):
        return solution, None
    level = solution.kept.levels[-1].numpy()
    labels = groups[level.argmax(axis=1)]
    merged = own_first(level @ np.eye(count, dtype=level.dtype)[groups], labels)
    coarse = solution.coarse.merged(groups, count)
    kept = replace(
        solution.kept,
        levels=[*solution.kept.levels[:-1], torch.from_numpy(merged)],
        hard=objective_of(coarse, weights),
    )
    return replace(solution, kept=kept, coarse=coarse, n_clusters=count, restarts=(labels,)), groups


def groups_of_size(coarse: Coarse, weights: Mapping[str, float], min_size: int) -> npt.NDArray[np.int64]:
    """The group of every cluster, so that no group is smaller than ``min_size``."""
    groups = np.arange(len(coarse.sizes))
    current = coarse
    while len(current.sizes) > 1 and current.sizes.min() < min_size:
        small = int(current.sizes.argmin())
        scores = merge_scores(current, weights)[small]
        scores[current.sizes == 0] = -np.inf  # an empty cluster is no home
        scores[small] = -np.inf
        step = np.arange(len(current.sizes))
        step[small] = int(scores.argmax())
        step = np.unique(step, return_inverse=True)[1]
        groups, current = step[groups], current.merged(step, len(current.sizes) - 1)
    return groups


def own_first(memberships: Array, labels: npt.NDArray[np.int64]) -> Array:
    """Memberships in which every node's own cluster has the largest entry; rows sum to what they did."""
    rows = np.arange(len(labels))
    most, total = memberships.max(axis=1), memberships.sum(axis=1)
    behind = memberships.argmax(axis=1) != labels
    memberships[rows[behind], labels[behind]] = AHEAD * most[behind]
    memberships[behind] *= (total[behind] / memberships[behind].sum(axis=1))[:, None]
    return memberships


def objective_of(coarse: Coarse, weights: Mapping[str, float]) -> float:
    """The objective of the labels, Σ_j α_j L_mc + L_o, from the graph between the clusters."""
    count = len(coarse.sizes)
    each = torch.eye(count, dtype=torch.float64)
    cuts = sum(
        weight * float(motif_cut_loss(torch.from_numpy(coarse.matrices[name]), each))
        for name, weight in weights.items()
    )
    if count == 1:
        return cuts
    spread = float(np.sqrt(coarse.sizes / coarse.sizes.sum()).sum())
    root = float(np.sqrt(count))
    return cuts + (root - spread) / (root - 1)
