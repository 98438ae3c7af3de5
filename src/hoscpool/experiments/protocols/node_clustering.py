"""Clustering of one graph. Tables 1, 2 and 7 and Figure 2 show its cells."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hoscpool import metrics
from hoscpool.datasets import load
from hoscpool.experiments.experiment import Experiment, register_experiment
from hoscpool.experiments.protocols import reference_methods as references
from hoscpool.experiments.protocols.reference_methods import REFERENCES, Communities, FeatureKMeans
from hoscpool.experiments.protocols.result_constants import (
    constants,
    constants_of_links,
    preset_values,
    search_constants,
)
from hoscpool.experiments.running.cell import Cell, switched_on
from hoscpool.graph import Graph
from hoscpool.support.progress import Stopwatch


def load_clustering_graph(name: str, data_root: str | Path | None = None) -> Graph:
    """A graph without directions."""
    return load(name, data_root).undirected()


def count_classes(graph: Graph) -> int:
    """Number of classes that occur in a graph."""
    return len(np.unique(np.asarray(graph.labels)))


DIGITS = 6


def clustering_scores(graph: Graph, labels: Any, n_clusters: int, motif: str = "triangle") -> dict[str, float]:
    """Agreement with the classes, quality on the graph, and cluster sizes.

    Conductance is averaged in two ways: as the mean over clusters, and as Σ cut / Σ vol (``_share``). Table 7 of the
    paper most likely shows the second.
    """
    y, sizes = graph.labels, metrics.size_statistics(labels, n_clusters)
    values = {
        "nmi": metrics.nmi(y, labels),
        "ari": metrics.ari(y, labels),
        "homogeneity": metrics.homogeneity(y, labels),
        "completeness": metrics.completeness(y, labels),
        "accuracy": metrics.accuracy(y, labels),
        "modularity": metrics.modularity(graph, labels),
        "conductance": metrics.conductance(graph, labels),
        "conductance_share": metrics.conductance(graph, labels, average="volume"),
        "motif_conductance": metrics.motif_conductance(graph, labels, motif),
        "motif_conductance_share": metrics.motif_conductance(graph, labels, motif, average="volume"),
        "n_clusters": sizes.n_clusters,
        "live_clusters": sizes.live,
        "largest_share": sizes.largest_share,
    }
    return {name: value if isinstance(value, int) else round(float(value), DIGITS) for name, value in values.items()}


PROTOCOL = 1
"""Raise this number when cells are measured in another way, so that old and new records are not mixed."""
_SPECTRAL: dict[str, dict[str, Any]] = {
    "sc": {"motif": "edge"},
    "msc": {"motif": "triangle"},
    "sc-plain": {"motif": "edge", "regularize": 0.0},
    "msc-plain": {"motif": "triangle", "regularize": 0.0},
}
_VARIANTS: dict[str, dict[str, Any]] = {
    "robust": {"preset": "robust"},
    **{f"{method}-mu-{mu:g}": {"method": method, "mu": mu} for method in ("hp-1", "hp-2", "hosc") for mu in (0.0, 1.0)},
    "hosc-constant": {"schedule": "constant"},
    "multilevel": {"preset": "robust", "solver": "multilevel", "feature_weight": 0.0},
    "multilevel-features": {"preset": "robust", "solver": "multilevel"},
}
"""The other preset, the other values of μ that the paper names, constant motif weights, and the other solver."""
FEATURES_LEAD = frozenset({"cora", "citeseer", "pubmed", "dblp", "photo", "pc", "cs", "syn2"})
"""Datasets with features that follow the edges. On all others the robust preset may end with a block model of the
links, so that its constants are part of the result."""
_STRUCTURE_ONLY = frozenset({"multilevel"})
"""Methods that get the graph without its features."""
TITLES = {
    "sc": "SC",
    "msc": "MSC",
    "sc-plain": "SC, not regularised",
    "msc-plain": "MSC, not regularised",
    "robust": "robust preset",
    "hp-1-mu-0": "HP-1, μ = 0",
    "hp-1-mu-1": "HP-1, μ = 1",
    "hp-2-mu-0": "HP-2, μ = 0",
    "hp-2-mu-1": "HP-2, μ = 1",
    "hosc-mu-0": "HoscPool, μ = 0",
    "hosc-mu-1": "HoscPool, μ = 1",
    "hosc-constant": "HoscPool, constant weights",
    "multilevel": "multilevel, structure only",
    "multilevel-features": "multilevel, similar features",
    **references.TITLES,
}
"""Titles of methods that are not pools."""
_CURVES = ("hosc", "mincut")
"""Methods whose first seed records its losses, for Figure 2."""
EARLY, STEP = 100, 10


def settings(dataset: str, method: str) -> dict[str, Any]:
    """Everything that a method's result depends on. The estimator has one setting for all graphs."""
    found = {"protocol": PROTOCOL, **model_settings(make_model(method, n_clusters=2, seed=0))}
    if method == "robust" and dataset not in FEATURES_LEAD:
        found["constants"] |= constants_of_links()
    return found


