"""What a method minimises, and by what its runs are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from hoscpool import objectives
from hoscpool.motifs import motif_name
from hoscpool.objectives import Adjacency, hosc_loss, motif_weights
from hoscpool.objectives.cuts import VOLUMES, Volume
from hoscpool.objectives.schedule import Schedule, check_weight, check_weights
from hoscpool.support.names import lookup

EDGE_AND_TRIANGLE: Mapping[str, float] = {"edge": 0.5, "triangle": 0.5}
FEATURES = "features"
"""Name of the cut on the graph of similar features."""
Losses = dict[str, Tensor]


def _mincut(a: Adjacency, s: Tensor) -> Losses:
    return {"cut": objectives.mincut_loss(a, s), "orthogonality": objectives.mincut_orthogonality_loss(s)}


def _diffpool(a: Adjacency, s: Tensor) -> Losses:
    return {"link": objectives.link_prediction_loss(a, s), "entropy": objectives.entropy_loss(s)}


def _dmon(a: Adjacency, s: Tensor) -> Losses:
    return {"modularity": objectives.modularity_loss(a, s), "collapse": objectives.collapse_loss(s)}


def _just_balance(_: Adjacency, s: Tensor) -> Losses:
    return {"balance": objectives.just_balance_loss(s)}


SIBLINGS: dict[str, Callable[[Adjacency, Tensor], Losses]] = {
    "mincut": _mincut,
    "diffpool": _diffpool,
    "dmon": _dmon,
    "just-balance": _just_balance,
}
"""Losses of the edges alone, their terms added with weight 1 as published."""

METHODS: dict[str, str] = {
    "hosc": "the motif cuts of all motifs and the orthogonality term (Eqs. 7 and 8)",
    "hp-1": "the same with the edge alone",
    "hp-2": "the same without the edge",
    "mincut": "MinCutPool",
    "diffpool": "DiffPool",
    "dmon": "DMoN",
    "just-balance": "JustBalance",
}


def method_motifs(method: str, motifs: Mapping[str, float] | None) -> dict[str, float]:
    """The motifs that a method looks at, with their weights.

    Raises:
        ValueError: The method or a motif is not known, or a weight is not valid.
    """
    lookup(method, METHODS, "method")
    weights = check_weights({motif_name(name): w for name, w in (motifs or EDGE_AND_TRIANGLE).items()})
    if method == "hosc":
        return weights
    if method != "hp-2":
        return {"edge": 1.0}
    higher = {name: weight for name, weight in weights.items() if name != "edge" and weight}
    total = sum(higher.values())
    return {name: weight / total for name, weight in higher.items()} if higher else {"triangle": 1.0}


def cut_weights(motifs: Mapping[str, float], share: float) -> dict[str, float]:
    """The weight of every cut when that share of them all is on the graph of similar features."""
    if not share:
        return dict(motifs)
    return {**{name: (1 - share) * weight for name, weight in motifs.items()}, FEATURES: share * sum(motifs.values())}


@dataclass(frozen=True)
class Objective:
    """The losses of one method on one graph.

    Attributes:
        method: One of `METHODS`.
        adjacencies: A_M of every motif that the method looks at.
        motifs: α of every motif.
        mu: μ of the hosc family.
        volume: See `motif_cut_loss`.
        schedule: See `motif_weights`.
        features: The graph of similar features, or ``None``.
        feature_weight: Share of the cut on it in all cuts; the motifs have the rest.
    """

    method: str
    adjacencies: Mapping[str, Adjacency]
    motifs: Mapping[str, float]
    mu: float = 0.1
    volume: Volume = "soft"
    schedule: Schedule = "constant"
    features: Adjacency | None = None
    feature_weight: float = 0.0

    def __post_init__(self) -> None:
        if self.volume not in VOLUMES:
            raise ValueError(f"volume: expected one of {', '.join(map(repr, VOLUMES))}, got {self.volume!r}")
        check_weight("mu", self.mu)
        self.weights(progress=0.0)

    @property
    def is_empty(self) -> bool:
        """Whether no motif has an instance, nor features a neighbour: then every assignment has the same cut."""
        return all(matrix.is_empty for matrix in self._views.values())

    def losses(self, assignment: Tensor) -> Losses:
        """Every term without its weight."""
        if self.method in SIBLINGS:
            return SIBLINGS[self.method](self.adjacencies["edge"], assignment)
        return hosc_loss(self._views, assignment, volume=self.volume).losses

    def weights(self, progress: float | None = None) -> dict[str, float]:
        """The weight of every term at some point of training; ``None``: the constant ones, to compare epochs by."""
        if self.method in SIBLINGS:
            return {}
        return {**self._cut_weights(progress), "orthogonality": float(self.mu)}

    def total(self, losses: Losses, progress: float | None = None) -> Tensor:
        """The weighted sum of the terms; those without a weight count with 1."""
        weights = self.weights(progress)
        return torch.stack([weights.get(name, 1.0) * loss for name, loss in losses.items()]).sum()

    def hard(self, labels: Tensor, n_clusters: int) -> float:
        """Σ_j α_j L_mc + 1·L_o of hard labels, by which runs are compared.

        The weight of L_o is 1 whatever μ is: without it, tiny pieces cut off from the rest would win.
        """
        s = torch.nn.functional.one_hot(labels, n_clusters).to(torch.float32)
        return float(hosc_loss(self._views, s, self._cut_weights(None), mu=1.0).total)

    @property
    def _views(self) -> Mapping[str, Adjacency]:
        return self.adjacencies if self.features is None else {**self.adjacencies, FEATURES: self.features}

    def _cut_weights(self, progress: float | None) -> dict[str, float]:
        schedule = "constant" if progress is None else self.schedule
        motifs = motif_weights(self.motifs, schedule, progress)
        return motifs if self.features is None else cut_weights(motifs, self.feature_weight)
