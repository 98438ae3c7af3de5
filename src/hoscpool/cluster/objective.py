"""The objective that a method minimises, and the objective of the labels, by which runs are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from hoscpool.motifs import motif_name
from hoscpool.nn import EDGE_AND_TRIANGLE, POOLS, ClusteringPool, GraphBatch, HoscPool, cut_sums, weighted_sum
from hoscpool.objectives import VOLUMES, Adjacency, Schedule, Volume, check_weight, check_weights, motif_weights
from hoscpool.support.names import lookup

FEATURES = "features"
"""Name of the cut on the graph of similar features."""
Losses = dict[str, Tensor]


def clustering_methods() -> dict[str, type[ClusteringPool]]:
    """Every pool of the registry that has losses, by name."""
    pools = {name: info.cls for name, info in POOLS.items() if issubclass(info.cls, ClusteringPool)}
    return {name: pool for name, pool in pools.items() if pool.losses is not ClusteringPool.losses}


def cuts_motifs(method: str) -> bool:
    """Whether a method minimises motif cuts. The others use edges, and their terms have weight 1, as published.

    Raises:
        ValueError: The method is unknown.
    """
    return issubclass(lookup(method, clustering_methods(), "method"), HoscPool)


def method_motifs(method: str, motifs: Mapping[str, float] | None) -> dict[str, float]:
    """The motifs that a method uses, with their weights.

    Raises:
        ValueError: The method or a motif is unknown, or a weight is not valid.
    """
    takes_motifs = cuts_motifs(method)
    weights = check_weights({motif_name(name): w for name, w in (motifs or EDGE_AND_TRIANGLE).items()})
    if method == "hosc":
        return weights
    if not takes_motifs or method == "hp-1":
        return {"edge": 1.0}
    higher = {name: weight for name, weight in weights.items() if name != "edge" and weight}
    total = sum(higher.values())
    return {name: weight / total for name, weight in higher.items()} if higher else {"triangle": 1.0}


def cut_weights(motifs: Mapping[str, float], share: float) -> dict[str, float]:
    """The weight of every cut when the graph of similar features has this share of them."""
    if not share:
        return dict(motifs)
    return {**{name: (1 - share) * weight for name, weight in motifs.items()}, FEATURES: share * sum(motifs.values())}


@dataclass(frozen=True)
class Objective:
    """The losses of one method on one graph.

    Attributes:
        method: A name of `clustering_methods`.
        adjacencies: A_M of every motif that the method uses.
        motifs: α of every motif.
        mu: μ of the hosc family.
        volume: See `motif_cut_loss`.
        schedule: See `motif_weights`.
        features: The graph of similar features, or ``None``.
        feature_weight: Share of its cut in all cuts; the motifs have the rest.
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
        """Whether no matrix has an entry. Then every assignment has the same cut."""
        return all(matrix.is_empty for matrix in self._views.values())

    def losses(self, assignment: Tensor) -> Losses:
        """Every term without its weight."""
        pool = self._pool
        matrices = self._views if self.cuts_motifs else {name: self.adjacencies[name] for name in pool.cut_along}
        volume = self.volume if self.cuts_motifs else pool.volume
        return pool.losses(self._graph, assignment, cut_sums(self._graph, assignment, matrices, volume))

    def weights(self, progress: float | None = None) -> dict[str, float]:
        """The weight of every term at some point of training; ``None``: the constant weights, to compare epochs."""
        if not self.cuts_motifs:
            return {}
        return {**self._cut_weights(progress), "orthogonality": float(self.mu)}

    def total(self, losses: Losses, progress: float | None = None) -> Tensor:
        """The weighted sum of the terms. A term without a weight has weight 1."""
        return weighted_sum(losses, self.weights(progress))

    def hard(self, labels: Tensor, n_clusters: int) -> float:
        """The objective of the labels, Σ_j α_j L_mc + 1·L_o, by which runs are compared.

        The weight of L_o is 1, whatever μ is. With less weight, tiny separate pieces of the graph would win.
        """
        s = torch.nn.functional.one_hot(labels, n_clusters).to(torch.float32)
        losses = HoscPool.losses(self._graph, s, cut_sums(self._graph, s, self._views))
        return float(weighted_sum(losses, self._cut_weights(None)))

    @cached_property
    def _pool(self) -> type[ClusteringPool]:
        return clustering_methods()[self.method]

    @property
    def cuts_motifs(self) -> bool:
        """Whether the method minimises motif cuts."""
        return issubclass(self._pool, HoscPool)

    @cached_property
    def _graph(self) -> GraphBatch:
        """The graph in the form that pools take, without features."""
        first = next(iter(self.adjacencies.values()))
        x = torch.empty(first.num_nodes, 0, dtype=first.dtype)
        batch = torch.zeros(first.num_nodes, dtype=torch.int64)
        return GraphBatch(x, batch, (first.num_nodes,), matrices=self.adjacencies)

    @property
    def _views(self) -> Mapping[str, Adjacency]:
        return self.adjacencies if self.features is None else {**self.adjacencies, FEATURES: self.features}

    def _cut_weights(self, progress: float | None) -> dict[str, float]:
        schedule = "constant" if progress is None else self.schedule
        motifs = motif_weights(self.motifs, schedule, progress)
        return motifs if self.features is None else cut_weights(motifs, self.feature_weight)
