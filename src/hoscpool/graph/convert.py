"""`as_graph`: convert any supported input to a `Graph`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph.build import build_graph
from hoscpool.graph.converters.arrays import from_dense, from_scipy
from hoscpool.graph.converters.edge_tables import from_data_frame, from_edges, from_neighbours
from hoscpool.graph.converters.igraph_graphs import from_igraph
from hoscpool.graph.converters.networkx import from_networkx
from hoscpool.graph.converters.pyg import from_pyg
from hoscpool.graph.converters.tensors import from_edge_index, from_tensor, looks_like_edge_index, to_numpy
from hoscpool.graph.core import Graph
from hoscpool.graph.raw import Fields, Guess, RawGraph
from hoscpool.graph.readers import FileFormatError, read_classes, read_features, read_graph
from hoscpool.graph.readers.node_tables import split_column
from hoscpool.graph.validate import check_classes, check_features, check_node_names, check_same_nodes


def as_graph(
    obj: Any,
    *,
    num_nodes: int | None = None,
    directed: bool | None = None,
    features: Any = None,
    labels: Any = None,
    node_names: Any = None,
    name: str | None = None,
    source: Any = None,
    target: Any = None,
    weight: Any = Guess.WEIGHT,
    on_bad_rows: str = "error",
    nodes: Any = None,
) -> Graph:
    """Convert any supported input to a `Graph`.

    The input is a SciPy sparse matrix, a square NumPy array, a pandas data frame (a table of edges, or an adjacency
    with the same names on both sides), a list or other iterable of edges (pairs or triples), a dict of neighbours, a
    NetworkX or igraph graph, a PyG ``Data``, an ``edge_index`` (integers ``[2, E]``) alone or as ``(edge_index,
    num_nodes)``, a torch tensor (``edge_index``, sparse or dense adjacency), the path of a file, or a `Graph`, which is
    returned unchanged. A 2 × 2 NumPy array is an adjacency matrix. A 2 × 2 integer tensor is an ``edge_index``.

    Self-loops are dropped. Repeated edges are merged and their weights summed. A `GraphWarning` and ``notes`` report
    every change.

    Args:
        obj: The graph.
        num_nodes: Number of nodes, if an ``edge_index`` or an edge list of indices does not mention all nodes.
        directed: ``True`` keeps the direction of edges. ``False`` drops it; the heavier of two opposite edges counts.
            ``None`` follows the source: edge lists are undirected; matrices, ``edge_index`` and PyG ``Data`` are
            undirected if they are symmetric.
        features: Node features ``[N, F]`` (array, SciPy, torch) or the path of a table. Replaces the source's own.
        labels: Node classes ``[N]`` or the path of a table. Replaces the source's own.
        node_names: Names of the nodes, all different. Replaces the source's own. For an edge list: all its nodes.
        name: A name for titles and tables. Default: the name of the file.
        source: Column of one end of an edge in a data frame or a file: its name, or in a file its place, counted from
            0. Default: a known name, such as ``source`` or ``from``, or the first column of a file.
        target: Column of the other end.
        weight: Column of a data frame or a file, or edge attribute of a graph, that holds the weights; 2 for the third
            entry of listed edges or the third column of a file. Default: a column whose name means
            weight, such as ``weight`` or ``amount``. ``None``: ignore all weights.
        on_bad_rows: ``"error"`` refuses a table or list with an empty or missing cell; ``"skip"`` leaves these rows
            out, with a warning that counts them.
        nodes: A table about the nodes, joined by their names: the path of a file, a data frame, or a dict. Numbers and
            categories become features, and a column of titles becomes ``node_titles``. ``notes`` list what was used.

    Returns:
        The immutable graph.

    Raises:
        FileNotFoundError: The path does not exist.
        TypeError: The type of the object is not supported.
        ValueError: The input is not a graph, or sizes differ. The message says what is wrong and what to do.

    Examples:
        >>> graph = as_graph(sp.csr_array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]), node_names=["a", "b", "c"])
        >>> graph, graph.names
        (Graph(3 nodes, 2 edges, undirected), ('a', 'b', 'c'))
        >>> as_graph((np.array([[0, 1], [1, 2]]), 4), directed=True)
        Graph(4 nodes, 2 edges, directed)
    """
    fields = Fields(source, target, weight, on_bad_rows)
    _check_fields(obj, fields)
    if isinstance(obj, Graph):
        graph = _redirect(obj, num_nodes, directed)
        graph = replace(graph, weights=None) if weight is None else graph
    else:
        raw = _read(obj, num_nodes, node_names, fields)
        if weight is None:
            raw.drop_weights()
        if not isinstance(obj, str | os.PathLike):
            raw.node_names = raw.node_names if node_names is None else node_names
        elif name is None:
            name = "standard input" if str(obj) == "-" else Path(obj).name
        with _naming(obj):
            graph = _build(raw, directed, keep_features=features is None, keep_labels=labels is None)
        node_names = None
    found = _with_node_data(graph, features, labels, node_names, name)
    if nodes is None:
        return found
    from hoscpool.graph.joining.node_join import join_nodes

    return join_nodes(found, nodes, _classes_in(labels, nodes))


def _classes_in(labels: Any, nodes: Any) -> list[str]:
    """The column of the classes, if they are in the same file as the table about nodes."""
    if not (isinstance(labels, str | os.PathLike) and isinstance(nodes, str | os.PathLike)):
        return []
    file, column = split_column(labels)
    return [column] if column and Path(file).resolve() == Path(nodes).resolve() else []


@contextmanager
def _naming(obj: Any) -> Iterator[None]:
    """Name the file in an error about a graph that came from one."""
    try:
        yield
    except ValueError as error:
        if not isinstance(obj, str | os.PathLike) or str(obj) in str(error):
            raise
        raise FileFormatError(Path(obj), str(error)) from None


def _check_fields(obj: Any, fields: Fields) -> None:
    """Refuse columns for a source that has none."""
    if fields.on_bad_rows not in ("error", "skip"):
        raise ValueError(f"on_bad_rows: expected 'error' or 'skip', got {fields.on_bad_rows!r}")
    if (fields.source is None) != (fields.target is None):
        raise ValueError("source, target: expected both or neither, got one of them")
    if isinstance(obj, str | os.PathLike):  # the reader knows which formats have columns
        return
    if fields.source is not None and not is_data_frame(obj):
        raise ValueError(f"source, target: expected a table of edges, got {type(obj).__name__}; leave them out")
    libraries = _libraries(obj)
    named = fields.weight is not None and not fields.guesses_weight
    if named and not (
        isinstance(obj, list | Mapping) or libraries & {"pandas", "networkx", "igraph", "torch_geometric"}
    ):
        raise ValueError(
            f"weight: {type(obj).__name__} has no columns or attributes; leave weight out, or pass weight=None to "
            "ignore weights"
        )


def _libraries(obj: Any) -> set[str]:
    """The packages of an object's classes."""
    return {cls.__module__.partition(".")[0] for cls in type(obj).__mro__}


