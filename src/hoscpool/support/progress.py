"""Progress bars for long work on terminals and in notebooks, and a stopwatch."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from types import TracebackType
from typing import Any

PATIENCE = 2.0
"""Seconds before the bar is shown."""
INTERVAL = 0.2
"""Seconds between updates of the words beside a bar."""


_SILENT: ContextVar[bool] = ContextVar("silent", default=False)


@contextmanager
def silent(wanted: bool = True) -> Iterator[None]:
    """Inside the block no `Progress` shows a bar, if that is wanted."""
    token = _SILENT.set(wanted or _SILENT.get())
    try:
        yield
    finally:
        _SILENT.reset(token)


class _Shown:
    """A bar that stops at the end of a ``with`` block."""

    _bar: Any = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


class Progress(_Shown):
    """Counts finished work. Shows a bar after `PATIENCE` seconds on a terminal (on stderr) or in a notebook.

    Args:
        description: What is being done. ``None`` shows nothing.
        total: Amount of work in any unit.
    """

    def __init__(self, description: str | None, total: int) -> None:
        self.description = None if _SILENT.get() else description
        self.total = total
        self.done = 0
        self._start = time.monotonic()
        self._lock = threading.Lock()

    def __enter__(self) -> Progress:
        return self

    def advance(self, amount: int) -> None:
        """Record that ``amount`` more of the work is done."""
        with self._lock:
            self.done += amount
            if self._bar is None and self._is_due():
                self._show()
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done)

    def _is_due(self) -> bool:
        return self.description is not None and time.monotonic() - self._start > PATIENCE and _is_watched()

    def _show(self) -> None:
        self._bar = _new_bar(transient=True)
        self._task = self._bar.add_task(self.description, total=self.total)
        self._bar.start()


class FitBar(_Shown):
    """A bar on stderr while a fit runs, with a text beside it. Silent unless ``verbose``.

    Args:
        verbose: 0 shows nothing, 1 a bar that disappears at the end, 2 a bar that stays.
        total: Largest number of epochs.
        done: Number of epochs done before.
    """

    def __init__(self, verbose: int, total: int, done: int = 0) -> None:
        self.verbose, self.total, self.done = verbose, total, done
        self._shown = 0.0
        self._parts: list[FitBar] = []

    def __enter__(self) -> FitBar:
        if self.verbose:
            self._bar = _new_bar(transient=self.verbose == 1)
            self._task = self._bar.add_task("starting", total=self.total, completed=self.done)
            self._bar.start()
        return self

    def advance(self, words: Callable[[], str]) -> None:
        """One more epoch is done. ``words`` is called only when its text is shown."""
        self.done += 1
        self._show(words)

    def _show(self, words: Callable[[], str]) -> None:
        now = time.monotonic()
        if self._bar is not None and now - self._shown >= INTERVAL:
            self._shown = now
            done = self.done + sum(part.done for part in self._parts)
            self._bar.update(self._task, completed=done, description=words())

    def part(self, total: int) -> FitBar:
        """A bar for a part of the work. It is shown as part of this one. Several parts may run at the same time."""
        self._parts.append(_Part(self, total))
        return self._parts[-1]


class _Part(FitBar):
    """A part of the work of another bar."""

    def __init__(self, whole: FitBar, total: int) -> None:
        super().__init__(0, total)
        self._whole = whole

    def __exit__(self, *_: object) -> None:
        self.done = self.total  # epochs that were not needed count as done

    def _show(self, words: Callable[[], str]) -> None:
        self._whole._show(words)


@contextmanager
def waiting(verbose: int, words: str) -> Iterator[None]:
    """A moving bar on stderr without a percentage. It disappears at the end. Silent unless ``verbose``."""
    if not verbose:
        yield
        return
    bar = _new_bar(transient=True)
    bar.add_task(words, total=None)
    with bar:
        yield


def _is_watched() -> bool:
    return sys.stderr.isatty() or in_notebook()


def _new_bar(*, transient: bool) -> Any:
    """A bar on the terminal, or in a notebook."""
    if in_notebook():
        return NotebookBar(transient=transient)
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return RichProgress(*columns, console=Console(stderr=True), transient=transient)


def in_notebook() -> bool:
    """Whether this is the kernel of a notebook."""
    if "ipykernel" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


class NotebookBar:
    """A bar with the methods of a bar of rich that this library uses.

    Args:
        transient: Whether it disappears at the end.
    """

    def __init__(self, *, transient: bool) -> None:
        self.transient = transient
        self._description, self._completed = "", 0.0
        self._total: float | None = None
        self._display: Any = None

    def add_task(self, description: str, total: float | None, completed: float = 0) -> int:
        """Say what is done. There is one task."""
        self._description, self._completed = description, completed
        self._total = total
        return 0

    def start(self) -> None:
        """Show the bar."""
        from IPython.display import display

        self._display = display(self, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]

    def update(self, task: int, **news: Any) -> None:  # noqa: ARG002
        """Show how far the work is: ``completed``, ``description``."""
        self._completed = news.get("completed", self._completed)
        self._description = news.get("description", self._description)
        self._show(self)

    def stop(self) -> None:
        """Take the bar away, or leave it full."""
        if self.transient:
            from IPython.display import HTML

            self._show(HTML(""))  # type: ignore[no-untyped-call, unused-ignore]

    def __enter__(self) -> NotebookBar:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _show(self, what: Any) -> None:
        if self._display is not None:
            self._display.update(what)

    def _repr_html_(self) -> str:
        share = "" if not self._total else f" value='{self._completed:g}' max='{self._total:g}'"
        percent = "" if not self._total else f" {min(self._completed / self._total, 1):.0%}"
        return f"<div>{escape(self._description)} <progress{share}></progress>{percent}</div>"

    def __repr__(self) -> str:
        return f"{self._description} {self._completed:g} of {self._total or '?'}"


class Stopwatch:
    """Measures a ``with`` block.

    Examples:
        >>> with Stopwatch() as watch:
        ...     _ = sum(range(1000))
        >>> sorted(watch.seconds)
        ['cpu', 'wall']
    """

    def __init__(self, wall: float = 0.0, cpu: float = 0.0) -> None:
        self.wall, self.cpu = wall, cpu

    def __enter__(self) -> Stopwatch:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall, self.cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu

    def __add__(self, other: Stopwatch) -> Stopwatch:
        return Stopwatch(self.wall + other.wall, self.cpu + other.cpu)

    @property
    def seconds(self) -> dict[str, float]:
        """Both times, as they stand in a record."""
        return {"wall": round(self.wall, 3), "cpu": round(self.cpu, 3)}
