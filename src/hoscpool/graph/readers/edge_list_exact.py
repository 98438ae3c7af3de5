"""The exact reader of edge lists: it takes any ids, quotes and comments, and errors give the line."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np

from hoscpool.graph.raw import RawGraph
from hoscpool.graph.readers.numbering import integer_names, number_integers
from hoscpool.graph.readers.opening import FileFormatError
from hoscpool.graph.readers.text_lines import data_lines, is_integer, is_number, sniff_delimiter, split, split_at
from hoscpool.graph.validate import count_of

SAMPLE = 100
Row = tuple[int, list[str]]


class EdgeTable:
    """Collects edges. Ids are numbered in the order of their first appearance."""

    def __init__(self, path: Path, columns: Columns, width: int) -> None:
        self.path, self.columns, self.width = path, columns, width
        self.ids: dict[str, int] = {}
        self.rows, self.cols, self.weights = array("q"), array("q"), array("d")

    def add(self, line: int, cells: list[str]) -> None:
        """Append one edge, or raise with its line number."""
        cells = _without_empty_end(cells, self.width)
        if len(cells) != self.width:
            raise FileFormatError(
                self.path, f"expected {self.width} cells as in the first line, got {len(cells)}", line
            )
        source, target = cells[self.columns.source], cells[self.columns.target]
        if not source or not target:
            raise FileFormatError(self.path, "expected two node ids, got an empty one", line)
        self.rows.append(self.ids.setdefault(source, len(self.ids)))
        self.cols.append(self.ids.setdefault(target, len(self.ids)))
        if self.columns.weight is not None:
            self.weights.append(self._weight(line, cells[self.columns.weight]))

    def _weight(self, line: int, cell: str) -> float:
        weight = float(cell) if is_number(cell) else math.nan
        if not (math.isfinite(weight) and weight >= 0):
            raise FileFormatError(self.path, f"expected a weight that is a finite number ≥ 0, got {cell!r}", line)
        return weight


def read_exact(path: Path) -> RawGraph:
    """Raw arcs of any edge list.

    Raises:
        ValueError: A line has too many or too few cells, an id is empty, a weight is not a number ≥ 0, or there is no
            edge.
    """
    comments: list[tuple[int, str]] = []
    rows = _rows(path, comments)
    first = next(rows, None)
    if first is None:
        raise FileFormatError(path, "the file has no edges, only blank lines or comments")
    first = first[0], _without_empty_end(first[1], 2)
    columns = find_columns(first[1])
    if columns is None:
        raise FileFormatError(
            path,
            f"expected 2 or 3 columns (source, target, weight), got {len(first[1])}; "
            "to use more columns, add a header that names the columns source and target",
            first[0],
        )
    rest = EdgeTable(path, columns, len(first[1]))
    for line, cells in rows:
        rest.add(line, cells)
    raw = _without_header(first, rest) if _is_header(first[1], rest) else _with_first(first, rest)
    _report_comments(comments, rest.width, raw)
    return raw


def _rows(path: Path, comments: list[tuple[int, str]]) -> Iterator[Row]:
    lines = data_lines(path, comments)
    sample = list(islice(lines, SAMPLE))
    delimiter = sniff_delimiter(line for _, line in sample)
    for number, line in chain(sample, lines):
        yield number, split_at(path, number, line, delimiter)


def _without_empty_end(cells: list[str], width: int) -> list[str]:
    """Drop empty cells beyond ``width``, which come from delimiters at the end of a line."""
    while len(cells) > width and not cells[-1]:
        cells = cells[:-1]
    return cells


def _is_header(first: list[str], rest: EdgeTable) -> bool:
    """Whether the first line is a header: its cells are no ids, and it has known words, or text above numbers."""
    columns = rest.columns
    ends = [first[columns.source], first[columns.target]]
    if columns.named and not columns.in_order:
        return True
    if any(end in rest.ids for end in ends):
        return False
    numbers_below = bool(rest.weights) or (bool(rest.ids) and all(map(is_integer, rest.ids)))
    return columns.named or (numbers_below and is_text(first))


def _without_header(first: Row, rest: EdgeTable) -> RawGraph:
    if not rest.rows:
        raise FileFormatError(rest.path, f"the file has no edges, only the header {','.join(first[1])!r}")
    raw = _finish(rest)
    _report_header(first[1], rest.columns, raw)
    return raw


def _with_first(first: Row, rest: EdgeTable) -> RawGraph:
    """The graph of all lines. The ids of the first line are numbered first."""
    table = EdgeTable(rest.path, rest.columns, rest.width)
    table.add(*first)
    order = np.array([table.ids.setdefault(name, len(table.ids)) for name in rest.ids], dtype=np.int64)
    table.rows.extend(order[np.asarray(rest.rows)] if rest.rows else ())
    table.cols.extend(order[np.asarray(rest.cols)] if rest.cols else ())
    table.weights.extend(rest.weights)
    return _finish(table)


def _finish(table: EdgeTable) -> RawGraph:
    rows, cols = np.array(table.rows, dtype=np.int64), np.array(table.cols, dtype=np.int64)
    names = list(table.ids)
    weights = np.array(table.weights) if table.columns.weight is not None else None
    if all(map(is_integer, names)):
        ids = np.array([int(name) for name in names], dtype=np.int64)
        rows, cols, ids = number_integers(ids[rows], ids[cols])
        return RawGraph(rows, cols, weights, len(ids), node_names=integer_names(ids))
    return RawGraph(rows, cols, weights, len(names), node_names=names)


def _report_comments(comments: list[tuple[int, str]], width: int, raw: RawGraph) -> None:
    """Warn about comments that look like edges: a node name may begin with # or %."""
    alike = [line for line, text in comments if len(split(text, sniff_delimiter([text]))) == width and text[1] != " "]
    if alike:
        raw.notes.warn(
            f"{count_of(len(alike), 'line')} (first: line {alike[0]:,}) that may be edges begin with # or %, so they "
            "were skipped as comments; put node names that begin with # or % in double quotes"
        )


