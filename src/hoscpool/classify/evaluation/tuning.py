"""Chooses by the validation graphs the parameters that the paper tuned for every dataset."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sklearn.base import clone

from hoscpool.classify.architecture import resolve_settings
from hoscpool.classify.graph_classifier import GraphClassifier
from hoscpool.nn import HoscPool, pool_info
from hoscpool.support.progress import Stopwatch

Grid = Mapping[str, Sequence[Any]]

GRID: Grid = {"hidden": (32, 16, 64), "skip_readout": (False, True), "mu": (0.1, 0.0)}
"""The values that Section 5.2 names: 16 to 64 units, skip connections to the read-out "sometimes", μ of 0 or 0.1."""


def grid_of(pooling: str, architecture: str = "paper") -> Grid:
    """`GRID`, without μ for pools that have none, and without skip connections for a deep network, which has them.

    Examples:
        >>> list(grid_of("hosc")), list(grid_of("none"))
        (['hidden', 'skip_readout', 'mu'], ['hidden', 'skip_readout'])
    """
    has_mu = issubclass(pool_info(pooling).cls, HoscPool)
    left_out = {"mu": not has_mu, "skip_readout": architecture == "deep"}
    return {name: values for name, values in GRID.items() if not left_out.get(name)}


@dataclass(frozen=True)
class Trial:
    """One fit of a search.

    Attributes:
        parameters: The values that were tried.
        validation_accuracy: Validation accuracy of the epoch that was kept.
        validation_loss: Its cross-entropy, which decides between equal accuracies; ``None`` when no epoch was finished.
    """

    parameters: dict[str, Any]
    validation_accuracy: float
    validation_loss: float | None

    @property
    def rank(self) -> tuple[float, float]:
        """The key by which trials are compared; higher is better."""
        return self.validation_accuracy, -math.inf if self.validation_loss is None else -self.validation_loss

    def as_dict(self) -> dict[str, Any]:
        """All fields as plain values."""
        return asdict(self)


def fit_tuned(model: GraphClassifier, graphs: Any, *, validation: Any, grid: Grid | None = None) -> list[Trial]:
    """Fit with the parameters that are best on the validation graphs.

    The search takes one parameter after the other, in the order of the grid. It tries each value together with the best
    values so far. This takes fewer fits than trying every combination.

    Args:
        model: The model to fit. At the end it has the chosen parameters.
        graphs: Training graphs, as in `GraphClassifier.fit`.
        validation: Validation graphs.
        grid: Values by parameter; by default `grid_of` the pool.

    Returns:
        All trials in order. An interrupted search keeps the best of them, with ``stopped_ == "interrupted"``.

    Raises:
        ValueError: A parameter or a value is not valid, or the graphs are not.
    """
    grid = grid_of(model.pooling, model.architecture) if grid is None else grid
    for name, values in grid.items():
        for value in values:
            resolve_settings(clone(model).set_params(**{name: value}).get_params(deep=False))
    search = _Search(model, graphs, validation)
    search.attempt({name: getattr(model, name) for name in grid})
    for name, values in grid.items():
        so_far = search.best.parameters
        for value in values:
            search.attempt({**so_far, name: value})
    model.__dict__.update(search.fitted.__dict__, checkpoint=model.checkpoint, earlier_=search.earlier)
    if search.is_interrupted:
        model.stopped_ = "interrupted"
    return search.trials


class _Search:
    """The trials so far, and the best fit."""

    def __init__(self, model: GraphClassifier, graphs: Any, validation: Any) -> None:
        self.model, self.graphs, self.validation = model, graphs, validation
        self.trials: list[Trial] = []
        self.fitted = model
        self.is_interrupted = False
        self.earlier = Stopwatch()

    @property
    def best(self) -> Trial:
        """The best trial, the first of equal ones."""
        return max(self.trials, key=lambda trial: trial.rank)

    def attempt(self, parameters: dict[str, Any]) -> None:
        """Fit with these parameters, unless they were tried already or the search was interrupted."""
        if self.is_interrupted or any(trial.parameters == parameters for trial in self.trials):
            return
        fitted: GraphClassifier = clone(self.model).set_params(**parameters, checkpoint=self._checkpoint())
        fitted.fit(self.graphs, validation=self.validation)
        loss = fitted.history_["validation_loss"][fitted.best_epoch_ - 1] if fitted.best_epoch_ else None
        self.earlier += fitted.earlier_
        self.trials.append(Trial(parameters, fitted.validation_score_, loss))
        self.is_interrupted = fitted.stopped_ == "interrupted"
        if self.best is self.trials[-1]:
            self.fitted = fitted

    def _checkpoint(self) -> Path | None:
        folder = self.model.checkpoint
        return None if folder is None else Path(folder) / f"trial-{len(self.trials)}"
