"""The clustering experiment: Tables 1, 2 and 7 and Figure 2 are views of its cells.

The paper's set-up is in Section 5.1: one graph convolution with skip connection and 32 units, an MLP with 32 units,
Adam at 0.001, 500 epochs, gradients clipped at 2, patience 200, decay patience 25, μ ∈ {0, 0.1, 1} (which one for which
graph is not said; 0.1 here throughout), K = number of classes, ten runs. ``preset="paper"`` has all of it. The weights
of the motifs move with the epoch (Section 4.2). Graphs without features: the paper used ten that it does not describe;
here the network sees the spectral coordinates of the graph (`info.start` of a record says so).
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from hoscpool.experiments.cell import Cell, switched_on
from hoscpool.experiments.graphs import count_classes, load_clustering_graph
from hoscpool.experiments.result_constants import constants, preset_values
from hoscpool.experiments.scores import DIGITS, clustering_scores
from hoscpool.timing import Stopwatch

PROTOCOL = 1
"""To be raised when cells are measured in another way, so that old and new ones are not mixed."""
_SPECTRAL: dict[str, dict[str, Any]] = {
    "sc": {"motif": "edge"},
    "msc": {"motif": "triangle"},
    "sc-plain": {"motif": "edge", "regularize": 0.0},
    "msc-plain": {"motif": "triangle", "regularize": 0.0},
}
_VARIANTS: dict[str, dict[str, Any]] = {
    "hosc-mu-0": {"mu": 0.0},
    "hosc-mu-1": {"mu": 1.0},
    "hosc-constant": {"schedule": "constant"},
}
"""HoscPool with the other values of μ that the paper names, and with weights of the motifs that stay."""
_CURVES = ("hosc", "mincut")
"""Methods whose first seed keeps its losses, for Figure 2."""
EARLY, STEP = 100, 10


def settings(dataset: str, method: str) -> dict[str, Any]:  # noqa: ARG001 (one setting for all graphs)
    """Everything that a method's result depends on."""
    return {"protocol": PROTOCOL, **model_settings(make_model(method, n_clusters=2, seed=0))}


def run(cell: Cell, data_root: str | Path | None = None) -> dict[str, Any]:
    """Fit one method to one graph; only the fit is timed."""
    graph = load_clustering_graph(cell.dataset, data_root)
    n_clusters = count_classes(graph)
    return fit_and_score(make_model(cell.method, n_clusters, cell.seed), graph, keeps_curve=keeps_curve(cell))


def keeps_curve(cell: Cell) -> bool:
    """Whether the record has the course of the losses."""
    return cell.seed == 0 and cell.method in _CURVES


def make_model(method: str, n_clusters: int, seed: int, **more: Any) -> Any:
    """The estimator of a method."""
    from hoscpool.cluster import HoscClustering, MotifSpectralClustering

    if method in _SPECTRAL:
        return MotifSpectralClustering(n_clusters, random_state=seed, **_SPECTRAL[method], **more)
    if method == "robust":
        return HoscClustering(n_clusters, preset="robust", random_state=seed, **more)
    if method in _VARIANTS:
        return HoscClustering(n_clusters, preset="paper", random_state=seed, **_VARIANTS[method], **more)
    return HoscClustering(n_clusters, preset="paper", method=method, random_state=seed, **more)


def model_settings(model: Any) -> dict[str, Any]:
    """The parameters of an estimator with its defaults and those of its preset, but for K and the seed."""
    from hoscpool.cluster import HoscClustering
    from hoscpool.cluster.objective import method_motifs
    from hoscpool.cluster.settings import resolve_settings

    given = {name: value for name, value in model.get_params(deep=False).items() if name not in _NOT_SETTINGS}
    if not isinstance(model, HoscClustering):
        return {"model": "MotifSpectralClustering", **switched_on(given)}
    given |= preset_values(resolve_settings(model.preset, given))
    given |= {"motifs": method_motifs(model.method, model.motifs), "constants": constants(model.preset)}
    given |= {"levels": list(model.levels) if model.levels else None}
    given |= {"n_neighbors": model.n_neighbors if given["feature_weight"] else None}  # of no other use here
    return {"model": "HoscClustering", **switched_on(given)}


_NOT_SETTINGS = frozenset({"n_clusters", "random_state", "verbose", "checkpoint", "k_range", "n_neighbors"})


def fit_and_score(model: Any, graph: Any, *, keeps_curve: bool = False, motif: str = "triangle") -> dict[str, Any]:
    """The parts of a record that come from one fit: metrics, times, and what is to be known about the result."""
    watch = Stopwatch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # collapse and missing motifs are in the record
        with watch:
            model.fit(graph)
        scores = clustering_scores(graph, model.labels_, model.n_clusters, motif)
    found: dict[str, Any] = {"metrics": scores, "seconds": watch.seconds, "info": {}}
    if hasattr(model, "start_"):
        scores |= {"hard_objective": round(float(model.objective_), DIGITS), "epochs": int(model.n_iter_)}
        found["info"] = {"start": model.start_}
        if keeps_curve:
            found["curve"] = compact_curve(model.history_)
    return found


def compact_curve(history: dict[str, list[float]]) -> dict[str, list[float]]:
    """The losses of the first hundred epochs and of every tenth after them, with their epochs from 1."""
    length = len(next(iter(history.values()), []))
    kept = [*range(min(EARLY, length)), *range(EARLY + STEP - 1, length, STEP)]
    curve: dict[str, list[float]] = {"epoch": [number + 1 for number in kept]}
    return curve | {name: [round(values[number], 5) for number in kept] for name, values in history.items()}