def _report_header(first: list[str], columns: Columns, raw: RawGraph) -> None:
    """Report that the first line was skipped. Warn if it could also be an edge between named nodes."""
    message = f"the header line {','.join(first)!r} was skipped"
    if columns.named or raw.node_names is None or isinstance(raw.node_names[0], int):
        raw.notes.note(message)
    else:
        raw.notes.warn(message)
    ignored = [
        cell for index, cell in enumerate(first) if index not in (columns.source, columns.target, columns.weight)
    ]
    if ignored:
        raw.notes.note(f"the columns {', '.join(map(repr, ignored))} were not used")


SOURCE_TARGET = (
    ("source", "target"), ("src", "dst"), ("src", "dest"), ("source", "destination"), ("from", "to"), ("u", "v"),
    ("i", "j"), ("node1", "node2"), ("nodea", "nodeb"), ("id1", "id2"), ("vertex1", "vertex2"), ("user1", "user2"),
    ("fromnodeid", "tonodeid"), ("fromnode", "tonode"), ("sourceid", "targetid"), ("row", "col"), ("start", "end"),
)  # fmt: skip
"""Pairs of column names for the two ends of an edge, in lower case without punctuation. The first pair found counts,
because a table of edges over time may also have the columns start and end."""

WEIGHT = {"weight", "weights", "w", "value", "strength", "count", "edgeweight"}


@dataclass(frozen=True)
class Columns:
    """Where the two ends and the weight of an edge are in a line.

    Attributes:
        source: Column of the first end.
        target: Column of the second end.
        weight: Column of the weight, or ``None``.
        named: Whether the first line has known column names, so that it is a header.
    """

    source: int = 0
    target: int = 1
    weight: int | None = None
    named: bool = False

    @property
    def in_order(self) -> bool:
        """Whether source, target and weight are the first columns in this order."""
        return (self.source, self.target) == (0, 1) and self.weight in (None, 2)


def find_columns(first: list[str]) -> Columns | None:
    """Find the columns from the first line. ``None`` if it has neither known names nor two or three cells.

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
    """Whether no cell is a number, as in a header."""
    return not any(is_number(cell) for cell in cells)