def run(cell: Cell, data_root: str | Path | None = None) -> dict[str, Any]:
    """Fit one graph with one method. Only the fit is timed."""
    graph = load_clustering_graph(cell.dataset, data_root)
    if cell.method in _STRUCTURE_ONLY:
        graph = replace(graph, features=None)
    n_clusters = count_classes(graph)
    return fit_and_score(make_model(cell.method, n_clusters, cell.seed), graph, keeps_curve=keeps_curve(cell))


def keeps_curve(cell: Cell) -> bool:
    """Whether the record has the losses over the epochs."""
    return cell.seed == 0 and cell.method in _CURVES


def make_model(method: str, n_clusters: int, seed: int, **more: Any) -> Any:
    """The estimator of a method."""
    from hoscpool.cluster import HoscClustering, MotifSpectralClustering

    if method in REFERENCES:
        return REFERENCES[method](n_clusters, seed)
    if method in _SPECTRAL:
        return MotifSpectralClustering(n_clusters, random_state=seed, **_SPECTRAL[method], **more)
    own = _VARIANTS.get(method, {"method": method})
    return HoscClustering(n_clusters, random_state=seed, **{"preset": "paper", **own, **more})


def model_settings(model: Any) -> dict[str, Any]:
    """The parameters of an estimator, with the defaults of its preset, without K and the seed."""
    from hoscpool.cluster import HoscClustering, method_motifs, resolve_settings

    if isinstance(model, FeatureKMeans | Communities):
        return model.settings
    given = {name: value for name, value in model.get_params(deep=False).items() if name not in _NOT_SETTINGS}
    if not isinstance(model, HoscClustering):
        return {"model": "MotifSpectralClustering", **switched_on(given)}
    if model.solver == "multilevel":
        return {"model": "HoscClustering", **switched_on(given), **_search_settings(model)}
    given |= preset_values(resolve_settings(model.preset, given))
    given |= {"motifs": method_motifs(model.method, model.motifs), "constants": constants(model.preset)}
    given |= {"levels": list(model.levels) if model.levels else None}
    given |= {"n_neighbors": model.n_neighbors if given["feature_weight"] else None}  # not used otherwise
    given |= {"solver": None}  # records are older than the choice, which is the network on all of these graphs
    return {"model": "HoscClustering", **switched_on(given)}


def _search_settings(model: Any) -> dict[str, Any]:
    """What a multilevel search depends on, besides the parameters that are given."""
    from hoscpool.cluster import method_motifs, resolve_settings
    from hoscpool.cluster.views import similarity

    settings = resolve_settings(model.preset, model.get_params(deep=False))
    constants = search_constants()
    if settings.feature_weight:
        constants |= {name: getattr(similarity, name) for name in ("EXACT", "CELL", "EDGES", "SHUFFLES", "DEVIATIONS")}
        constants["n_neighbors"] = model.n_neighbors
    return {
        "motifs": method_motifs(model.method, model.motifs),
        "feature_weight": settings.feature_weight,
        "constants": constants,
    }


_NOT_SETTINGS = frozenset({"n_clusters", "random_state", "verbose", "n_jobs", "checkpoint", "k_range", "n_neighbors"})


def fit_and_score(model: Any, graph: Any, *, keeps_curve: bool = False, motif: str = "triangle") -> dict[str, Any]:
    """The parts of a record that come from one fit: metrics, times and further information."""
    watch = Stopwatch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the record shows collapse and missing motifs
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
    """The losses of the first hundred epochs, then of every tenth. Epochs count from 1."""
    length = len(next(iter(history.values()), []))
    kept = [*range(min(EARLY, length)), *range(EARLY + STEP - 1, length, STEP)]
    curve: dict[str, list[float]] = {"epoch": [number + 1 for number in kept]}
    return curve | {name: [round(values[number], 5) for number in kept] for name, values in history.items()}


EXPERIMENT = register_experiment(Experiment("clustering", settings, run, TITLES, cheap=(*_SPECTRAL, *REFERENCES)))
