"""What the paper chose anew for every dataset, chosen by the validation graphs."""

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
from hoscpool.support.timing import Stopwatch

Grid = Mapping[str, Sequence[Any]]

GRID: Grid = {"hidden": (32, 16, 64), "skip_readout": (False, True), "mu": (0.1, 0.0)}
"""What Section 5.2 leaves open: 16 to 64 units, skip connections to the read-out "sometimes", μ of 0 or 0.1."""


def grid_of(pooling: str) -> Grid:
    """`GRID`, without μ for pools that have none.

    Examples:
        >>> list(grid_of("hosc")), list(grid_of("none"))
        (['hidden', 'skip_readout', 'mu'], ['hidden', 'skip_readout'])
    """
    has_mu = issubclass(pool_info(pooling).cls, HoscPool)
    return {name: values for name, values in GRID.items() if has_mu or name != "mu"}


@dataclass(frozen=True)
class Trial:
    """One fit of a search.

    Attributes:
        parameters: What was tried, of the parameters that the search is about.
        validation_accuracy: Of the epoch that was kept.
        validation_loss: Its cross-entropy, which decides between equal accuracies; ``None`` when no epoch was finished.
    """

    parameters: dict[str, Any]
    validation_accuracy: float
    validation_loss: float | None

    @property
    def rank(self) -> tuple[float, float]:
        """The higher the better."""
        return self.validation_accuracy, -math.inf if self.validation_loss is None else -self.validation_loss

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return asdict(self)


def fit_tuned(model: GraphClassifier, graphs: Any, *, validation: Any, grid: Grid | None = None) -> list[Trial]:
    """Fit with the parameters that do best on the validation graphs.

    One parameter after the other, in the order of the grid: each of its values is tried beside the best values so far,
    which takes a fit for every value more than one, and not for every combination.

    Args:
        model: Ends up fitted, with the parameters that were chosen.
        graphs: To learn from, as in `GraphClassifier.fit`.
        validation: To choose by.
        grid: Values by parameter; `grid_of` the pool when left out.

    Returns:
        All trials, in their order. An interrupted search ends with the best of them and ``stopped_ == "interrupted"``.

    Raises:
        ValueError: A parameter or a value is not valid, or the graphs are not.
    """
    grid = grid_of(model.pooling) if grid is None else grid
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
    """Trials, and the best fit of them."""

    def __init__(self, model: GraphClassifier, graphs: Any, validation: Any) -> None:
        self.model, self.graphs, self.validation = model, graphs, validation
        self.trials: list[Trial] = []
        self.fitted = model
        self.is_interrupted = False
        self.earlier = Stopwatch()

    @property
    def best(self) -> Trial:
        """The first of the best."""
        return max(self.trials, key=lambda trial: trial.rank)

    def attempt(self, parameters: dict[str, Any]) -> None:
        """Fit once more, unless that was done or the user has had enough."""
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
