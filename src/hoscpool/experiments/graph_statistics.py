"""Statistics of a set of graphs, as the paper's Table 4 defines them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph
from hoscpool.graph.build import build_graph
from hoscpool.motifs import motif_adjacency

Labels = npt.NDArray[np.int64]
Labelled = tuple[Graph, Labels | None]


def labelled_graphs(graphs: Sequence[Any]) -> list[Labelled]:
    """PyG graphs with one-hot node labels as graphs with features, and the labels; ``None`` where there are none."""
    return [_labelled(data) for data in graphs]


def _labelled(data: Any) -> Labelled:
    rows, cols = data.edge_index.numpy()
    features = None if data.get("x") is None else data.x.numpy()
    graph = build_graph(rows, cols, None, int(data.num_nodes), directed=False, features=features)
    return graph, None if features is None else features.argmax(axis=1).astype(np.int64)


def set_statistics(graphs: Sequence[Labelled]) -> dict[str, Any]:
    """Counts of the set, and means over its graphs; homophily and label share only with labels."""
    sizes = [graph.num_nodes for graph, _ in graphs]
    found: dict[str, Any] = {
        "graphs": len(graphs),
        "edges": sum(graph.num_edges for graph, _ in graphs),
        "mean_nodes": float(np.mean(sizes)),
    }
    shapes = np.mean([triangle_statistics(graph) for graph, _ in graphs], axis=0)
    found |= dict(zip(("clustering_coefficient", "triangles", "transitivity"), shapes.tolist(), strict=True))
    labelled = [(graph, labels) for graph, labels in graphs if labels is not None]
    if labelled:
        count = len(np.unique(np.concatenate([labels for _, labels in labelled])))
        found["labels"] = int(np.asarray(labelled[0][0].features).shape[1])
        found["homophily"] = float(np.mean([homophily(*pair) for pair in labelled if pair[0].num_edges]))
        found["label_share"] = float(np.mean([len(np.unique(labels)) / count for _, labels in labelled]))
    return found


def triangle_statistics(graph: Graph) -> tuple[float, float, float]:
    """Mean clustering coefficient over the nodes, triangles per node, and transitivity (3 triangles / wedges).

    Examples:
        >>> from hoscpool import as_graph
        >>> import networkx as nx
        >>> triangle_statistics(as_graph(nx.complete_graph(4)))
        (1.0, 1.0, 1.0)
    """
    degree = np.asarray(graph.degree, dtype=float)
    at_node = np.asarray(motif_adjacency(graph, "triangle").sum(axis=1), dtype=float).ravel() / 2
    wedges = degree * (degree - 1) / 2
    coefficient = np.divide(at_node, wedges, out=np.zeros_like(wedges), where=wedges > 0)
    transitivity = at_node.sum() / wedges.sum() if wedges.any() else 0.0
    return float(coefficient.mean()), float(at_node.sum() / 3 / len(degree)), float(transitivity)


def homophily(graph: Graph, labels: Labels) -> float:
    """Share of the edges whose ends have the same label."""
    entries = graph.adjacency.tocoo()
    return float(np.mean(labels[entries.row] == labels[entries.col]))
