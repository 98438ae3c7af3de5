"""Statistics of a set of graphs, as in Table 4 of the paper."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool import metrics
from hoscpool.datasets import load_graphs
from hoscpool.experiments.experiment import Experiment, register_experiment
from hoscpool.experiments.protocols.node_clustering import DIGITS, model_settings
from hoscpool.experiments.running.cell import Cell
from hoscpool.graph import Graph, build_graph
from hoscpool.motifs import motif_adjacency
from hoscpool.support.progress import Stopwatch

Labels = npt.NDArray[np.int64]
Labelled = tuple[Graph, Labels | None]


def labelled_graphs(graphs: Sequence[Any]) -> list[Labelled]:
    """PyG graphs as graphs with features, each with its node labels, or ``None`` without one-hot labels."""
    return [_labelled(data) for data in graphs]


def _labelled(data: Any) -> Labelled:
    rows, cols = data.edge_index.numpy()
    features = None if data.get("x") is None else data.x.numpy()
    graph = build_graph(rows, cols, None, int(data.num_nodes), directed=False, features=features)
    return graph, None if features is None else features.argmax(axis=1).astype(np.int64)


def set_statistics(graphs: Sequence[Labelled]) -> dict[str, Any]:
    """Counts of the set, and means over its graphs. Homophily and label share need labels."""
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


PROTOCOL = 1
SAMPLE = 100
UNLABELLED_K = 2
_MODELS = ("spectral", "hosc")


def settings(dataset: str, method: str) -> dict[str, Any]:  # noqa: ARG001 (the same for all datasets)
    """Everything that a result depends on."""
    common = {"protocol": PROTOCOL, "unlabelled_k": UNLABELLED_K}
    if method in _MODELS:
        common |= model_settings(_model(method, n_clusters=2, seed=0))
    return common | ({"sample": SAMPLE} if method == "hosc" else {})


def run(cell: Cell, data_root: str | Path | None = None) -> dict[str, Any]:
    """Compute one group of properties of one dataset."""
    graphs = labelled_graphs(load_graphs(cell.dataset, data_root))
    with Stopwatch() as watch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # collapsed clusters and nodes without motif are expected in small graphs
        found = _METHODS[cell.method](graphs, cell.seed)
    rounded = {name: value if isinstance(value, int) else round(value, DIGITS) for name, value in found.items()}
    return {"metrics": rounded, "seconds": watch.seconds, "info": {}}


def _model(method: str, n_clusters: int, seed: int) -> Any:
    from hoscpool.cluster import HoscClustering, MotifSpectralClustering

    if method == "spectral":
        return MotifSpectralClustering(n_clusters, "edge", regularize=0.0, random_state=seed)
    return HoscClustering(n_clusters, preset="paper", random_state=seed)


def _statistics(graphs: Sequence[Labelled], _seed: int) -> dict[str, Any]:
    return set_statistics(graphs)


def _spectral(graphs: Sequence[Labelled], seed: int) -> dict[str, Any]:
    rows = []
    for graph, labels in graphs:
        k = UNLABELLED_K if labels is None else len(np.unique(labels))
        if graph.num_edges:
            found = _model("spectral", min(k, graph.num_nodes), seed).fit(graph).labels_
            measures = (metrics.motif_conductance, metrics.conductance, metrics.modularity)
            rows.append([float(measure(graph, found)) for measure in measures])
    means = np.mean(rows, axis=0)
    return dict(zip(("motif_conductance", "conductance", "modularity"), means.tolist(), strict=True))


def _hosc(graphs: Sequence[Labelled], seed: int) -> dict[str, Any]:
    fit = [(graph, y) for graph, y in graphs if y is not None and graph.num_edges and len(np.unique(y)) > 1]
    if not fit:
        return {"graphs": 0}
    chosen = np.random.default_rng(seed).permutation(len(fit))[:SAMPLE]
    scores = [_nmi(fit[number][0], fit[number][1], seed) for number in chosen.tolist()]
    return {"nmi": float(np.mean(scores)), "graphs": len(scores)}


def _nmi(graph: Any, labels: Any, seed: int) -> float:
    found = _model("hosc", len(np.unique(labels)), seed).fit(graph).labels_
    return float(metrics.nmi(labels, found))


_METHODS = {"statistics": _statistics, "spectral": _spectral, "hosc": _hosc}

EXPERIMENT = register_experiment(Experiment("properties", settings, run, cheap=("statistics",)))
