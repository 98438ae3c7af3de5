"""From an estimator's parameters and a graph to a fitted result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import scipy.sparse as sp
from sklearn.base import clone

from hoscpool.cluster.checks import check_clusters, check_graph, check_levels, check_motifs
from hoscpool.cluster.choosing.choose_k import STARTS, KSelection, judge_range
from hoscpool.cluster.inputs import as_operator, fingerprint, motif_matrices, without_directions
from hoscpool.cluster.objective import FEATURES, SIBLINGS, Objective, method_motifs
from hoscpool.cluster.presets import Settings, resolve_settings
from hoscpool.cluster.restarts import Fitter, Result
from hoscpool.cluster.views.similarity import follows_edges, similarity_graph
from hoscpool.cluster.views.starts import Source, inductive
from hoscpool.graph import Graph
from hoscpool.objectives import motif_weights
from hoscpool.support.progress import waiting
from hoscpool.support.seeding import draw_seeds
from hoscpool.training.checkpoint import Checkpoints, begun_seeds

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering


@dataclass(frozen=True)
class Solution:
    """All that a fit found.

    Attributes:
        kept: The result.
        runs: Every run.
        motifs: α of every motif.
        matrices: A without directions as ``"edge"``, A_M of every motif, and the graph of similar features, if the fit
            looked at one, as ``"features"``.
        feature_weight: Share of the cut on the graph of similar features, 0 without one.
        n_clusters: K.
        selection: The curve by which K was chosen, if it was.
        interrupted: Whether Ctrl-C ended it before its time.
    """

    kept: Result
    runs: list[Result]
    motifs: dict[str, float]
    matrices: dict[str, sp.csr_array]
    feature_weight: float
    n_clusters: int
    selection: KSelection | None
    interrupted: bool


def solve(model: HoscClustering, graph: Graph, built: bool) -> Solution:
    """Fit a graph, which was built of features or given.

    Raises:
        ValueError: A parameter or the graph is not valid.
    """
    settings = _settings(model, built)
    motifs = method_motifs(model.method, model.motifs)
    seeds = _seeds(model, settings)
    check_graph(graph)
    auto = model.n_clusters == "auto"
    selection = _select_k(model, graph, built, settings, seeds[0]) if auto else None
    k = check_clusters(model.n_clusters if selection is None else selection.n_clusters, graph)
    sizes = check_levels(model.levels, k, graph)
    matrices = motif_matrices(graph, motifs)
    check_motifs(matrices)
    undirected = without_directions(graph)
    operators = {name: as_operator(matrix) for name, matrix in matrices.items()}
    source, checkpoints = Source(undirected, matrices, k, seeds[0]), _checkpoints(model, graph, motifs, seeds)
    similar = {} if built else _similar_features(model, source, settings)
    share = (settings.feature_weight or 0.0) if similar else 0.0
    features = as_operator(similar[FEATURES]) if similar else None
    objective = Objective(
        model.method, operators, motifs, model.mu, model.volume, settings.schedule, features, share
    )  # fmt: skip
    adjacency = operators.get("edge") or as_operator(undirected.adjacency)
    fitter = Fitter(source, adjacency, objective, settings, sizes, checkpoints, model.verbose)
    kept, runs, interrupted = fitter.run_all(seeds[1:])
    matrices = {"edge": undirected.adjacency, **matrices, **similar}
    return Solution(kept, runs, motifs, matrices, share, k, selection, interrupted)


def _settings(model: HoscClustering, built: bool) -> Settings:
    settings = resolve_settings(model.preset, model.get_params(deep=False))
    if built and model.starts is None:  # new points must find their place in `predict`
        return replace(settings, starts=inductive(settings.starts))
    return settings


def _seeds(model: HoscClustering, settings: Settings) -> list[int]:
    """One for the starts, and one for every run."""
    drawn = draw_seeds(model.random_state, 1 + settings.n_init * len(settings.starts))
    return begun_seeds(model.checkpoint, model.random_state, drawn)


def _similar_features(model: HoscClustering, source: Source, settings: Settings) -> dict[str, sp.csr_array]:
    """The graph of similar features under its name, if this fit looks at one."""
    if model.method in SIBLINGS or not settings.feature_weight or not source.has_features:
        return {}
    with waiting(model.verbose, "comparing features"):
        if not follows_edges(source.table, source.graph.adjacency, source.random_state):
            return {}
        return {FEATURES: similarity_graph(source.table, model.n_neighbors, source.random_state)}


def _select_k(model: HoscClustering, graph: Graph, built: bool, settings: Settings, seed: int) -> KSelection:
    """K by the model's own objective, learned as ``"robust"`` does: the paper's single run is one draw."""
    low, high = model.k_range
    most = min(high, graph.num_nodes, *(size - 1 for size in model.levels or ()))
    judge = clone(model).set_params(preset="robust", feature_weight=settings.feature_weight or 0.0)
    own = settings.starts if model.starts is not None else inductive(STARTS) if built else STARTS
    return judge_range(judge, graph, range(low, most + 1), starts=own, built=built, seed=seed)


def _checkpoints(model: HoscClustering, graph: Graph, motifs: dict[str, float], seeds: list[int]) -> Checkpoints:
    """The folder of unfinished runs, under a key of everything that the result depends on besides the seeds."""
    given = model.get_params(deep=False) | {"schedule": _describe_schedule(model.schedule, motifs)}
    parameters = {name: value for name, value in given.items() if name not in ("random_state", "verbose", "checkpoint")}
    return Checkpoints(model.checkpoint, repr((parameters, fingerprint(graph))), seeds)


def _describe_schedule(schedule: Any, motifs: dict[str, float]) -> Any:
    """A schedule as a text that is the same in another process; a function by its name and some of its values."""
    if not callable(schedule):
        return schedule
    named = schedule if hasattr(schedule, "__qualname__") else type(schedule)
    values = [motif_weights(motifs, schedule, tenth / 10) for tenth in range(11)]
    return f"{named.__module__}.{named.__qualname__}", values
