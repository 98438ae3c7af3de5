"""The exact reader of edge lists: it takes any ids, quotes and comments, and errors give the line."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.column_names import find_ends, find_weight
from hoscpool.graph.raw import RawGraph
from hoscpool.graph.readers.numbering import integer_names, number_integers
from hoscpool.graph.readers.opening import FileFormatError
from hoscpool.graph.readers.text_lines import data_lines, is_integer, is_number, sniff_delimiter, split, split_at
from hoscpool.graph.validate import count_of

SAMPLE = 100
Row = tuple[int, list[str]]


@dataclass
class Edges:
    """The edges below the first line.

    Attributes:
        path: The file.
        columns: Its columns.
        width: Number of cells in a line.
        rows: Source of every edge: a place in ``names``, or the id itself.
        cols: Target of every edge.
        weights: Weight of every edge, or ``None``.
        names: All ids in the order of their first appearance, or ``None`` if all are integers.
    """

    path: Path
    columns: Columns
    width: int
    rows: npt.NDArray[Any]
    cols: npt.NDArray[Any]
    weights: npt.NDArray[np.float64] | None
    names: list[str] | None

    def with_integers(self) -> Edges:
        """The same with the ids themselves, if all are integers."""
        if self.names is None or not all(map(is_integer, self.names)):
            return self
        ids = np.array([int(name) for name in self.names], dtype=np.int64)
        return replace(self, rows=ids[self.rows], cols=ids[self.cols], names=None)

    def with_names(self) -> Edges:
        """The same with places in a list of names."""
        if self.names is not None:
            return self
        both = np.stack([self.rows, self.cols], axis=1).ravel()
        ids, first, place = np.unique(both, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty(len(ids), dtype=np.int64)
        rank[order] = np.arange(len(ids))
        ends = rank[place.reshape(-1, 2)]
        return replace(self, rows=ends[:, 0], cols=ends[:, 1], names=[str(name) for name in ids[order].tolist()])

    def has(self, name: str) -> bool:
        """Whether there is such an id."""
        if self.names is not None:
            return name in self.names
        return is_integer(name) and any(bool((ends == int(name)).any()) for ends in (self.rows, self.cols))


class EdgeTable:
    """Collects edges. Ids are numbered in the order of their first appearance."""

    def __init__(self, path: Path, columns: Columns, width: int) -> None:
        self.path, self.columns, self.width = path, columns, width
        self.ids: dict[str, int] = {}
        self.rows, self.cols, self.weights = array("q"), array("q"), array("d")

    def add(self, line: int, cells: list[str]) -> None:
        """Append one edge, or raise with its line number."""
        cells = without_empty_end(cells, self.width)
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

    def edges(self) -> Edges:
        """All edges."""
        rows, cols = np.array(self.rows, dtype=np.int64), np.array(self.cols, dtype=np.int64)
        weights = np.array(self.weights) if self.columns.weight is not None else None
        found = Edges(self.path, self.columns, self.width, rows, cols, weights, list(self.ids))
        return found.with_integers()

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
    first, table, rows = open_exact(path, comments)
    for line, cells in rows:
        table.add(line, cells)
    raw = finish(first, table.edges())
    report_comments(comments, table.width, raw)
    return raw


def open_exact(path: Path, comments: list[tuple[int, str]]) -> tuple[Row, EdgeTable, Iterator[Row]]:
    """The first line, an empty table with its columns, and the other lines.

    Raises:
        ValueError: There is no line, or the first has too many or too few cells.
    """
    rows = _rows(path, comments)
    first = next(rows, None)
    if first is None:
        raise FileFormatError(path, "the file has no edges, only blank lines or comments")
    first = first[0], without_empty_end(first[1], 2)
    columns = find_columns(first[1])
    if columns is None:
        raise FileFormatError(
            path,
            f"expected 2 or 3 columns (source, target, weight), got {len(first[1])}; "
            "to use more columns, add a header that names the columns source and target",
            first[0],
        )
    return first, EdgeTable(path, columns, len(first[1])), rows


def finish(first: Row, rest: Edges) -> RawGraph:
    """The graph of all lines. The first one is a header or an edge.

    Raises:
        ValueError: There is no edge, or the first line is not one.
    """
    return _without_header(first, rest) if _is_header(first[1], rest) else _with_first(first, rest)


def _rows(path: Path, comments: list[tuple[int, str]]) -> Iterator[Row]:
    lines = data_lines(path, comments)
    sample = list(islice(lines, SAMPLE))
    delimiter = sniff_delimiter(line for _, line in sample)
    for number, line in chain(sample, lines):
        yield number, split_at(path, number, line, delimiter)


def without_empty_end(cells: list[str], width: int) -> list[str]:
    """Drop empty cells beyond ``width``, which come from delimiters at the end of a line."""
    while len(cells) > width and not cells[-1]:
        cells = cells[:-1]
    return cells


def _is_header(first: list[str], rest: Edges) -> bool:
    """Whether the first line is a header: its cells are no ids, and it has known words, or text above numbers."""
    columns = rest.columns
    if columns.named and not columns.in_order:
        return True
    if columns.named and columns.weight is not None and not is_number(first[columns.weight]):
        return True  # also if a node is called like the column
    if rest.has(first[columns.source]) or rest.has(first[columns.target]):
        return False
    numbers_below = len(rest.rows) > 0 and (rest.weights is not None or rest.names is None)
    return columns.named or (numbers_below and is_text(first))


def _without_header(first: Row, rest: Edges) -> RawGraph:
    if not len(rest.rows):
        raise FileFormatError(rest.path, f"the file has no edges, only the header {','.join(first[1])!r}")
    raw = _number(rest)
    _report_header(first[1], rest.columns, raw)
    return raw


def _with_first(first: Row, rest: Edges) -> RawGraph:
    """The graph of all lines. The ids of the first line are numbered first."""
    table = EdgeTable(rest.path, rest.columns, rest.width)
    table.add(*first)
    head = table.edges()
    if head.names is not None or rest.names is not None:
        head, rest = head.with_names(), rest.with_names()
        assert rest.names is not None
        place = np.array([table.ids.setdefault(name, len(table.ids)) for name in rest.names], dtype=np.int64)
        rest = replace(rest, rows=place[rest.rows], cols=place[rest.cols], names=list(table.ids))
    weights = None if rest.weights is None else np.concatenate((table.weights, rest.weights))
    rows, cols = np.concatenate((head.rows, rest.rows)), np.concatenate((head.cols, rest.cols))
    return _number(replace(rest, rows=rows, cols=cols, weights=weights))


def _number(edges: Edges) -> RawGraph:
    """The graph of edges. Integer ids are sorted."""
    if edges.names is None:
        rows, cols, ids = number_integers(edges.rows, edges.cols)
        return RawGraph(rows, cols, edges.weights, len(ids), node_names=integer_names(ids))
    return RawGraph(edges.rows, edges.cols, edges.weights, len(edges.names), node_names=edges.names)


def report_comments(comments: list[tuple[int, str]], width: int, raw: RawGraph) -> None:
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
    ends = find_ends(first)
    if ends is not None:
        return Columns(*ends, weight=_weight_column(first, ends), named=True)
    if len(first) in (2, 3):
        return Columns(weight=2 if len(first) == 3 else None)
    return None


def _weight_column(first: list[str], ends: tuple[int, int]) -> int | None:
    named = find_weight(first, ends)
    return 2 if named is None and len(first) == 3 and ends == (0, 1) else named


def is_text(cells: list[str]) -> bool:
    """Whether no cell is a number, as in a header."""
    return not any(is_number(cell) for cell in cells)
