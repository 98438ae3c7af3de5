"""One split from training to the one look at the test graphs."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from hoscpool.classify.collating import collate
from hoscpool.classify.estimator import GraphClassifier
from hoscpool.classify.splits import Split


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
    """

    split: int
    accuracy: float
    validation_accuracy: float
    epochs: int
    best_epoch: int
    stopped: str
    seconds: float
    pools: list[dict[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return asdict(self)


def evaluate_split(model: GraphClassifier, graphs: Any, split: Split, number: int = 0) -> SplitResult:
    """Fit on the training part, choose by the validation part, and read the test accuracy.

    Args:
        model: Is fitted.
        graphs: The whole dataset; pass a `GraphSet` to collate it once for all splits.
        split: The parts.
        number: Number of the split.

    Raises:
        KeyboardInterrupt: The fit was interrupted; its test accuracy is not looked at.
    """
    found, begin = collate(graphs), time.perf_counter()
    model.fit(found[split.train], validation=found[split.validation])
    seconds = time.perf_counter() - begin
    if model.stopped_ == "interrupted":
        raise KeyboardInterrupt
    test = found[split.test]
    pools = [level.as_dict() | {"verdict": level.verdict} for level in model.diagnose(test)]
    return SplitResult(
        number, model.score(test), model.validation_score_, model.n_epochs_, model.best_epoch_, model.stopped_, seconds,
        pools,
    )  # fmt: skip
