"""The scores and sentences about a clustering, computed once for the terminal, the files and the page."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool import metrics
from hoscpool.graph import Graph
from hoscpool.report.clustering.answer import Answer, make_answer, told_motif
from hoscpool.support.errors import GraphWarning


@dataclass(frozen=True)
class Scores:
    """How good a clustering is, as a whole.

    Attributes:
        conductance: Mean over the clusters; small is good.
        motif_conductance: The same over every motif other than the edge.
        modularity: Large is good.
        nmi: Compared with the graph's classes, ``None`` without classes.
        accuracy: With clusters matched to classes one to one, ``None`` without classes.
    """

    conductance: float
    motif_conductance: dict[str, float]
    modularity: float
    nmi: float | None = None
    accuracy: float | None = None

    def lines(self) -> list[tuple[str, str]]:
        """Name and value of every score that is known."""
        values: dict[str, float | None] = {"conductance": self.conductance}
        values |= {f"{name} conductance": value for name, value in self.motif_conductance.items()}
        values |= {"modularity": self.modularity, "NMI": self.nmi, "matched accuracy": self.accuracy}
        return [(name, f"{value:.4f}") for name, value in values.items() if value is not None]


@dataclass(frozen=True)
class Cluster:
    """One cluster.

    Attributes:
        number: Its label.
        nodes: Number of nodes.
        confidence: Mean confidence of its nodes; ``None`` when empty or unknown.
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
    """A fitted model with its scores.

    Attributes:
        graph: The graph that was clustered.
        model: The fitted `HoscClustering`.
        scores: Of the whole clustering.
        clusters: Every cluster.
        seconds: Time of the fit, if it was measured.
    """

    graph: Graph
    model: Any
    scores: Scores
    clusters: list[Cluster]
    seconds: float | None

    @cached_property
    def answer(self) -> Answer:
        """What the communities are, and how clear they are, in words."""
        return make_answer(self.graph, self.model.labels_, told_motif(self.model.motifs_))


def score(graph: Graph, labels: Any, motifs: Iterable[str]) -> Scores:
    """Conductances, modularity and, if the graph has classes, the agreement with them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)  # about directions: the fit has warned already
        return Scores(
            conductance=metrics.conductance(graph, labels),
            motif_conductance={name: metrics.motif_conductance(graph, labels, name) for name in higher_order(motifs)},
            modularity=metrics.modularity(graph, labels),
            nmi=None if graph.labels is None else metrics.nmi(graph.labels, labels),
            accuracy=None if graph.labels is None else metrics.accuracy(graph.labels, labels),
        )


def describe_clusters(graph: Graph, model: Any) -> list[Cluster]:
    """Every cluster of a fitted `HoscClustering`, empty ones included."""
    count, labels = model.n_clusters_, model.labels_
    sizes, links = metrics.cluster_sizes(labels, count), model.coarse_.matrices["edge"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        edge = _spread(metrics.conductance(graph, labels, average=None), sizes)
        motif = {
            name: _spread(metrics.motif_conductance(graph, labels, name, average=None), sizes)
            for name in higher_order(model.motifs_)
        }
    mine = model.confidence_ if model.knows_confidence else None
    return [
        Cluster(
            number=k,
            nodes=int(sizes[k]),
            confidence=None if mine is None or not sizes[k] else float(mine[labels == k].mean()),
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
    """Why this run was kept, and how much the restarts agree, in a few sentences."""
    if model.agreement_ is None:
        return _why_kept(model)
    return f"{_why_kept(model)} Restarts agree with it by {model.agreement_:.2f} (adjusted Rand index, 1 is equal)."


def _why_kept(model: Any) -> str:
    objective, runs = f"{model.objective_:.4f}", model.runs_
    if is_multilevel(model):
        return _why_kept_multilevel(model, objective)
    if len(runs) == 1:
        return f"The objective of the labels (start {model.start_!r}) is {objective}."
    if model.n_equal_runs_ > 1:
        return (
            f"{model.n_equal_runs_} of {len(runs)} runs scored equally well, within chance. We kept run "
            f"{model.kept_run_ + 1} (start {model.start_!r}), which agrees best with the others. "
            f"The objective of its labels is {objective}."
        )
    chosen = f"We kept run {model.kept_run_ + 1} (start {model.start_!r}). The objective of its labels, {objective}, is"
    lowest = min(run["hard_objective"] for run in runs)
    if model.objective_ > lowest:
        return f"{chosen} within chance of the lowest, {lowest:.4f}, which comes from a less trusted start."
    return f"{chosen} the lowest."


def is_multilevel(model: Any) -> bool:
    """Whether the multilevel solver found the clusters of a fitted `HoscClustering`."""
    return bool(model.solver_ == "multilevel")


def why_solver(model: Any) -> str:
    """Which solver was taken and why, in one sentence."""
    return f"Solver: {model.solver_}, because {model.solver_reason_}."


def _why_kept_multilevel(model: Any, objective: str) -> str:
    used, count = model.runs_[model.kept_run_]["mu"], len(model.runs_)
    raised = (
        f" With a smaller μ than {used:g} a cluster was tiny, so μ was raised from {model.mu:g}."
        if used > model.mu
        else ""
    )
    if count == 1:
        return f"The objective of the labels is {objective}.{raised}"
    agrees = model.consensus is None or model.consensus
    reason = "agrees best with the others" if agrees else "has the lowest objective with weight μ"
    kept = f"Of {count} runs we kept run {model.kept_run_ + 1}, which {reason}."
    return f"{kept} The objective of its labels is {objective}.{raised}"


def _spread(values: npt.NDArray[np.float64], sizes: npt.NDArray[np.int64]) -> list[float | None]:
    """Values of the clusters in use → of all clusters, ``None`` for an empty one."""
    every = np.full(len(sizes), np.nan)
    every[sizes > 0] = values
    return [None if np.isnan(value) else float(value) for value in every]
