"""The reader of every file extension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoscpool.graph.raw import RawGraph
from hoscpool.graph.readers.edge_list import read_edge_list
from hoscpool.graph.readers.graphml import read_gml, read_graphml
from hoscpool.graph.readers.matrix_market import read_matrix_market
from hoscpool.graph.readers.npz import read_npz
from hoscpool.graph.readers.opening import FileFormatError, check_file, extension
from hoscpool.graph.readers.parquet import read_parquet
from hoscpool.graph.validate import check_same_nodes

READERS: dict[str, Callable[..., RawGraph]] = {
    ".csv": read_edge_list,
    ".tsv": read_edge_list,
    ".txt": read_edge_list,
    ".edges": read_edge_list,
    ".edgelist": read_edge_list,
    ".npz": read_npz,
    ".graphml": read_graphml,
    ".gml": read_gml,
    ".mtx": read_matrix_market,
    ".parquet": read_parquet,
}
"""Extension → reader. Text formats may also end in ``.gz``."""


def read_graph(path: Any, *, num_nodes: int | None = None, node_names: Any = None) -> RawGraph:
    """Raw arcs of a graph file. The extension selects the reader.

    Args:
        path: The file.
        num_nodes: Number of nodes of an edge list whose ids are the indices 0 … N−1. Isolated nodes count too.
        node_names: All nodes of the graph, in the order wanted.

    Returns:
        The arcs, and the node names if the file has them.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The extension is unknown, or the file is empty, damaged or not a graph.
    """
    path = check_file(path)
    reader = READERS.get(extension(path))
    if reader is None:
        raise FileFormatError(
            path,
            f"the extension {extension(path) or '(none)'!r} is not known; expected one of {', '.join(READERS)} "
            "(text formats also with .gz)",
        )
    if reader is read_edge_list:
        return read_edge_list(path, num_nodes=num_nodes, node_names=node_names)
    raw = reader(path)
    check_same_nodes(num_nodes, raw.num_nodes)
    raw.node_names = raw.node_names if node_names is None else node_names
    return raw
