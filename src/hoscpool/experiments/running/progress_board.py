"""Shows the progress of a run: a line for every cell, a bar on a terminal, and an estimate of the time."""

from __future__ import annotations

import contextlib
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any

from hoscpool.datasets import dataset_info
from hoscpool.experiments.experiment import find_experiment
from hoscpool.experiments.running.cell import Cell
from hoscpool.experiments.running.store import Record


class Board:
    """Progress of a run: cells done, running and left, and the time left.

    Args:
        console: A rich console; ``None`` shows nothing.
        total: Number of cells.
        jobs: Cells at a time.
    """

    def __init__(self, console: Any, total: int, jobs: int) -> None:
        self.console, self.total, self.jobs = console, total, jobs
        self.done = 0
        self._stack = contextlib.ExitStack()
        self._bar: Any = None

    def __enter__(self) -> Board:
        if self.console is not None and self.console.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self._bar = self._stack.enter_context(Progress(*columns, console=self.console, transient=True))
            self._task = self._bar.add_task("", total=self.total)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def show(self, record: Record, expected: float) -> None:
        """Show that a cell is done. ``expected`` is the time of the remaining cells on one core."""
        self.done += 1
        if self.console is None:
            return
        running = min(self.jobs, self.total - self.done)
        ahead = (
            f"running {running}, left {self.total - self.done - running}, about {duration(expected / self.jobs)} to go"
        )
        self.console.print(f"[{self.done}/{self.total}] {describe(record)}", markup=False, soft_wrap=True)
        if self._bar is not None:
            self._bar.update(self._task, completed=self.done, description=ahead)
        else:
            self.console.print(f"    {ahead}", markup=False, soft_wrap=True)


def describe(record: Record) -> str:
    """A record as one line of text."""
    name = f"{record['experiment']} {record['dataset']} {record['method']} seed {record['seed']}"
    if record["status"] == "no data":
        return f"{name}: no data"
    if record["status"] != "ok":
        return f"{name}: {record['status']}: {record['error']}"
    first, value = next(iter(record["metrics"].items()))
    number = f"{value:.3f}" if isinstance(value, float) else str(value)
    return f"{name}: {first} {number}, {record['seconds']['wall']:.1f} s"


_SECONDS_PER_NODE, _SECONDS_PER_EDGE = 1e-3, 2.5e-4
"""Rough values for a fit of 500 epochs on one core, used until there are records."""


class Estimator:
    """Expected seconds of cells.

    Args:
        records: The records so far.
    """

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._seen: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for record in records:
            self.learn(record)

    def learn(self, record: Mapping[str, Any]) -> None:
        """Take one more measurement into account."""
        if record["status"] == "ok":
            name = (record["experiment"], record["dataset"], record["method"])
            self._seen[name].append(record["seconds"]["wall"])

    def seconds(self, cell: Cell) -> float:
        """Expected seconds of one cell."""
        seen = self._seen.get((cell.experiment, cell.dataset, cell.method))
        return statistics.median(seen) if seen else self._guess(cell)

    def is_known(self, cell: Cell) -> bool:
        """Whether the estimate comes from a record of the same method on the same dataset."""
        return (cell.experiment, cell.dataset, cell.method) in self._seen

    def _guess(self, cell: Cell) -> float:
        info, experiment = dataset_info(cell.dataset), find_experiment(cell.experiment)
        whole = 1 + _SECONDS_PER_NODE * info.nodes + _SECONDS_PER_EDGE * info.edges
        whole *= experiment.cost
        return whole / 50 if cell.method in experiment.cheap else whole


def duration(seconds: float) -> str:
    """A time as readable text.

    Examples:
        >>> duration(42), duration(160), duration(9000)
        ('42 s', '3 min', '2 h 30 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
