"""The result of a converter or a reader: arcs and node data that are not yet validated."""

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
    """Collects sentences about a graph.

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
        """Record something that the user expects."""
        self._texts.append(text)

    def warn(self, text: str) -> None:
        """Record something that the user may not expect, and warn about it in `emit`."""
        self.note(text)
        self._warnings.append(text)

    @property
    def texts(self) -> tuple[str, ...]:
        """All recorded sentences, in order."""
        return tuple(self._texts)

    def emit(self) -> None:
        """Emit each recorded warning once, at the line of the user's code that called the library."""
        for text in self._warnings:
            warnings.warn(f"{text}.", GraphWarning, stacklevel=_caller_level())
        self._warnings.clear()


@dataclass
class RawGraph:
    """Arcs and node data from a source. `build_graph` validates them.

    Attributes:
        rows: Source of every arc.
        cols: Target of every arc.
        weights: Weight of every arc, or ``None``.
        num_nodes: Number of nodes.
        directed: ``True`` or ``False`` if the source says so, ``None`` if symmetry decides.
        features: Node features of the source.
        labels: Node labels of the source.
        node_names: The user's own names of the nodes.
        notes: What the user should know about the reading.
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
    """Return the names, or ``None`` if they are 0 … N−1 in order.

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
