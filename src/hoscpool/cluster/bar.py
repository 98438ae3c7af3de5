"""The progress bar of a fit: loss, live clusters, time left."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from hoscpool.cluster.training import Run

INTERVAL = 0.2
"""Seconds between updates."""


class Bar:
    """A bar on stderr while a fit runs; silent unless ``verbose``.

    Args:
        verbose: 0 shows nothing.
        runs: Number of runs.
        epochs: Most epochs of a run.
    """

    def __init__(self, verbose: int, runs: int, epochs: int) -> None:
        self.verbose, self.runs, self.epochs = verbose, runs, epochs
        self.done = 0
        self._bar: Any = None
        self._shown = 0.0
        self._title = ""

    def __enter__(self) -> Bar:
        if self.verbose:
            self._show()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, number: int, start: str) -> None:
        """Run ``number`` begins; epochs that earlier ones did not need count as done."""
        self.done = number * self.epochs
        self._title = f"run {number + 1} ({start})"

    def advance(self, run: Run) -> None:
        """One more epoch is done."""
        self.done += 1
        now = time.monotonic()
        if self._bar is None or now - self._shown < INTERVAL:
            return
        self._shown = now
        self._bar.update(self._task, completed=self.done, description=f"{self._title}: {describe(run)}")

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=self.verbose == 1)
        self._task = self._bar.add_task("starting", total=self.runs * self.epochs)
        self._bar.start()


def describe(run: Run) -> str:
    """Loss and live clusters of a run in words."""
    loss = run.progress.history["loss"][-1]
    with torch.no_grad():
        labels = run.network(run.x, run.adjacency)[-1].argmax(dim=1)
    return f"loss {loss:+.4f}, {len(labels.unique())} of {run.network.sizes[-1]} clusters live"
