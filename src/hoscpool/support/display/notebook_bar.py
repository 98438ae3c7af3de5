"""A progress bar for notebooks. It needs nothing but the IPython that is there."""

from __future__ import annotations

import sys
from html import escape
from typing import Any


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
