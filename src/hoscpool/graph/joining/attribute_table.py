"""A table about nodes, with a header: from a file, a data frame or a dict."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hoscpool.graph.raw import plain_words
from hoscpool.graph.readers.excel import read_sheet
from hoscpool.graph.readers.interchange.node_link import load_json
from hoscpool.graph.readers.node_tables import NAME_COLUMN, read_table
from hoscpool.graph.readers.opening import FileFormatError, check_file, extension
from hoscpool.graph.readers.parquet import read_frame
from hoscpool.graph.validate import first_few

MISSING = {"", "na", "n/a", "nan", "null", "none"}
"""Cells that say that nothing is known, in lower case."""
TEXTS = (".csv", ".tsv", ".txt", ".psv")
Cell = str | None


@dataclass(frozen=True)
class AttributeTable:
    """Columns of text cells; ``None`` where nothing is known.

    Attributes:
        source: What messages call it.
        columns: The cells of every column, by its name.
        lines: Where every row is, for messages.
    """

    source: str
    columns: Mapping[str, Sequence[Cell]]
    lines: Sequence[Any]

    def id_column(self, names: Sequence[str]) -> str:
        """The column of node names: one that is called so, otherwise the one with most names of nodes.

        Raises:
            ValueError: No column has the name of a node.
        """
        known = set(names)
        shares = {name: len(known.intersection(cells)) for name, cells in self.columns.items()}
        words = dict(zip(self.columns, plain_words(list(self.columns)), strict=True))
        called = [name for name, word in words.items() if word in _ID_WORDS and shares[name]]
        best = called[0] if called else max(shares, key=lambda name: shares[name])
        if not shares[best]:
            raise ValueError(
                f"{self.source}: expected a column with the names of the nodes, such as {first_few(list(names), 3)}; "
                f"got the columns {first_few(list(self.columns), 8)}"
            )
        return best


_ID_WORDS = {word.replace("_", "") for word in NAME_COLUMN} - {"name", "nodename", ""}


def read_attributes(nodes: Any) -> AttributeTable:
    """The table of a file (text, ``.xlsx``, ``.parquet``, ``.json``), a data frame, or a dict node → {column: value}.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file is damaged, or has no header and rows.
    """
    if isinstance(nodes, str | os.PathLike):
        return _of_file(check_file(nodes))
    if isinstance(nodes, Mapping):
        return _of_mapping("nodes", nodes)
    if hasattr(nodes, "columns") and hasattr(nodes, "to_dict"):
        return _of_frame("nodes", nodes)
    raise TypeError(f"nodes: expected the path of a table, a data frame or a dict, got {type(nodes).__name__}")


def _of_file(path: Path) -> AttributeTable:
    ending = extension(path)
    if ending == ".xlsx":
        return _of_frame(str(path), read_sheet(path))
    if ending == ".parquet":
        return _of_frame(str(path), read_frame(path))
    if ending == ".json":
        content = load_json(path)
        if not isinstance(content, dict):
            raise FileFormatError(path, f"expected an object node → {{column: value}}, got a {type(content).__name__}")
        return _of_mapping(str(path), content)
    if ending not in TEXTS:
        known = ", ".join((*TEXTS, ".xlsx", ".parquet", ".json"))
        raise FileFormatError(path, f"the extension {ending or '(none)'!r} is not known; expected one of {known}")
    table = read_table(path, pipes=True)
    table.take_header()
    header = table.header or []
    if len(set(header)) < len(header):
        raise FileFormatError(path, f"expected every column once in the header, got {', '.join(header)}", 1)
    if not table.rows or len(header) < 2:
        raise FileFormatError(path, "expected a header with at least two columns, and rows below it")
    columns = {name: [_cell(row[place]) for row in table.rows] for place, name in enumerate(header)}
    return AttributeTable(str(path), columns, [f"line {line:,}" for line in table.lines])


def _of_frame(source: str, frame: Any) -> AttributeTable:
    """A data frame; its index is a column too if it is not just counting."""
    if list(frame.index) != list(range(len(frame))) and source == "nodes":
        frame = frame.reset_index()
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names) or not names:
        raise ValueError(f"{source}: expected every column once, got {', '.join(names) or 'none'}")
    columns = {name: [_cell(value) for value in frame.iloc[:, place]] for place, name in enumerate(names)}
    return AttributeTable(source, columns, [f"row {place:,}" for place in range(len(frame))])


def _of_mapping(source: str, rows: Mapping[Any, Any]) -> AttributeTable:
    if not rows or not all(isinstance(row, Mapping) for row in rows.values()):
        raise ValueError(f"{source}: expected for every node a dict of its columns")
    names = list(dict.fromkeys(str(name) for row in rows.values() for name in row))
    columns: dict[str, list[Cell]] = {"node": [str(node) for node in rows]}
    for name in names:
        columns[name] = [_cell({str(key): value for key, value in row.items()}.get(name)) for row in rows.values()]
    return AttributeTable(source, columns, [f"node {node!r}" for node in rows])


def _cell(value: Any) -> Cell:
    """A value as text; ``None`` if it is missing. A whole number stays one."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value).strip()
    return None if text.lower() in MISSING or text == "NaT" else text
