"""What was changed on the way in: notes that stay on the graph, the important ones also as warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

from hoscpool.errors import GraphWarning

_PACKAGE = str(Path(__file__).resolve().parents[1])


class Notes:
    """A growing list of sentences about a graph.

    Examples:
        >>> notes = Notes()
        >>> notes.note("the header line 'source,target' was skipped")
        >>> notes.texts
        ("the header line 'source,target' was skipped",)
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._texts = list(texts)
        self._warnings: list[str] = []

    def note(self, text: str) -> None:
        """Record something that is as expected."""
        self._texts.append(text)

    def warn(self, text: str) -> None:
        """Record something that the user may not expect, and warn about it in `emit`."""
        self.note(text)
        self._warnings.append(text)

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything recorded, in order."""
        return tuple(self._texts)

    def emit(self) -> None:
        """Warn once about each surprise, at the line of the user's code that called into the library."""
        for text in self._warnings:
            warnings.warn(f"{text}.", GraphWarning, stacklevel=_caller_level())
        self._warnings.clear()


def _caller_level() -> int:
    """The ``stacklevel`` of the nearest frame outside the package, as seen from `Notes.emit`."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
