"""A progress bar that appears only when something takes long enough to wonder, and only on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any

PATIENCE = 2.0
"""Seconds before the bar is shown."""


class Progress:
    """Counts work done; shows a bar on stderr once `PATIENCE` seconds have passed and stderr is a terminal.

    Args:
        description: What is being done; ``None`` never shows anything.
        total: Amount of work in any unit.
    """

    def __init__(self, description: str | None, total: int) -> None:
        self.description = description
        self.total = total
        self.done = 0
        self._start = time.monotonic()
        self._lock = threading.Lock()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, amount: int) -> None:
        """Note that ``amount`` more of the work is done."""
        with self._lock:
            self.done += amount
            if self._bar is None and self._is_due():
                self._show()
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done)

    def _is_due(self) -> bool:
        return self.description is not None and time.monotonic() - self._start > PATIENCE and sys.stderr.isatty()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        self._bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self.description, total=self.total)
        self._bar.start()
