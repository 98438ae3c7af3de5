"""Features and labels from files, aligned with the nodes of a graph."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.core import Graph
from hoscpool.graph.raw import Notes, plain_words
from hoscpool.graph.readers.feature_lists import read_feature_lists
from hoscpool.graph.readers.npz import load_array
from hoscpool.graph.readers.opening import FileFormatError, check_file, extension, reporting
from hoscpool.graph.readers.text_lines import data_lines, is_integer, is_number, sniff_delimiter, split_at
from hoscpool.graph.validate import check_classes, check_features, first_few, names_as_text

TEXT_TABLES = (".csv", ".tsv", ".txt")
ARRAY_TABLES = (".npy", ".npz")


def read_features(path: Any, nodes: Graph | Sequence[Any]) -> Any:
    """Read a feature table for the nodes of a graph.

    A text table is aligned by node names if its first column holds them. That is so if its header is ``node``, ``id``
    or ``name``, if its cells are text, or if below a header they are exactly the nodes. Other tables are in node order.

    Args:
        path: A ``.csv``, ``.tsv``, ``.txt`` (also ``.gz``), ``.npy`` or ``.npz`` file (a SciPy matrix or one array), or
            a ``.json`` file as that of MUSAE: the name of every node with the list of the features that it has.
        nodes: The graph, or its node names in order.

    Returns:
        Float32 ``[N, F]``, a ``csr_array`` if the file holds a sparse matrix.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: Rows do not match the nodes, a cell is not a finite number, or the file is damaged.
    """
    path, names = check_file(path), _names(nodes)
    if extension(path) == ".json":
        return read_feature_lists(path, names)
    if _is_array(path):
        return _check(path, check_features, load_array(path), len(names))
    table = read_table(path)
    if _starts_with_header(table, names):
        table.take_header()
    if _has_names(table, names):
        return _check(path, check_features, numbers(table, first=1)[align(table, names)], len(names))
    _warn_if_ids(table, names)
    return _check(path, check_features, numbers(table, first=0), len(names))


def read_labels(path: Any, nodes: Graph | Sequence[Any]) -> npt.NDArray[np.int64]:
    """Read one class for every node: one column (class, in node order) or two columns (node name, class).

    A wider text table needs a header. Its column of classes is named as in ``"people.csv:team"``; otherwise it is one
    of the `LABEL_COLUMNS`.

    Args:
        path: A ``.csv``, ``.tsv``, ``.txt`` (also ``.gz``), ``.npy`` or ``.npz`` file, perhaps with ``:column``.
        nodes: The graph, or its node names in order.

    Returns:
        Int64 ``[N]``. Text classes are numbered 0, 1, … in sorted order.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: Rows do not match the nodes, or the file is damaged.
    """
    return read_classes(path, nodes)[0]


def read_classes(path: Any, nodes: Graph | Sequence[Any]) -> tuple[npt.NDArray[np.int64], tuple[str, ...] | None]:
    """What `read_labels` reads, and the names of text classes in the order of their numbers."""
    path, column = split_column(path)
    path, names = check_file(path), _names(nodes)
    if _is_array(path):
        return _labels(path, load_array(path), len(names))
    table = read_table(path)
    if table.width > 2 or column:
        table = _two_columns(table, column, names)
    by_name = table.width == 2
    if _has_label_header(table, names):
        table.take_header()
    order = align(table, names) if by_name else slice(None)
    empty = next((line for row, line in zip(table.rows, table.lines, strict=True) if not row[-1]), None)
    if empty is not None:
        raise FileFormatError(path, "expected a class, got an empty cell", empty)
    return _labels(path, _classes([row[-1] for row in table.rows])[order], len(names))


def split_column(path: Any) -> tuple[Any, str]:
    """The path of a file, and the column that stands behind it after a colon, if any.

    Examples:
        >>> split_column("people.csv:team"), split_column("people.csv")
        (('people.csv', 'team'), ('people.csv', ''))
    """
    text = os.fspath(path)
    file, colon, column = text.rpartition(":")
    if not colon or not extension(Path(file)) or Path(text).exists():
        return path, ""
    return file, column


def _two_columns(table: Table, column: str, names: Sequence[Any]) -> Table:
    """The column of names and that of classes of a table with a header.

    Raises:
        ValueError: There is no such column, or no column is known to hold classes.
    """
    header = table.rows[0]
    words = plain_words(header)
    known = [at for at, word in enumerate(words) if word in LABEL_COLUMNS]
    if column and column not in header:
        raise FileFormatError(table.path, f"there is no column {column!r}; expected one of {first_few(header, 12)}", 1)
    if not column and not known:
        raise FileFormatError(
            table.path,
            f"expected one column (class) or two (node, class), got {table.width}; name the column of the classes, as "
            f"in {table.path.name}:{header[-1]}",
        )
    at = header.index(column) if column else known[0]
    if table.width == 1:
        return Table(table.path, table.rows, table.lines)
    where = next((i for i, cell in enumerate(header) if i != at and is_name_header(cell, names)), int(at == 0))
    there = set(map(str, names))  # a table of people may have more than the graph
    kept = [number for number, row in enumerate(table.rows) if not number or row[where] in there]
    rows = [[table.rows[number][where], table.rows[number][at]] for number in kept]
    return Table(table.path, rows, [table.lines[number] for number in kept])


def _names(nodes: Graph | Sequence[Any]) -> Sequence[Any]:
    return nodes.names if isinstance(nodes, Graph) else nodes


def _is_array(path: Path) -> bool:
    ending = extension(path)
    if ending not in TEXT_TABLES + ARRAY_TABLES:
        known = ", ".join((*TEXT_TABLES, *ARRAY_TABLES, ".json for features"))
        raise FileFormatError(path, f"the extension {ending or '(none)'!r} is not known; expected one of {known}")
    return ending in ARRAY_TABLES


def _check(path: Path, check: Callable[[Any, int], Any], values: Any, num_nodes: int) -> Any:
    """Run a check of `validate` and name the file in its message."""
    try:
        return check(values, num_nodes)
    except ValueError as error:
        raise FileFormatError(path, str(error)) from None


def _labels(path: Path, values: Any, num_nodes: int) -> tuple[npt.NDArray[np.int64], tuple[str, ...] | None]:
    labels, names = _check(path, check_classes, values, num_nodes)
    return labels, names


def _starts_with_header(table: Table, names: Sequence[Any]) -> bool:
    """Whether the first line has text in a column of numbers, or begins with the header of node names."""
    first = table.rows[0]
    values = first[1:] if table.width > 1 else first
    return not all(map(is_number, values)) or is_name_header(first[0], names)


def _has_names(table: Table, names: Sequence[Any]) -> bool:
    """Whether the first column holds node names."""
    if table.width < 2 or not table.rows:
        return False
    if table.header is not None and is_name_header(table.header[0], names):
        return True
    cells, known = set(table.first_column), set(map(str, names))
    text = {cell for cell in cells if not is_number(cell)}
    return bool(text & known) or text == cells or (table.header is not None and cells == known)


def _warn_if_ids(table: Table, names: Sequence[Any]) -> None:
    if table.width > 1 and set(table.first_column) == set(map(str, names)):
        notes = Notes()
        notes.warn(
            f"{table.path}: the first column looks like node ids but was read as a feature, with rows in node order; "
            "to align the rows by these ids, add a header line that starts with 'node'"
        )
        notes.emit()


def _has_label_header(table: Table, names: Sequence[Any]) -> bool:
    """Whether the first line belongs to no node, and its class is a word or it begins with the header of node names."""
    first = table.rows[0]
    if len(table.rows) == len(names) and (table.width == 1 or first[0] in set(map(str, names))):
        return False
    return not is_number(first[-1]) or (table.width == 2 and is_name_header(first[0], names))


def _classes(cells: list[str]) -> npt.NDArray[Any]:
    """Classes as numbers, unless two classes with different spelling, such as 01 and 1, would become the same."""
    if all(map(is_integer, cells)):
        return np.array(list(map(int, cells)), dtype=np.int64)
    as_numbers = all(map(is_number, cells)) and len(set(map(float, cells))) == len(set(cells))
    return np.array(list(map(float, cells))) if as_numbers else np.array(cells)


LABEL_COLUMNS = ("class", "label", "labels", "cluster", "community", "category", "target", "y")
"""Headers of a column of classes, in lower case without punctuation. The first one counts."""
NAME_COLUMN = {"node", "nodes", "id", "name", "nodeid", "nodename", "node_id", "node_name", "vertex", ""}
"""Headers of a first column with node names. Data-frame libraries write an empty header above their index."""


@dataclass
class Table:
    """A text table. All rows have the same number of cells.

    Attributes:
        path: The file.
        rows: The cells of every line.
        lines: The number of every line in the file.
        header: The cells of the header after `take_header`, or ``None``.
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
        """Remove the first row and make it the header."""
        self.header, self.rows, self.lines = self.rows[0], self.rows[1:], self.lines[1:]


