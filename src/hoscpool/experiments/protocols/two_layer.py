"""Two-layer clustering (Appendix B, Table 6): MP – pool – MP – pool, 1,000 epochs, patience 500.

The paper does not state the size of the first pool. Its classifiers pool to a quarter of the nodes. So the second pool
here leaves a quarter of the first: 4 K, then K.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hoscpool.datasets import dataset_info
from hoscpool.experiments.experiment import Experiment, register_experiment
from hoscpool.experiments.protocols.node_clustering import (
    TITLES,
    fit_and_score,
    load_clustering_graph,
    make_model,
    model_settings,
)
from hoscpool.experiments.running.cell import Cell

PROTOCOL = 1
RATIO = 4
EPOCHS, PATIENCE = 1000, 500


def settings(dataset: str, method: str) -> dict[str, Any]:
    """Everything that a method's result depends on."""
    return {"protocol": PROTOCOL, **model_settings(_model(dataset, method, seed=0))}


def run(cell: Cell, data_root: str | Path | None = None) -> dict[str, Any]:
    """Fit one graph with one method."""
    return fit_and_score(_model(cell.dataset, cell.method, cell.seed), load_clustering_graph(cell.dataset, data_root))


def _model(dataset: str, method: str, seed: int) -> Any:
    k = dataset_info(dataset).classes
    return make_model(method, k, seed, levels=(RATIO * k,), max_epochs=EPOCHS, patience=PATIENCE)


EXPERIMENT = register_experiment(Experiment("two-layer", settings, run, TITLES, cost=3.0))
