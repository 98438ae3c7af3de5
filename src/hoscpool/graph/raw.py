"""What a converter or a reader hands over: arcs and node data as they came, not yet validated."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.support.errors import GraphWarning


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


@dataclass
class RawGraph:
    """Arcs and node data as they came, for `build_graph` to validate and canonicalise.

    Attributes:
        rows: Source of every arc.
        cols: Target of every arc.
        weights: Weight of every arc, or ``None``.
        num_nodes: Number of nodes.
        directed: ``True`` or ``False`` when the source says so, ``None`` when symmetry decides.
        features: Node features that came with the graph.
        labels: Node labels that came with the graph.
        node_names: The user's own names of the nodes.
        notes: What the reader did that the user should know.
    """

    rows: npt.NDArray[Any]
    cols: npt.NDArray[Any]
    weights: npt.NDArray[Any] | None
    num_nodes: int
    directed: bool | None = None
    features: Any = None
    labels: Any = None
    node_names: Any = None
    notes: Notes = field(default_factory=Notes)


def names_or_none(names: list[Any]) -> list[Any] | None:
    """``None`` when the names are just 0 … N−1 in order.

    Examples:
        >>> names_or_none([0, 1, 2]), names_or_none([3, 4])
        (None, [3, 4])
    """
    plain = all(type(name) in (int, np.int64) for name in names) and names == list(range(len(names)))
    return None if plain else names


_PACKAGE = str(Path(__file__).resolve().parents[1])


def _caller_level() -> int:
    """The ``stacklevel`` of the nearest frame outside the package, as seen from `Notes.emit`."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
