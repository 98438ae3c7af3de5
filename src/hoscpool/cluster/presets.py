"""The two presets. They give the values of parameters that are ``None``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from hoscpool.objectives import Schedule
from hoscpool.support.names import lookup


@dataclass(frozen=True)
class Settings:
    """How an assignment is learned.

    Attributes:
        message_passing: Whether the assignment network begins with a graph convolution.
        starts: The views from which runs start; see `hoscpool.cluster.views.starts`.
        warm_epochs: Epochs in which the network first learns the k-means clusters of its input.
        hidden: Width of the hidden layers.
        max_epochs: Largest number of epochs on the objective.
        learning_rate: Learning rate of Adam.
        n_init: Number of runs from every start.
        restarts: Number of k-means starts in closed form.
        refine: Whether to minimise the objective by epochs; ``None``: where features do not say enough.
        consensus: Whether to keep the tied run that agrees best with the others, instead of the best run.
        feature_weight: Share of the cut of similar features in the cuts; ``None``: that cut is not used.
        schedule: How the weights of the motifs change during training.
        patience: Training stops after this many epochs without a better objective.
        decay_patience: The learning rate is halved after this many epochs without a better objective.
        clip: Largest norm of the gradient.
    """

    message_passing: bool
    starts: tuple[str, ...]
    warm_epochs: int
    hidden: int = 32
    max_epochs: int = 500
    learning_rate: float = 1e-3
    n_init: int = 1
    restarts: int = 40
    refine: bool | None = True
    consensus: bool = False
    feature_weight: float | None = None
    schedule: Schedule = "constant"
    patience: int = 200
    decay_patience: int = 25
    clip: float = 2.0


TRAINING = frozenset({"max_epochs", "learning_rate", "hidden", "schedule", "patience", "feature_weight"})
"""Who gives one of these wants training."""
PRESETS: dict[str, Settings] = {
    "paper": Settings(message_passing=True, starts=("raw",), warm_epochs=0, schedule="adaptive"),
    "robust": Settings(
        message_passing=False,
        starts=("blend",),
        warm_epochs=100,
        hidden=64,
        max_epochs=100,
        learning_rate=1e-2,
        n_init=2,
        refine=None,
        consensus=True,
        feature_weight=0.2,
    ),
}


def resolve_settings(preset: str, given: Mapping[str, Any]) -> Settings:
    """The values of a preset, replaced by the given ones.

    Raises:
        ValueError: The preset is unknown, or a value is out of range.
    """
    known = {field.name for field in fields(Settings)}
    changes = {name: value for name, value in given.items() if name in known and value is not None}
    changes = {name: value.item() if isinstance(value, np.generic) else value for name, value in changes.items()}
    if "starts" in changes:
        starts = changes["starts"]
        changes["starts"] = (starts,) if isinstance(starts, str) else tuple(starts)
    if "n_init" in changes:
        changes["restarts"] = changes["n_init"]
    chosen = lookup(preset, PRESETS, "preset")
    if chosen.refine is None and not TRAINING.isdisjoint(changes):
        changes["refine"] = changes.get("max_epochs") != 0
    settings = replace(chosen, **changes)
    _check(settings)
    return settings


def _check(settings: Settings) -> None:
    for name in ("hidden", "n_init", "patience", "decay_patience"):
        _check_whole(name, getattr(settings, name), least=1)
    for name in ("max_epochs", "warm_epochs"):
        _check_whole(name, getattr(settings, name), least=0)
    for name in ("learning_rate", "clip"):
        value = getattr(settings, name)
        if not value > 0:
            raise ValueError(f"{name}: expected a number above 0, got {value!r}")
    share = settings.feature_weight or 0.0
    if not 0 <= share < 1:
        raise ValueError(f"feature_weight: expected a share from 0 to below 1, got {share!r}")


def _check_whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name}: expected a whole number ≥ {least}, got {value!r}")