def read_table(path: Path, *, pipes: bool = False) -> Table:
    """The cells of a text table; ``pipes``: see `sniff_delimiter`.

    Raises:
        ValueError: The file has no rows, or a line has more or fewer cells than the first.
    """
    with reporting(path, "a table"):
        numbered = list(data_lines(path))
    if not numbered:
        raise FileFormatError(path, "the file has no rows, only blank lines or comments")
    delimiter = "|" if extension(path) == ".psv" else sniff_delimiter((line for _, line in numbered[:100]), pipes=pipes)
    rows = [split_at(path, number, line, delimiter) for number, line in numbered]
    if delimiter is None and extension(path) != ".txt" and len({len(row) for row in rows}) > 1:
        rows = [[line.strip().strip('"')] for _, line in numbered]  # one column of text with spaces
    for (line, _), row in zip(numbered, rows, strict=True):
        if len(row) != len(rows[0]):
            raise FileFormatError(path, f"expected {len(rows[0])} cells as in the first line, got {len(row)}", line)
    return Table(path, rows, [line for line, _ in numbered])


def is_name_header(cell: str, names: Sequence[Any]) -> bool:
    """Whether a cell is a usual header of node names, and not a node itself."""
    return cell.lower() in NAME_COLUMN and cell not in set(map(str, names))


def numbers(table: Table, first: int) -> npt.NDArray[np.float64]:
    """The columns from ``first`` on as numbers.

    Raises:
        ValueError: A cell is not a number.
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
        ValueError: A node has no row or several rows, a row has no node, or two nodes have the same name as text.
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
            f"expected {len(wanted):,} rows, one for every node, with its name in the first column, "
            f"got {len(table.rows):,}: {'; '.join(found)}",
        )
    return np.array([place[name] for name in wanted], dtype=np.int64)
