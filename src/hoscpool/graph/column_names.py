"""What the columns of a table of edges are called, in files and in data frames."""

from __future__ import annotations

import re
from collections.abc import Sequence

SOURCE_TARGET = (
    ("source", "target"), ("src", "dst"), ("src", "dest"), ("source", "destination"), ("from", "to"), ("u", "v"),
    ("i", "j"), ("node1", "node2"), ("nodea", "nodeb"), ("id1", "id2"), ("vertex1", "vertex2"), ("user1", "user2"),
    ("fromnodeid", "tonodeid"), ("fromnode", "tonode"), ("sourceid", "targetid"), ("row", "col"), ("start", "end"),
)  # fmt: skip
"""Pairs of column names for the two ends of an edge, in lower case without punctuation. The first pair found counts,
because a table of edges over time may also have the columns start and end."""

WEIGHT = {"weight", "weights", "w", "value", "strength", "count", "edgeweight"}
"""Names of a column of weights, written in the same way."""


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


def find_weight(names: Sequence[str], ends: tuple[int, int]) -> int | None:
    """The first column beside the ends that is called a weight, or ``None``.

    >>> find_weight(["source", "target", "year", "Weight"], (0, 1))
    3
    """
    return next((at for at, word in enumerate(plain_words(names)) if word in WEIGHT and at not in ends), None)
