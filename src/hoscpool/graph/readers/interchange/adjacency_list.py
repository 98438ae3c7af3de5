"""Adjacency lists: a node and its neighbours in every line, as NetworkX writes them."""

from __future__ import annotations

from pathlib import Path

from hoscpool.graph.converters.edge_tables import number_edges
from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph
from hoscpool.graph.readers.opening import FileFormatError, reporting
from hoscpool.graph.readers.text_lines import data_lines, is_integer, sniff_delimiter, split_at


def read_adjacency_list(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of an adjacency list. Lines are undirected edges unless the caller says otherwise.

    Cells are separated as in an edge list. Lines that start with ``#`` or ``%`` are skipped. A node may stand alone.

    Raises:
        ValueError: The file is damaged, or a node has an empty name.
    """
    with reporting(path, "an adjacency list"):
        lines = list(data_lines(path))
        if not lines:
            raise FileFormatError(path, "the file has no nodes, only blank lines or comments")
        delimiter = sniff_delimiter((line for _, line in lines[:100]), pipes=True)
        nodes, edges = list[str](), list[tuple[str, str]]()
        for number, line in lines:
            node, *others = (cell for cell in split_at(path, number, line.strip(), delimiter))
            if not node or not all(others):
                raise FileFormatError(path, "expected the names of nodes, got an empty one", number)
            nodes.append(node)
            edges += [(node, other) for other in others]
        named = [name for pair in edges for name in pair]
        kind = int if all(map(is_integer, nodes)) and all(map(is_integer, named)) else str
        pairs = [(kind(a), kind(b), None) for a, b in edges]
        return number_edges(pairs, fields, list(dict.fromkeys(map(kind, nodes))))
