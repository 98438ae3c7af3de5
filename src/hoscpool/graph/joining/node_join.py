"""Joins a table about nodes to a graph, by the names of the nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph.core import Graph
from hoscpool.graph.joining.attribute_table import AttributeTable, Cell, read_attributes
from hoscpool.graph.joining.column_encoding import Encoded, encode
from hoscpool.graph.raw import Notes, plain_words
from hoscpool.graph.validate import count_of, first_few, names_as_text

TITLE_WORDS = ("title", "name")
"""A column is the titles if its name ends with one of these."""


def join_nodes(graph: Graph, nodes: Any, not_features: Sequence[str] = ()) -> Graph:
    """The graph with the titles and the features of a table. What was made of every column is in its notes.

    Rows may be in any order. A node without a row has features 0 and its name as title.

    Args:
        graph: The graph. Features that it has stay, before those of the table.
        nodes: See `read_attributes`.
        not_features: Columns that are no features, such as that of the classes.

    Raises:
        ValueError: The file is damaged, a node has two rows, or no row belongs to a node.
    """
    table, notes = read_attributes(nodes), Notes(graph.notes)
    names = names_as_text(graph.names)
    key = table.id_column(names)
    order = _rows_of(table, key, names, notes)
    columns = {name: [None if row < 0 else cells[row] for row in order] for name, cells in table.columns.items()}
    title = _title_column(table, key)
    rest = [name for name in columns if name not in (key, title)]
    encoded = {name: _unused(columns[name]) if name in not_features else encode(name, columns[name]) for name in rest}
    used = [part for part in encoded.values() if part.is_used]
    notes.note(_describe(table.source, title, encoded))
    notes.emit()
    found = replace(graph, notes=notes.texts)
    if title is not None:
        shown = zip(columns[title], graph.names, strict=True)
        found = replace(found, node_titles=tuple(str(name) if cell is None else cell for cell, name in shown))
    return _with_features(found, used) if used else found


def _rows_of(table: AttributeTable, key: str, names: Sequence[str], notes: Notes) -> list[int]:
    """The row of every node, −1 for none.

    Raises:
        ValueError: A node has several rows.
    """
    wanted, place = set(names), dict[str, int]()
    others, nameless = list[str](), 0
    for row, name in enumerate(table.columns[key]):
        if name is None:
            nameless += 1
        elif name not in wanted:
            others.append(name)
        elif name in place:
            raise ValueError(
                f"{table.source}, {table.lines[row]}: expected one row for every node, got another one for {name!r}"
            )
        else:
            place[name] = row
    missing = [name for name in names if name not in place]
    if missing:
        notes.warn(
            f"{table.source}: no row for {count_of(len(missing), 'node')} of {len(names):,} ({first_few(missing, 3)}); "
            "their features are 0"
        )
    if others or nameless:
        notes.note(f"{table.source}: {count_of(len(others) + nameless, 'row')} about no node of the graph")
    return [place.get(name, -1) for name in names]


def _title_column(table: AttributeTable, key: str) -> str | None:
    """The column of titles: the first whose name ends with title, otherwise with name."""
    words = dict(zip(table.columns, plain_words(list(table.columns)), strict=True))
    for ending in TITLE_WORDS:
        for name, word in words.items():
            if name != key and word.endswith(ending):
                return name
    return "label" if "label" in table.columns and key != "label" and _is_text(table.columns["label"]) else None


def _is_text(cells: Sequence[Cell]) -> bool:
    """Whether hardly any value repeats, as in titles and unlike in classes."""
    known = [cell for cell in cells if cell is not None]
    return 2 * len(set(known)) > len(known)


def _unused(cells: Sequence[Cell]) -> Encoded:
    return Encoded(np.empty((len(cells), 0), np.float32), (), "classes")


def _describe(source: str, title: str | None, encoded: dict[str, Encoded]) -> str:
    """What was made of every column, in one line."""
    kinds = {"number": "numbers", "category": "categories"}
    used = [f"{name!r} ({kinds[part.kind]})" for name, part in encoded.items() if part.is_used]
    left = [f"{name!r} ({part.kind})" for name, part in encoded.items() if not part.is_used]
    said = f"{source}: " + (f"features from {', '.join(used)}" if used else "no features")
    said += f"; titles from {title!r}" if title is not None else ""
    return said + (f"; not used: {', '.join(left)}" if left else "")


def _with_features(graph: Graph, used: list[Encoded]) -> Graph:
    table: Any = np.hstack([part.values for part in used])
    names = [name for part in used for name in part.names]
    if graph.features is not None:
        before = graph.feature_names or [f"feature {number}" for number in range(graph.num_features)]
        names = [*before, *names]
        sparse = sp.issparse(graph.features)
        table = sp.csr_array(sp.hstack([graph.features, table])) if sparse else np.hstack([graph.features, table])
    return replace(graph, features=table, feature_names=tuple(names))
