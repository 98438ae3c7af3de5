"""Properties of the graph classification datasets (Table 4).

``statistics``: counts, and per graph the clustering coefficient, triangles per node, transitivity, the share of edges
that join nodes of one label (homophily) and the share of all labels that occur, averaged over the graphs. ``spectral``:
plain spectral clustering of every graph with K = number of its labels (Reddit-B has none: K = 2). ``hosc``: NMI of
HoscPool's clustering with the labels, on a random hundred graphs with two labels or more.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hoscpool import metrics
from hoscpool.datasets import load_graphs
from hoscpool.experiments.cell import Cell
from hoscpool.experiments.clustering import model_settings
from hoscpool.experiments.graph_statistics import Labelled, labelled_graphs, set_statistics
from hoscpool.experiments.scores import DIGITS
from hoscpool.timing import Stopwatch

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
    """Work out one group of properties of one dataset."""
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
