"""Graph classification. Table 3 (poolings) and Table 5 (ablations of HoscPool) show its cells.

The set-up is that of Section 5.2: GNN – pool – GNN – pool – GNN – global pool – dense ×2, pools to a quarter of the
nodes, Adam at 0.001, 500 epochs, gradients clipped at 2, patience 100, decay patience 50, another split 80/10/10 for
every run, test accuracy of the model that is best on the validation graphs. The paper tuned units (16 to 64), batch
sizes (8 to 64) and μ ∈ {0, 0.1} for each dataset and does not state them. Here all datasets use the defaults of
`GraphClassifier`. The methods in `TUNED` are the exception: every run chooses units, skip connections and μ by its
validation graphs. Seed i means split i and random state i.

Methods that begin with ``deep-`` follow the fair comparison of Errica et al. (2020) with that pool: GIN or, on
molecules with bonds, GINE with the features of the bonds; 64 units, four encoders, batch normalisation, read-outs of
every layer summed, up to 1,000 epochs, patience 500. The best validation epoch is kept, and test accuracy read once.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from hoscpool.datasets import dataset_info, load_graphs
from hoscpool.experiments.experiment import Experiment, register_experiment
from hoscpool.experiments.protocols.node_clustering import DIGITS
from hoscpool.experiments.running.cell import Cell, switched_on
from hoscpool.support.progress import Stopwatch

PROTOCOL = 1
ABLATIONS: dict[str, dict[str, Any]] = {
    "mu-0": {"mu": 0.0},
    "not-ada": {"schedule": "constant"},
    "no-diag": {"remove_self_loops": False},
    "sage": {"encoder": "sage"},
    "gat": {"encoder": "gat"},
    "gin": {"encoder": "gin"},
    "skip-co": {"skip_readout": True},
    "1-pooling": {"n_pools": 1},
    "c-ratio": {"ratio": 0.5},
    "dense-feat": {"structural_features": True},
}
"""The change of each ablation of Table 5. For c-ratio ("a higher clustering ratio") the paper gives no number."""
TUNED = {"hosc-tuned": "hosc", "none-tuned": "none"}
"""Methods whose parameters are chosen by the validation graphs, with their pools."""
DEEP = "deep-"
"""Beginning of the methods with the recipe of the fair comparison; the name of a pool follows."""
DEEP_RECIPE: dict[str, Any] = {"architecture": "deep", "encoder": "gin", "readout": "sum", "hidden": 64}
TITLES = {
    "deep-none": "NoPool, deep",
    "deep-random": "random, deep",
    "deep-mincut": "MinCutPool, deep",
    "deep-hp-1": "HP-1, deep",
    "deep-hp-2": "HP-2, deep",
    "deep-hosc": "HoscPool, deep",
    "hosc-tuned": "HoscPool, tuned",
    "none-tuned": "NoPool, tuned",
    "mu-0": "μ = 0",
    "no-diag": "No-diag",
    "sage": "SAGE",
    "gat": "GAT",
    "gin": "GIN",
}
"""Titles of methods that are not pools."""
_NOT_SETTINGS = frozenset({"random_state", "verbose", "checkpoint"})


def settings(dataset: str, method: str) -> dict[str, Any]:
    """Everything that a method's result depends on."""
    from hoscpool.classify import resolve_settings

    given = _model(dataset, method, seed=0).get_params(deep=False)
    resolved = resolve_settings(given)
    plain = {name: value for name, value in given.items() if name not in _NOT_SETTINGS}
    plain |= {"max_epochs": resolved.max_epochs, "patience": resolved.patience}
    if resolved.architecture == "paper":  # records are older than the choice
        plain |= {"architecture": None, "n_layers": None}
    base = {"protocol": PROTOCOL, "model": "GraphClassifier", "split": "stratified 80/10/10", **switched_on(plain)}
    return base | {"grid": {name: list(values) for name, values in grid.items()}} if (grid := _grid(method)) else base


def run(cell: Cell, data_root: str | Path | None = None, scratch: Path | None = None) -> dict[str, Any]:
    """Train on one split, choose by its validation part, and measure once on its test part.

    Args:
        cell: The cell.
        data_root: Folder of the raw data.
        scratch: Folder of the checkpoint from which the training can continue.
    """
    from hoscpool.classify import collate, evaluate_split, stratified_splits

    watch, model = Stopwatch(), _model(cell.dataset, cell.method, cell.seed).set_params(checkpoint=scratch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the record shows the same, or they concern single batches
        graphs = collate(load_graphs(cell.dataset, data_root))
        labels = np.asarray(graphs.labels)
        split = stratified_splits(labels, n_splits=cell.seed + 1)[cell.seed]
        with watch:
            result = evaluate_split(model, graphs, split, cell.seed, _grid(cell.method))
    if result.stopped == "diverged" and not result.best_epoch:
        raise RuntimeError("training diverged in its first epoch: there is no trained model to score")
    scores = {
        "accuracy": result.accuracy,
        "validation_accuracy": result.validation_accuracy,
        "majority": _majority(labels[split.train], labels[split.test]),
    }
    found: dict[str, Any] = {name: round(float(score), DIGITS) for name, score in scores.items()}
    found |= {"epochs": result.epochs, "best_epoch": result.best_epoch}
    return {"metrics": found, "seconds": (watch + model.earlier_).seconds, "info": _info(result)}


def _info(result: Any) -> dict[str, Any]:
    pools = [{name: _rounded(value) for name, value in pool.items()} for pool in result.pools]
    info: dict[str, Any] = {"stopped": result.stopped, "pools": pools}
    if result.trials:
        info["trials"] = [{name: _rounded(value) for name, value in trial.items()} for trial in result.trials]
    return info


def _rounded(value: Any) -> Any:
    return round(value, DIGITS) if isinstance(value, float) else value


def _majority(train: Any, test: Any) -> float:
    """Accuracy of always predicting the most frequent class."""
    return float(np.mean(test == np.bincount(train).argmax()))


def _model(dataset: str, method: str, seed: int) -> Any:
    from hoscpool.classify import GraphClassifier

    if method.startswith(DEEP):
        bonds = {"encoder": "gine", "edge_features": True} if dataset_info(dataset).has_bonds else {}
        return GraphClassifier(**DEEP_RECIPE | bonds, pooling=method.removeprefix(DEEP), random_state=seed)
    changes = ABLATIONS.get(method, {"pooling": TUNED.get(method, method)})
    return GraphClassifier(**{"pooling": "hosc", **changes}, random_state=seed)


def _grid(method: str) -> Any:
    from hoscpool.classify import grid_of

    return grid_of(TUNED[method]) if method in TUNED else None


EXPERIMENT = register_experiment(Experiment("classification", settings, run, TITLES, resumable=True, cost=2.0))
