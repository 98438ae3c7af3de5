"""Shows the progress of a run: a line for every cell, a bar on a terminal, and the time left."""

from __future__ import annotations

import contextlib
from types import TracebackType
from typing import Any

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
