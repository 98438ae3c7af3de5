"""Clustering with motifs of four nodes, which the paper leaves to future work (Appendix C)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hoscpool import metrics
from hoscpool.datasets import dataset_info
from hoscpool.experiments.experiment import Experiment, register_experiment
from hoscpool.experiments.protocols.node_clustering import (
    DIGITS,
    fit_and_score,
    load_clustering_graph,
    make_model,
    model_settings,
)
from hoscpool.experiments.running.cell import Cell

PROTOCOL = 1
MOTIFS = {
    "edge+triangle": ("edge", "triangle"),
    "edge+cycle4": ("edge", "cycle4"),
    "edge+clique4": ("edge", "clique4"),
    "edge+triangle+cycle4": ("edge", "triangle", "cycle4"),
    "edge+triangle+clique4": ("edge", "triangle", "clique4"),
}
"""The motifs of every method, with equal weights. The first method is HoscPool as published, for comparison."""


def settings(dataset: str, method: str) -> dict[str, Any]:
    """Everything that a method's result depends on."""
    return {"protocol": PROTOCOL, **model_settings(_model(dataset, method, seed=0))}


def run(cell: Cell, data_root: str | Path | None = None) -> dict[str, Any]:
    """Fit one graph with one set of motifs. Every record has the conductance of the four-node motifs."""
    graph = load_clustering_graph(cell.dataset, data_root)
    model = _model(cell.dataset, cell.method, cell.seed)
    found = fit_and_score(model, graph)
    for motif in ("cycle4", "clique4"):
        value = metrics.motif_conductance(graph, model.labels_, motif)
        found["metrics"][f"{motif}_conductance"] = round(value, DIGITS)
    return found


def _model(dataset: str, method: str, seed: int) -> Any:
    if method not in MOTIFS:
        raise ValueError(f"method: expected one of {', '.join(MOTIFS)}, got {method!r}")
    names = MOTIFS[method]
    return make_model("hosc", dataset_info(dataset).classes, seed, motifs=dict.fromkeys(names, 1 / len(names)))


EXPERIMENT = register_experiment(Experiment("four-node", settings, run))
