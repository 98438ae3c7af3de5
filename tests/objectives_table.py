"""All losses as a table, each beside its oracle, for tests that hold for every one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

import oracles_objectives as oracle
from hoscpool import objectives as o

Loss = Callable[..., torch.Tensor]

ON_ADJACENCY: dict[str, tuple[Loss, Callable[..., float]]] = {
    "motif_cut": (o.motif_cut_loss, oracle.motif_cut),
    "motif_cut, diagonal": (partial(o.motif_cut_loss, volume="diagonal"), partial(oracle.motif_cut, volume="diagonal")),
    "mincut": (o.mincut_loss, oracle.mincut),
    "link_prediction": (o.link_prediction_loss, oracle.link_prediction),
    "modularity": (o.modularity_loss, oracle.modularity),
}
ON_ASSIGNMENT: dict[str, tuple[Loss, Callable[..., float]]] = {
    "orthogonality": (o.orthogonality_loss, oracle.orthogonality),
    "mincut_orthogonality": (o.mincut_orthogonality_loss, oracle.mincut_orthogonality),
    "entropy": (o.entropy_loss, oracle.entropy),
    "collapse": (o.collapse_loss, oracle.collapse),
    "just_balance": (o.just_balance_loss, oracle.just_balance),
}
NAMES = (*ON_ADJACENCY, *ON_ASSIGNMENT)


def compute(name: str, adjacency: Any, s: torch.Tensor, batch: torch.Tensor | None = None) -> torch.Tensor:
    """A loss of either kind."""
    if name in ON_ADJACENCY:
        return ON_ADJACENCY[name][0](adjacency, s, batch)
    return ON_ASSIGNMENT[name][0](s, batch)


def expected(name: str, A: Any, S: Any) -> float:
    """The same by its oracle, on one graph."""
    return ON_ADJACENCY[name][1](A, S) if name in ON_ADJACENCY else ON_ASSIGNMENT[name][1](S)
