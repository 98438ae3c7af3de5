"""A `Graph` in the form of other libraries. Each is imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.support.errors import MissingDependencyError

if TYPE_CHECKING:
    from hoscpool.graph.core import Graph

NodeData = Mapping[str, Any]
"""One value for every node, by the name of the attribute."""


def to_networkx(graph: Graph, nodes: NodeData | None = None) -> Any:
    """A NetworkX graph with the same names and weights; features become the node attribute ``x``, classes ``y``."""
    import networkx as nx

    rows, cols, weights = edges_of(graph)
    made: Any = nx.DiGraph(name=graph.name or "") if graph.is_directed else nx.Graph(name=graph.name or "")
    made.add_nodes_from(graph.names)
    names = list(graph.names)
    pairs = ((names[i], names[j]) for i, j in zip(rows.tolist(), cols.tolist(), strict=True))
    if weights is None:
        made.add_edges_from(pairs)
    else:
        made.add_weighted_edges_from((a, b, w) for (a, b), w in zip(pairs, weights.tolist(), strict=True))
    for key, values in _node_data(graph, nodes).items():
        nx.set_node_attributes(made, dict(zip(names, values, strict=True)), key)
    return made


def to_igraph(graph: Graph, nodes: NodeData | None = None) -> Any:
    """An igraph graph; names become the vertex attribute ``name``.

    Raises:
        MissingDependencyError: igraph is not installed.
    """
    try:
        import igraph
    except ImportError:
        raise MissingDependencyError("igraph", None, "a graph for igraph") from None
    rows, cols, weights = edges_of(graph)
    made = igraph.Graph(n=graph.num_nodes, edges=np.stack([rows, cols], axis=1).tolist(), directed=graph.is_directed)
    if weights is not None:
        made.es["weight"] = weights.tolist()
    if graph.node_names is not None:
        made.vs["name"] = [str(name) for name in graph.names]
    for key, values in _node_data(graph, nodes).items():
        made.vs[key] = values
    return made


def to_pyg(graph: Graph) -> Any:
    """A PyG ``Data`` with ``edge_index``, ``edge_weight``, ``x`` and ``y``. Sparse features become dense."""
    import torch
    from torch_geometric.data import Data

    adjacency = sp.coo_array(graph.adjacency)
    data = Data(
        edge_index=torch.from_numpy(np.stack([adjacency.row, adjacency.col]).astype(np.int64)),
        num_nodes=graph.num_nodes,
    )
    if graph.weights is not None:
        data.edge_weight = torch.from_numpy(graph.weights.astype(np.float32))
    if graph.features is not None:
        table = graph.features.toarray() if sp.issparse(graph.features) else graph.features
        data.x = torch.from_numpy(np.array(table, dtype=np.float32))
    if graph.labels is not None:
        data.y = torch.from_numpy(graph.labels.copy())
    return data


def to_pandas(graph: Graph) -> Any:
    """A data frame with a row for every edge: ``source``, ``target`` and, on a weighted graph, ``weight``."""
    import pandas as pd

    rows, cols, weights = edges_of(graph)
    names = pd.Series(list(graph.names), dtype=object if graph.node_names is not None else None)
    columns = {"source": name_column(names.iloc[rows]), "target": name_column(names.iloc[cols])}
    return pd.DataFrame(columns if weights is None else {**columns, "weight": weights})


def name_column(names: Iterable[Any]) -> Any:
    """Names as a column of a data frame.

    Half a character (a lone surrogate, as in a text that was cut inside an emoji) does not fit into the text type of
    pandas. Then the column holds Python objects.
    """
    import pandas as pd

    try:
        return pd.Series(list(names))
    except UnicodeEncodeError:
        return pd.Series(list(names), dtype=object)


def edges_of(graph: Graph) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.float64] | None]:
    """Both ends and the weight of every edge; each undirected edge once, with the smaller end first."""
    matrix = graph.adjacency if graph.is_directed else sp.triu(graph.adjacency, k=1)
    edges = sp.coo_array(sp.csr_array(matrix))
    return edges.row, edges.col, edges.data if graph.is_weighted else None


def _node_data(graph: Graph, nodes: NodeData | None) -> dict[str, list[Any]]:
    """The attributes of all nodes as plain Python values."""
    found: dict[str, Any] = {}
    if graph.features is not None:
        found["x"] = graph.features.toarray() if sp.issparse(graph.features) else graph.features
    if graph.labels is not None:
        found["y"] = graph.labels if graph.class_names is None else np.asarray(graph.classes)
    if graph.node_titles is not None:
        found["title"] = list(graph.node_titles)
    return {key: np.asarray(values).tolist() for key, values in {**found, **(nodes or {})}.items()}
