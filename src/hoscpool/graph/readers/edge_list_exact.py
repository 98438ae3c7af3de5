"""The exact reader of edge lists: it takes any ids, quotes and comments, and errors give the line."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph, describe_columns
from hoscpool.graph.readers.edge_columns import Columns, Row, survey, without_empty_end
from hoscpool.graph.readers.numbering import integer_names, number_integers
from hoscpool.graph.readers.opening import FileFormatError
from hoscpool.graph.readers.text_lines import is_integer, is_number, sniff_delimiter, split, to_number
from hoscpool.graph.validate import count_of


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


SKIP = "mend the row, or leave such rows out with on_bad_rows='skip' (--on-bad-rows skip)"
"""What to do about a row that is not complete."""


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
        weight = 1.0 if self.columns.weight is None else self._weight(line, cells[self.columns.weight])
        self.rows.append(self.ids.setdefault(source, len(self.ids)))
        self.cols.append(self.ids.setdefault(target, len(self.ids)))
        if self.columns.weight is not None:
            self.weights.append(weight)

    def edges(self) -> Edges:
        """All edges."""
        rows, cols = np.array(self.rows, dtype=np.int64), np.array(self.cols, dtype=np.int64)
        weights = np.array(self.weights) if self.columns.weight is not None else None
        found = Edges(self.path, self.columns, self.width, rows, cols, weights, list(self.ids))
        return found.with_integers()

    def _weight(self, line: int, cell: str) -> float:
        weight = to_number(cell)
        if not (math.isfinite(weight) and weight >= 0):
            raise FileFormatError(self.path, f"expected a weight that is a finite number ≥ 0, got {cell!r}", line)
        return weight


def read_exact(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of any edge list.

    Args:
        path: The file.
        fields: What the user said about the columns.

    Raises:
        ValueError: A line has too many or too few cells, an id is empty, a weight is not a number ≥ 0, or there is no
            edge.
    """
    comments, bad = list[tuple[int, str]](), list[FileFormatError]()
    first, rest, rows = open_exact(path, comments, fields)
    for line, cells in rows:
        try:
            rest.add(line, cells)
        except FileFormatError as error:
            if fields.on_bad_rows != "skip":
                raise error.with_advice(SKIP) from None
            bad.append(error)
    try:
        raw = finish(first, rest.edges())
    except FileFormatError as error:
        if fields.on_bad_rows != "skip" or not len(rest.rows):
            raise
        raw, bad = _number(rest.edges()), [error, *bad]
    report_comments(comments, rest.width, raw)
    if bad:
        raw.notes.warn(
            f"{count_of(len(bad), 'incomplete row')} {'was' if len(bad) == 1 else 'were'} skipped; first: {bad[0]}"
        )
    return raw


def open_exact(
    path: Path, comments: list[tuple[int, str]], fields: Fields = EVERYTHING_GUESSED
) -> tuple[Row, EdgeTable, Iterator[Row]]:
    """The first line, an empty table with its columns, and the other lines.

    Raises:
        ValueError: There is no line, or its columns are not known.
    """
    found = survey(path, fields)
    return found.first, EdgeTable(path, found.columns, found.width), found.rows(comments)


def finish(first: Row, rest: Edges) -> RawGraph:
    """The graph of all lines. The first one is a header or an edge.

    Raises:
        ValueError: There is no edge, or the first line is not one.
    """
    return _without_header(first, rest) if _is_header(first[1], rest) else _with_first(first, rest)


def _is_header(first: list[str], rest: Edges) -> bool:
    """Whether the first line is a header: its cells are no ids, and it has known words, or text above numbers."""
    columns = rest.columns
    if columns.sure or (columns.named and not columns.in_order):
        return True
    if columns.named and columns.weight is not None and not is_number(first[columns.weight]):
        return True  # also if a node is called like the column
    if rest.has(first[columns.source]) or rest.has(first[columns.target]):
        return False
    numbers_below = len(rest.rows) > 0 and (columns.numbers_below or rest.weights is not None or rest.names is None)
    return columns.named or (numbers_below and is_text(first))


def _without_header(first: Row, rest: Edges) -> RawGraph:
    if not len(rest.rows):
        raise FileFormatError(rest.path, f"the file has no edges, only the header {','.join(first[1])!r}")
    raw = _number(rest)
    _report_header(first[1], rest.columns, raw)
    columns = rest.columns
    raw.notes.note(describe_columns(first[1], (columns.source, columns.target), columns.weight))
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
    raw = _number(replace(rest, rows=rows, cols=cols, weights=weights))
    _report_columns(rest.columns, rest.width, raw)
    return raw


def _report_columns(columns: Columns, width: int, raw: RawGraph) -> None:
    """Say what was decided about columns without names. Warn about one that may have been meant as the weight."""
    if width == 2:
        return
    said = describe_columns(range(1, width + 1), (columns.source, columns.target), columns.weight)
    if columns.weight is None and columns.guessed and width == 3 and columns.numbers_below:
        raw.notes.warn(f"{said}; if it is a weight, say weight=2 (--weight 3), otherwise weight=None (--no-weights)")
    else:
        raw.notes.note(said)


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


def is_text(cells: list[str]) -> bool:
    """Whether no cell is a number, as in a header."""
    return not any(is_number(cell) for cell in cells)