def is_data_frame(obj: Any) -> bool:
    """Whether it is a pandas data frame. pandas need not be installed."""
    return "pandas" in _libraries(obj) and hasattr(obj, "columns")


def _read(obj: Any, num_nodes: int | None, node_names: Any, fields: Fields) -> RawGraph:
    """Raw arcs of any source."""
    if isinstance(obj, str | os.PathLike):
        return read_graph(obj, num_nodes=num_nodes, node_names=node_names, fields=fields)
    if isinstance(obj, tuple):
        return _from_pair(obj, num_nodes)
    if isinstance(obj, np.ndarray) and looks_like_edge_index(obj):
        return from_edge_index(obj, num_nodes)
    libraries = _libraries(obj)
    named = None if fields.weight is None or fields.guesses_weight else fields.weight
    if "torch_geometric" in libraries and "torch" not in libraries:
        return from_pyg(obj, num_nodes, named)
    raw = _from_object(obj, libraries, num_nodes, fields)
    check_same_nodes(num_nodes, raw.num_nodes)
    return raw


def _from_object(obj: Any, libraries: set[str], num_nodes: int | None, fields: Fields) -> RawGraph:
    if sp.issparse(obj):
        return from_scipy(obj)
    if isinstance(obj, np.ndarray):
        return from_dense(obj)
    if "torch" in libraries:
        return from_tensor(obj, num_nodes)
    if "networkx" in libraries:
        if not hasattr(obj, "is_directed"):  # the edges of a graph, which are a mapping too
            return from_edges(list(obj), fields)
        return from_networkx(obj, weight=fields.weight_key or "weight")
    if "igraph" in libraries:
        return from_igraph(obj, fields)
    if is_data_frame(obj):
        return from_data_frame(obj, fields)
    if isinstance(obj, list):
        return from_edges(obj, fields)
    if isinstance(obj, Mapping):
        return from_neighbours(obj, fields)
    if isinstance(obj, Iterable) and not isinstance(obj, bytes):  # a set, a generator
        return from_edges(list(obj), fields)
    raise TypeError(
        "graph: expected a SciPy sparse matrix, a square NumPy array, a pandas data frame, a list of edges, a dict of "
        "neighbours, a NetworkX or igraph graph, a PyG Data, an edge_index, (edge_index, num_nodes), a torch tensor, "
        f"or the path of a file; got {type(obj).__name__}"
    )


def _from_pair(pair: tuple[Any, ...], num_nodes: int | None) -> RawGraph:
    """Raw arcs of ``(edge_index, num_nodes)``."""
    if len(pair) != 2 or not isinstance(pair[1], int | np.integer):
        kinds = ", ".join(type(part).__name__ for part in pair)
        raise ValueError(f"graph: expected the pair (edge_index, num_nodes), got ({kinds})")
    check_same_nodes(num_nodes, int(pair[1]))
    edge_index = to_numpy(pair[0]) if hasattr(pair[0], "detach") else pair[0]
    return from_edge_index(edge_index, pair[1])


def _build(raw: RawGraph, directed: bool | None, *, keep_features: bool, keep_labels: bool) -> Graph:
    return build_graph(
        raw.rows,
        raw.cols,
        raw.weights,
        raw.num_nodes,
        directed=raw.directed if directed is None else directed,
        features=raw.features if keep_features else None,
        labels=raw.labels if keep_labels else None,
        node_names=raw.node_names,
        notes=raw.notes,
    )


def _redirect(graph: Graph, num_nodes: int | None, directed: bool | None) -> Graph:
    check_same_nodes(num_nodes, graph.num_nodes)
    if directed is None or directed == graph.is_directed:
        return graph
    return replace(graph, is_directed=True) if directed else graph.undirected()


def _with_node_data(graph: Graph, features: Any, labels: Any, node_names: Any, name: str | None) -> Graph:
    """Add the user's own node data. Names come first, because tables are aligned by names."""
    size = graph.num_nodes
    if node_names is not None:
        graph = replace(graph, node_names=check_node_names(node_names, size))
    changes: dict[str, Any] = {} if name is None else {"name": name}
    if features is not None:
        is_path = isinstance(features, str | os.PathLike)
        changes["features"] = read_features(features, graph) if is_path else check_features(features, size)
    if labels is not None:
        is_path = isinstance(labels, str | os.PathLike)
        found = read_classes(labels, graph) if is_path else check_classes(labels, size)
        changes["labels"], changes["class_names"] = found
    return replace(graph, **changes) if changes else graph
