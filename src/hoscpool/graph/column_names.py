"""What the columns of a table of edges are called, in files and in data frames."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

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
