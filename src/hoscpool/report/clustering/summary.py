"""What there is to say about a clustering, worked out once for the terminal, the files and the page."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool import metrics
from hoscpool.graph import Graph
from hoscpool.support.errors import GraphWarning


@dataclass(frozen=True)
class Scores:
    """How good a clustering is, as a whole.

    Attributes:
        conductance: Mean over the clusters; small is good.
        motif_conductance: The same over every motif other than the edge.
        modularity: Large is good.
        nmi: Against the graph's classes, ``None`` when it has none.
        accuracy: Clusters matched to classes one to one, ``None`` likewise.
    """

    conductance: float
    motif_conductance: dict[str, float]
    modularity: float
    nmi: float | None = None
    accuracy: float | None = None

    def lines(self) -> list[tuple[str, str]]:
        """Name and value of everything that is known."""
        values: dict[str, float | None] = {"conductance": self.conductance}
        values |= {f"{name} conductance": value for name, value in self.motif_conductance.items()}
        values |= {"modularity": self.modularity, "NMI": self.nmi, "matched accuracy": self.accuracy}
        return [(name, f"{value:.4f}") for name, value in values.items() if value is not None]


@dataclass(frozen=True)
class Cluster:
    """One cluster.

    Attributes:
        number: Its label.
        nodes: How many there are.
        confidence: Mean membership of its nodes in it; ``None`` when empty.
        inside: Edge weight among its nodes.
        cut: Edge weight between it and the others.
        conductance: Share of its volume that is cut; ``None`` without volume.
        motif_conductance: The same over every motif other than the edge.
    """

    number: int
    nodes: int
    confidence: float | None
    inside: float
    cut: float
    conductance: float | None
    motif_conductance: dict[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Clustering:
    """A fitted model with all that is said about it.

    Attributes:
        graph: What was clustered.
        model: The fitted `HoscClustering`.
        scores: Of the whole.
        clusters: One by one.
        seconds: Of the fit.
    """

    graph: Graph
    model: Any
    scores: Scores
    clusters: list[Cluster]
    seconds: float


def score(graph: Graph, labels: Any, motifs: Iterable[str]) -> Scores:
    """Conductances, modularity and, when the graph has classes, the agreement with them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)  # about directions: the fit has said it
        return Scores(
            conductance=metrics.conductance(graph, labels),
            motif_conductance={name: metrics.motif_conductance(graph, labels, name) for name in higher_order(motifs)},
            modularity=metrics.modularity(graph, labels),
            nmi=None if graph.labels is None else metrics.nmi(graph.labels, labels),
            accuracy=None if graph.labels is None else metrics.accuracy(graph.labels, labels),
        )


def describe_clusters(graph: Graph, model: Any) -> list[Cluster]:
    """Every cluster of a fitted `HoscClustering`, the empty ones too."""
    count, labels = model.n_clusters_, model.labels_
    sizes, links = metrics.cluster_sizes(labels, count), model.coarse_.matrices["edge"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        edge = _spread(metrics.conductance(graph, labels, average=None), sizes)
        motif = {
            name: _spread(metrics.motif_conductance(graph, labels, name, average=None), sizes)
            for name in higher_order(model.motifs_)
        }
    mine = model.assignment_[np.arange(len(labels)), labels]
    return [
        Cluster(
            number=k,
            nodes=int(sizes[k]),
            confidence=float(mine[labels == k].mean()) if sizes[k] else None,
            inside=float(links[k, k] / 2),
            cut=float(links[k].sum() - links[k, k]),
            conductance=edge[k],
            motif_conductance={name: values[k] for name, values in motif.items()},
        )
        for k in range(count)
    ]


def higher_order(motifs: Iterable[str]) -> list[str]:
    """The motifs other than the edge."""
    return [name for name in motifs if name != "edge"]


def why_kept(model: Any) -> str:
    """One sentence about the choice among the runs."""
    objective, runs = f"{model.objective_:.4f}", model.runs_
    if len(runs) == 1:
        return f"The hard objective of the clustering (start {model.start_!r}) is {objective}."
    if model.n_equal_runs_ > 1:
        return (
            f"{model.n_equal_runs_} of {len(runs)} runs are equally good but for chance; run {model.kept_run_ + 1} "
            f"(start {model.start_!r}) was kept, the one most like the others. Its hard objective is {objective}."
        )
    chosen = f"Run {model.kept_run_ + 1} (start {model.start_!r}) was kept: its hard objective, {objective}, is"
    lowest = min(run["hard_objective"] for run in runs)
    if model.objective_ > lowest:
        return f"{chosen} no worse by more than chance than the lowest, {lowest:.4f}, of a view that is trusted less."
    return f"{chosen} the lowest."


def _spread(values: npt.NDArray[np.float64], sizes: npt.NDArray[np.int64]) -> list[float | None]:
    """Values of the live clusters → of all, ``None`` where there is none."""
    every = np.full(len(sizes), np.nan)
    every[sizes > 0] = values
    return [None if np.isnan(value) else float(value) for value in every]
