"""The reader of every file extension, and edge lists as text: read fast, or exactly where that does not work."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph, names_or_none
from hoscpool.graph.readers.edge_list_exact import read_exact
from hoscpool.graph.readers.edge_list_fast import is_large, read_fast
from hoscpool.graph.readers.excel import read_excel
from hoscpool.graph.readers.interchange.adjacency_list import read_adjacency_list
from hoscpool.graph.readers.interchange.graphml import read_gexf, read_gml, read_graphml
from hoscpool.graph.readers.interchange.node_link import read_json_graph
from hoscpool.graph.readers.interchange.pajek import read_pajek
from hoscpool.graph.readers.matrix_market import read_matrix_market
from hoscpool.graph.readers.npz import read_npz
from hoscpool.graph.readers.numbering import match_nodes
from hoscpool.graph.readers.opening import FileFormatError, check_file, extension, reporting
from hoscpool.graph.readers.parquet import read_parquet
from hoscpool.graph.validate import check_same_nodes


def read_edge_list(
    path: Path, *, num_nodes: int | None = None, node_names: Any = None, fields: Fields = EVERYTHING_GUESSED
) -> RawGraph:
    """Raw arcs of an edge list. Lines are undirected edges unless the caller says otherwise.

    Cells are separated by tabs, semicolons, commas, ``|`` or white space. A header, blank lines, and lines that start
    with ``#`` or ``%`` are skipped. If all ids are plain integers, they are sorted. Otherwise ids are names, in the
    order of their first appearance. A dict of edge data at the end of a line, as NetworkX writes it, gives the weight.

    Args:
        path: The file. It may be compressed (``.gz``).
        num_nodes: Number of nodes, if the ids are the indices 0 … N−1.
        node_names: All nodes of the graph, in the order wanted.
        fields: What the user said about the columns. A column that is not called a weight is none unless it is named.

    Returns:
        The arcs and the node names.

    Raises:
        ValueError: A line has too many or too few cells, a weight is not a number ≥ 0, or there is no edge.
    """
    with reporting(path, "an edge list"):
        raw = (read_fast(path, fields) if is_large(path) else None) or read_exact(path, fields)
    raw.directed = False
    if num_nodes is not None or node_names is not None:
        ids = list(range(raw.num_nodes)) if raw.node_names is None else raw.node_names
        place, names, raw.num_nodes = match_nodes(path, ids, num_nodes, node_names)
        raw.rows, raw.cols, raw.node_names = place[raw.rows], place[raw.cols], names_or_none(names)
    return raw


EDGE_LISTS = (".csv", ".tsv", ".txt", ".edges", ".edgelist", ".psv")
TABLES: dict[str, Callable[..., RawGraph]] = {".parquet": read_parquet, ".xlsx": read_excel}
ATTRIBUTED: dict[str, Callable[..., RawGraph]] = {
    ".graphml": read_graphml,
    ".gexf": read_gexf,
    ".gml": read_gml,
    ".json": read_json_graph,
}
"""Formats whose edges have attributes with names, any of which may be the weight."""
PLAIN: dict[str, Callable[..., RawGraph]] = {
    ".npz": read_npz,
    ".mtx": read_matrix_market,
    ".net": read_pajek,
    ".adjlist": read_adjacency_list,
}
"""Formats without columns or names of attributes."""
READERS: dict[str, Callable[..., RawGraph]] = {
    **dict.fromkeys(EDGE_LISTS, read_edge_list),
    **TABLES,
    **ATTRIBUTED,
    **PLAIN,
}
"""Extension → reader. Text formats may also end in ``.gz``."""
STANDARD_INPUT = "-"
"""The path that stands for an edge list on standard input."""


def read_graph(
    path: Any, *, num_nodes: int | None = None, node_names: Any = None, fields: Fields = EVERYTHING_GUESSED
) -> RawGraph:
    """Raw arcs of a graph file. The extension selects the reader.

    Args:
        path: The file; ``-``: an edge list on standard input.
        num_nodes: Number of nodes of an edge list whose ids are the indices 0 … N−1. Isolated nodes count too.
        node_names: All nodes of the graph, in the order wanted.
        fields: What the user said about columns and weights.

    Returns:
        The arcs, and the node names if the file has them.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The extension is unknown, or the file is empty, damaged or not a graph.
    """
    if str(path) == STANDARD_INPUT:
        with _standard_input() as file:
            return read_edge_list(file, num_nodes=num_nodes, node_names=node_names, fields=fields)
    path = check_file(path)
    ending = extension(path)
    reader = READERS.get(ending)
    if reader is None:
        raise FileFormatError(
            path,
            f"the extension {ending or '(none)'!r} is not known; expected one of {', '.join(READERS)} "
            "(text formats also with .gz)",
        )
    _check_fields(path, ending, fields)
    if reader is read_edge_list:
        return read_edge_list(path, num_nodes=num_nodes, node_names=node_names, fields=fields)
    raw = reader(path) if reader in (read_npz, read_matrix_market) else reader(path, fields)
    check_same_nodes(num_nodes, raw.num_nodes)
    raw.node_names = raw.node_names if node_names is None else node_names
    return raw


def _check_fields(path: Path, ending: str, fields: Fields) -> None:
    """Refuse columns and attributes for a format that has none."""
    if ending not in (*EDGE_LISTS, *TABLES) and (fields.source is not None or fields.target is not None):
        raise FileFormatError(path, "source, target: only tables of edges have columns; leave them out")
    if ending in PLAIN and fields.weight is not None and not fields.guesses_weight:
        raise FileFormatError(
            path, "weight: this format has no names of columns; leave it out, or pass weight=None to ignore weights"
        )


@contextmanager
def _standard_input() -> Iterator[Path]:
    """A file with what comes on standard input, because a reader looks at the beginning twice."""
    source = getattr(sys.stdin, "buffer", None) or io.BytesIO(sys.stdin.read().encode())
    with tempfile.TemporaryDirectory(prefix="hoscpool-") as folder:
        file = Path(folder) / "standard input"
        with file.open("wb") as copy:
            shutil.copyfileobj(source, copy)
        try:
            yield check_file(file)
        except ValueError as error:
            raise ValueError(str(error).replace(str(file), "standard input")) from None
