"""The progress bar of a fit: loss, accuracies, time left."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.classify.training import Run

INTERVAL = 0.2
"""Seconds between updates."""


class Bar:
    """A bar on stderr while a fit runs; silent unless ``verbose``.

    Args:
        verbose: 0 shows nothing.
        epochs: Most epochs.
        done: Epochs that were done before.
    """

    def __init__(self, verbose: int, epochs: int, done: int = 0) -> None:
        self.verbose, self.epochs, self.done = verbose, epochs, done
        self._bar: Any = None
        self._shown = 0.0

    def __enter__(self) -> Bar:
        if self.verbose:
            self._show()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, run: Run) -> None:
        """One more epoch is done."""
        self.done += 1
        now = time.monotonic()
        if self._bar is None or now - self._shown < INTERVAL:
            return
        self._shown = now
        self._bar.update(self._task, completed=self.done, description=describe(run))

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=self.verbose == 1)
        self._task = self._bar.add_task("starting", total=self.epochs, completed=self.done)
        self._bar.start()


def describe(run: Run) -> str:
    """Where a training is, in words."""
    last = {name: values[-1] for name, values in run.progress.history.items()}
    accuracy = f"train {last['train_accuracy']:.3f}, validation {last['validation_accuracy']:.3f}"
    best = f"best {run.progress.best_accuracy:.3f} at epoch {run.progress.best_epoch}"
    return f"loss {last['task_loss']:.3f} {last['pooling_loss']:+.3f}, {accuracy} ({best})"
