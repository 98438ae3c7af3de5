"""The result of a converter or a reader, arcs and node data not yet validated, and how columns are named."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
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


class Guess(Enum):
    """The value of an argument that the user left out, where ``None`` means something else."""

    WEIGHT = "the column or attribute that is called a weight"

    def __repr__(self) -> str:
        return f"<{self.value}>"


@dataclass(frozen=True)
class Fields:
    """What the user said about the columns of a table of edges, or the attributes of edges.

    Attributes:
        source: Column of one end; ``None``: a known name.
        target: Column of the other end.
        weight: Column or attribute of the weight. ``None``: there are no weights.
        on_bad_rows: ``"error"`` or ``"skip"``: what to do with a row that has an empty cell.
    """

    source: Any = None
    target: Any = None
    weight: Any = Guess.WEIGHT
    on_bad_rows: str = "error"

    @property
    def guesses_weight(self) -> bool:
        """Whether the user has not said what the weight is."""
        return self.weight is Guess.WEIGHT

    @property
    def weight_key(self) -> Any:
        """The attribute of the weight."""
        return "weight" if self.guesses_weight else self.weight


EVERYTHING_GUESSED = Fields()
"""The user said nothing about the columns."""


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

    def drop_weights(self) -> None:
        """Make every arc count 1. Arcs of weight 0 are no arcs."""
        if self.weights is not None:
            there = np.asarray(self.weights) != 0
            self.rows, self.cols, self.weights = self.rows[there], self.cols[there], None


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


SOURCE_TARGET = (
    ("source", "target"), ("src", "dst"), ("src", "dest"), ("source", "destination"), ("from", "to"), ("u", "v"),
    ("i", "j"), ("node1", "node2"), ("nodea", "nodeb"), ("id1", "id2"), ("vertex1", "vertex2"), ("user1", "user2"),
    ("fromnodeid", "tonodeid"), ("fromnode", "tonode"), ("fromid", "toid"), ("sourceid", "targetid"),
    ("sender", "receiver"), ("sender", "recipient"), ("caller", "callee"), ("citing", "cited"), ("person1", "person2"),
    ("name1", "name2"), ("row", "col"), ("start", "end"),
)  # fmt: skip
"""Pairs of column names for the two ends of an edge, in lower case without punctuation. The first pair found counts,
because a table of edges over time may also have the columns start and end."""

WEIGHT = {
    "weight", "weights", "w", "wt", "value", "strength", "count", "counts", "amount", "frequency", "freq", "edgeweight",
}  # fmt: skip
"""Names of a column of weights, written in the same way. No other column is taken for one."""


def plain_words(names: Sequence[str]) -> list[str]:
    """Names in lower case without punctuation.

    >>> plain_words(["From_Node", "weight "])
    ['fromnode', 'weight']
    """
    return [re.sub(r"[^a-z0-9]", "", name.lower()) for name in names]


def find_ends(names: Sequence[str]) -> tuple[int, int] | None:
    """The columns of the two ends of an edge, or ``None`` if no known pair is among the names.

    >>> find_ends(["weight", "Source", "Target"])
    (1, 2)
    """
    words = plain_words(names)
    for source, target in SOURCE_TARGET:
        if source in words and target in words:
            return words.index(source), words.index(target)
    return None


def describe_columns(names: Sequence[Any], ends: tuple[int, int], weight: int | None) -> str:
    """What was decided about the columns, in one line.

    >>> describe_columns(["from", "to", "amount", "year"], (0, 1), 2)
    "columns: 'from' and 'to' are the ends of an edge, 'amount' its weight; 'year' is not used"
    """
    said = f"columns: {names[ends[0]]!r} and {names[ends[1]]!r} are the ends of an edge, "
    said += "without weights" if weight is None else f"{names[weight]!r} its weight"
    rest = [repr(name) for at, name in enumerate(names) if at not in (*ends, weight)]
    if not rest:
        return said
    shown = ", ".join(rest[:8]) + (f" and {len(rest) - 8:,} more" if len(rest) > 8 else "")
    return f"{said}; {shown} {'is' if len(rest) == 1 else 'are'} not used"


def find_weight(names: Sequence[str], ends: tuple[int, int]) -> int | None:
    """The first column beside the ends that is called a weight, or ``None``.

    >>> find_weight(["source", "target", "year", "Weight"], (0, 1))
    3
    """
    return next((at for at, word in enumerate(plain_words(names)) if word in WEIGHT and at not in ends), None)
