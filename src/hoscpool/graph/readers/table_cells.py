"""Text tables with one row for every node, and how rows find their nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.readers.cells import data_lines, is_number, sniff_delimiter, split
from hoscpool.graph.readers.opening import FileFormatError, extension, reporting
from hoscpool.graph.validate import first_few, names_as_text

NAME_COLUMN = {"node", "nodes", "id", "name", "nodeid", "nodename", "node_id", "node_name", "vertex", ""}
"""Headers of a first column that holds node names; the empty one is how data-frame libraries write their index."""


@dataclass
class Table:
    """A text table in cells, all rows of one length.

    Attributes:
        path: The file.
        rows: The cells of every line.
        lines: The number of every line in the file.
        header: The cells of the header once it was taken off, or ``None``.
    """

    path: Path
    rows: list[list[str]]
    lines: list[int]
    header: list[str] | None = None

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.header or self.rows[0])

    @property
    def first_column(self) -> list[str]:
        """The first cell of every row."""
        return [row[0] for row in self.rows]

    def take_header(self) -> None:
        """Make the first row the header."""
        self.header, self.rows, self.lines = self.rows[0], self.rows[1:], self.lines[1:]


def read_table(path: Path) -> Table:
    """The cells of a text table.

    Raises:
        ValueError: The file has no rows, or a line has more or fewer cells than the first (with its number).
    """
    with reporting(path, "a table"):
        numbered = list(data_lines(path))
    if not numbered:
        raise FileFormatError(path, "the file has no rows, only blank lines or comments")
    delimiter = sniff_delimiter(line for _, line in numbered[:100])
    rows = [split(line, delimiter) for _, line in numbered]
    if delimiter is None and extension(path) != ".txt" and len({len(row) for row in rows}) > 1:
        rows = [[line.strip().strip('"')] for _, line in numbered]  # one column of texts with spaces
    for (line, _), row in zip(numbered, rows, strict=True):
        if len(row) != len(rows[0]):
            raise FileFormatError(path, f"expected {len(rows[0])} cells as in the first line, got {len(row)}", line)
    return Table(path, rows, [line for line, _ in numbered])


def is_name_header(cell: str, names: Sequence[Any]) -> bool:
    """Whether a cell is the usual header of the node-name column and not itself a node."""
    return cell.lower() in NAME_COLUMN and cell not in set(map(str, names))


def numbers(table: Table, first: int) -> npt.NDArray[np.float64]:
    """The columns from ``first`` on as numbers.

    Raises:
        ValueError: A cell is not a number (with its line).
    """
    values = np.empty((len(table.rows), table.width - first))
    for index, row in enumerate(table.rows):
        try:
            values[index] = [float(cell) for cell in row[first:]]
        except ValueError:
            bad = next(cell for cell in row[first:] if not is_number(cell))
            raise FileFormatError(table.path, f"expected a number, got {bad!r}", table.lines[index]) from None
    return values


def align(table: Table, names: Sequence[Any]) -> npt.NDArray[np.int64]:
    """The row of every node, by the names in the first column.

    Raises:
        ValueError: A node has no row or several, a row has no node, or two nodes have the same name as text; the
            message names the first few.
    """
    wanted = names_as_text(names)
    place = {name: row for row, name in enumerate(table.first_column)}
    known = set(wanted)
    problems = {
        "no row for the nodes": [name for name in wanted if name not in place],
        "rows for names that are not in the graph": [name for name in place if name not in known],
        "several rows for": list(dict.fromkeys(n for row, n in enumerate(table.first_column) if place[n] != row)),
    }
    found = [f"{what} {first_few(which)}" for what, which in problems.items() if which]
    if found:
        raise FileFormatError(
            table.path,
            f"expected {len(wanted):,} rows, one for every node under its name in the first column, "
            f"got {len(table.rows):,}: {'; '.join(found)}",
        )
    return np.array([place[name] for name in wanted], dtype=np.int64)
