"""The first line of an edge list: is it a header, and which columns are which?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hoscpool.graph.readers.cells import is_number

SOURCE_TARGET = (
    ("source", "target"), ("src", "dst"), ("src", "dest"), ("source", "destination"), ("from", "to"), ("u", "v"),
    ("i", "j"), ("node1", "node2"), ("nodea", "nodeb"), ("id1", "id2"), ("vertex1", "vertex2"), ("user1", "user2"),
    ("fromnodeid", "tonodeid"), ("fromnode", "tonode"), ("sourceid", "targetid"), ("row", "col"), ("start", "end"),
)  # fmt: skip
"""Pairs of column names, in lower case without punctuation, that mean the two ends of an edge; the first that is there
counts (a table of edges over time may have a start and an end besides)."""

WEIGHT = {"weight", "weights", "w", "value", "strength", "count", "edgeweight"}


@dataclass(frozen=True)
class Columns:
    """Where the two ends and the weight of an edge are in a line.

    Attributes:
        source: Column of the first end.
        target: Column of the second end.
        weight: Column of the weight, or ``None``.
        named: Whether the first line names the columns in words that only a header uses.
    """

    source: int = 0
    target: int = 1
    weight: int | None = None
    named: bool = False

    @property
    def in_order(self) -> bool:
        """Whether they are simply the first two or three."""
        return (self.source, self.target) == (0, 1) and self.weight in (None, 2)


def find_columns(first: list[str]) -> Columns | None:
    """The columns of an edge list by its first line, or ``None`` when that has neither two, three nor known names.

    Examples:
        >>> find_columns(["Weight", "Source", "Target"])
        Columns(source=1, target=2, weight=0, named=True)
    """
    words = [re.sub(r"[^a-z0-9]", "", cell.lower()) for cell in first]
    for source, target in SOURCE_TARGET:
        if source in words and target in words:
            ends = words.index(source), words.index(target)
            return Columns(*ends, weight=_weight_column(words, ends), named=True)
    if len(first) in (2, 3):
        return Columns(weight=2 if len(first) == 3 else None)
    return None


def _weight_column(words: list[str], ends: tuple[int, int]) -> int | None:
    named = next((index for index, word in enumerate(words) if word in WEIGHT and index not in ends), None)
    return 2 if named is None and len(words) == 3 and ends == (0, 1) else named


def is_text(cells: list[str]) -> bool:
    """Whether none of the cells is a number, as in a header over numbers."""
    return not any(is_number(cell) for cell in cells)
