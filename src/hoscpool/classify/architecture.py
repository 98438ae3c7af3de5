"""The settings of a classifier, with their checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import inf
from numbers import Integral, Real
from typing import Any

import numpy as np

from hoscpool.classify.data.disjoint_union import NAMES
from hoscpool.nn import EDGE_AND_TRIANGLE, ClusteringPool, HoscPool, NoPool, pool_info
from hoscpool.nn.encoders import find_encoder, list_encoders
from hoscpool.objectives import SCHEDULES

ARCHITECTURES: dict[str, dict[str, int]] = {
    "paper": {"max_epochs": 500, "patience": 100},
    "deep": {"max_epochs": 1000, "patience": 500},
}
"""The networks, and how long each trains unless told otherwise."""
CHOICES = {
    "architecture": tuple(ARCHITECTURES),
    "clusters_from": ("mean", "largest"),
    "readout": ("mean", "sum"),
    "schedule": tuple(SCHEDULES),
}


@dataclass(frozen=True)
class Settings:
    """How a classifier is built and trained; see `GraphClassifier`."""

    pooling: str
    encoder: str
    n_pools: int
    ratio: float
    clusters_from: str
    hidden: int
    batch_size: int
    mu: float
    motifs: Mapping[str, float] | None
    schedule: str
    remove_self_loops: bool
    skip_readout: bool
    readout: str
    structural_features: bool
    learning_rate: float
    max_epochs: int
    patience: int
    decay_patience: int
    clip: float
    architecture: str = "paper"
    n_layers: int = 4
    edge_features: bool = False

    @property
    def layers(self) -> tuple[int, ...]:
        """Number of encoders on the input and after every pool. A deep network has more of them on finer graphs.

        A pool that leaves one supernode per graph has all of them before it.
        """
        levels = self.n_pools + 1
        if self.architecture == "paper":
            return (1,) * levels
        return tuple(self.n_layers // levels + (level < self.n_layers % levels) for level in range(levels))

    @property
    def layers_on_input(self) -> int:
        """Number of encoders that see the graphs as they came in."""
        info = pool_info(self.pooling)
        return self.layers[0] if issubclass(info.cls, ClusteringPool) and not info.is_global else sum(self.layers)

    @property
    def layers_with_edges(self) -> int:
        """Number of encoders on graphs that still have features of edges: a pool leaves none, except ``none``."""
        info = pool_info(self.pooling)
        return sum(self.layers) if info.is_global or issubclass(info.cls, NoPool) else self.layers[0]

    @property
    def motif_names(self) -> tuple[str, ...]:
        """The motifs besides the edge that the pools use."""
        info = pool_info(self.pooling)
        if not issubclass(info.cls, HoscPool):
            return ()
        weights = self.motifs or info.preset.get("motifs", EDGE_AND_TRIANGLE)
        return tuple(name for name in weights if name != "edge")

    @property
    def merge_depth(self) -> int:
        """Rounds of message passing before the first sum over nodes. Nodes with the same embedding there can be merged.

        0 if the encoder or the pool looks at every node by itself.
        """
        pool = pool_info(self.pooling).cls
        if not (pool.takes_counts and find_encoder(self.encoder).sums):
            return 0
        return self.layers_on_input + pool.rounds

    def clusters(self, sizes: Any) -> tuple[int, ...]:
        """The numbers of clusters of all pools: int(ratio · n), then int(ratio · K), each at least 1.

        Args:
            sizes: Numbers of nodes of the training graphs; n is their mean or their maximum.
        """
        size = float(np.mean(sizes) if self.clusters_from == "mean" else np.max(sizes))
        found: list[int] = []
        for _ in range(self.n_pools):
            found.append(max(1, int(self.ratio * size)))
            size = found[-1]
        return tuple(found)

    def in_channels(self, num_features: int) -> int:
        """Width of the network's input for this many features per node. Nodes without features get a constant."""
        return max(num_features, 1) + (len(NAMES) if self.structural_features else 0)


def resolve_settings(given: Mapping[str, Any]) -> Settings:
    """The settings among the parameters of an estimator.

    Raises:
        ValueError: One of them is not valid. The message says which, and what was expected.
    """
    length = ARCHITECTURES.get(given["architecture"], {})
    known = {field.name: given[field.name] for field in fields(Settings)}
    settings = Settings(**known | {name: value for name, value in length.items() if given[name] is None})
    pool_info(settings.pooling)
    encoder = find_encoder(settings.encoder)
    for name, valid in CHOICES.items():
        if getattr(settings, name) not in valid:
            raise ValueError(f"{name}: expected one of {', '.join(map(repr, valid))}, got {getattr(settings, name)!r}")
    for name in ("hidden", "batch_size", "patience", "decay_patience"):
        _check_whole(name, getattr(settings, name), least=1)
    for name in ("n_pools", "max_epochs"):
        _check_whole(name, getattr(settings, name), least=0)
    for name in ("learning_rate", "clip"):
        _check_number(name, getattr(settings, name), above=0)
    if settings.n_pools == 0 and settings.pooling != "none":
        raise ValueError(f"n_pools: expected at least 1 with pooling {settings.pooling!r}; without pools use 'none'")
    _check_deep(settings)
    if settings.edge_features and not encoder.takes_edges:
        able = ", ".join(repr(name) for name in list_encoders() if find_encoder(name).takes_edges)
        raise ValueError(f"edge_features: expected an encoder that uses them ({able}), got {settings.encoder!r}")
    _check_number("mu", settings.mu, least=0)
    if settings.motifs is not None and not settings.motifs:
        raise ValueError("motifs: expected at least one motif with its weight, got none; leave it out for the default")
    if not 0 < settings.ratio <= 1:
        raise ValueError(f"ratio: expected a share of the nodes in (0, 1], got {settings.ratio!r}")
    return settings


def _check_deep(settings: Settings) -> None:
    if settings.architecture == "paper":
        return
    _check_whole("n_layers", settings.n_layers, least=settings.n_pools + 1)
    if settings.skip_readout:
        raise ValueError("skip_readout: a deep network reads the output of every layer anyway; leave it out")


def _check_whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name}: expected a whole number ≥ {least}, got {value!r}")


def _check_number(name: str, value: Any, above: float = -inf, least: float = -inf) -> None:
    if not isinstance(value, Real) or not (float(value) > above and float(value) >= least):
        expected = f"≥ {least}" if above == -inf else f"above {above}"
        raise ValueError(f"{name}: expected a number {expected}, got {value!r}")
