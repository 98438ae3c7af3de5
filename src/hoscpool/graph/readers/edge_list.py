"""Edge lists: one edge per line, with two node ids and an optional weight."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph, names_or_none
from hoscpool.graph.readers.edge_list_exact import read_exact
from hoscpool.graph.readers.edge_list_fast import is_large, read_fast
from hoscpool.graph.readers.numbering import match_nodes
from hoscpool.graph.readers.opening import reporting


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
