"""One split from training to the one look at the test graphs."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from typing import Any

from hoscpool.classify.collating import collate
from hoscpool.classify.estimator import GraphClassifier
from hoscpool.classify.splits import Split
from hoscpool.classify.tuning import Grid, Trial, fit_tuned


@dataclass(frozen=True)
class SplitResult:
    """What came out of one split.

    Attributes:
        split: Number of the split.
        accuracy: On the test graphs, read once, after everything else.
        validation_accuracy: Of the epoch that was kept.
        epochs: Epochs done.
        best_epoch: The epoch that was kept.
        stopped: Why training ended.
        seconds: Time of the fit.
        pools: The diagnosis of every pool on the test graphs.
        trials: What a search tried, the best of which was kept; empty without one.
    """

    split: int
    accuracy: float
    validation_accuracy: float
    epochs: int
    best_epoch: int
    stopped: str
    seconds: float
    pools: list[dict[str, Any]]
    trials: list[dict[str, Any]] = field(default_factory=list)

    @property
    def chosen(self) -> dict[str, Any]:
        """The parameters that a search settled on; empty without one."""
        trials = [Trial(**row) for row in self.trials]
        return max(trials, key=lambda trial: trial.rank).parameters if trials else {}

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return asdict(self)


def evaluate_split(
    model: GraphClassifier, graphs: Any, split: Split, number: int = 0, grid: Grid | None = None
) -> SplitResult:
    """Fit on the training part, choose by the validation part, and read the test accuracy.

    Args:
        model: Is fitted, with the parameters that a search chose.
        graphs: The whole dataset; pass a `GraphSet` to collate it once for all splits.
        split: The parts.
        number: Number of the split.
        grid: Parameters to choose by the validation part too, see `fit_tuned`.

    Raises:
        KeyboardInterrupt: The fit was interrupted; its test accuracy is not looked at.
    """
    found, begin = collate(graphs), time.perf_counter()
    train, validation, trials = found[split.train], found[split.validation], []
    if grid is None:
        model.fit(train, validation=validation)
    else:
        trials = [trial.as_dict() for trial in fit_tuned(model, train, validation=validation, grid=grid)]
    seconds = time.perf_counter() - begin + model.earlier_.wall
    if model.stopped_ == "interrupted":
        raise KeyboardInterrupt
    test = found[split.test]
    pools = [level.as_dict() | {"verdict": level.verdict} for level in model.diagnose(test)]
    return SplitResult(
        number, model.score(test), model.validation_score_, model.n_epochs_, model.best_epoch_, model.stopped_, seconds,
        pools, trials,
    )  # fmt: skip
