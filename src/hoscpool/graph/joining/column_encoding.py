"""Columns of a table as features: numbers are scaled, categories become one column each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hoscpool.graph.raw import plain_words
from hoscpool.graph.readers.node_tables import LABEL_COLUMNS
from hoscpool.graph.readers.text_lines import to_number

CATEGORIES = 50
"""A column of text with more different values is no category."""
Cells = Sequence[str | None]


@dataclass(frozen=True)
class Encoded:
    """Features of one column.

    Attributes:
        values: One or more columns ``[N, C]``; 0 where nothing is known.
        names: What every column is.
        kind: ``"number"`` or ``"category"``; otherwise why the column is no feature.
    """

    values: npt.NDArray[np.float32]
    names: tuple[str, ...]
    kind: str

    @property
    def is_used(self) -> bool:
        """Whether there is a feature."""
        return bool(self.names)


def encode(name: str, cells: Cells) -> Encoded:
    """The features of a column, in the order of the nodes.

    Numbers have mean 0 and standard deviation 1, and a missing one is 0. Every category is 1 or 0. Columns that are
    called a class or an id are no features, nor are texts that hardly repeat.

    Examples:
        >>> encode("age", ["1", "3", None]).values[:, 0].tolist()
        [-1.0, 1.0, 0.0]
        >>> encode("city", ["x", "y", "x", "x"]).names
        ('city=x', 'city=y')
    """
    known = [cell for cell in cells if cell is not None]
    word = plain_words([name])[0]
    if word in LABEL_COLUMNS:
        return _unused(cells, "classes")
    if word.endswith("id"):
        return _unused(cells, "ids")
    if len(set(known)) < 2:
        return _unused(cells, "the same for all")
    numbers = [math.nan if cell is None else to_number(cell) for cell in cells]
    if all(math.isfinite(number) for number, cell in zip(numbers, cells, strict=True) if cell is not None):
        return _scaled(name, np.array(numbers))
    counts = Counter(known)
    if len(counts) > CATEGORIES or 2 * len(counts) > len(known):
        return _unused(cells, "text")
    order = {value: place for place, value in enumerate(sorted(counts))}
    values = np.zeros((len(cells), len(order)), np.float32)
    for row, cell in enumerate(cells):
        if cell is not None:
            values[row, order[cell]] = 1
    return Encoded(values, tuple(f"{name}={value}" for value in order), "category")


def _scaled(name: str, numbers: npt.NDArray[np.float64]) -> Encoded:
    largest = np.nanmax(np.abs(numbers))
    shares = numbers / largest if largest > 0 else numbers  # squares of large numbers would be infinite
    spread = np.nanstd(shares)
    if not spread > 0:
        return Encoded(np.empty((len(numbers), 0), np.float32), (), "the same for all")
    values = np.nan_to_num((shares - np.nanmean(shares)) / spread).astype(np.float32)
    return Encoded(values[:, None], (name,), "number")


def _unused(cells: Cells, why: str) -> Encoded:
    return Encoded(np.empty((len(cells), 0), np.float32), (), why)
