"""Fits a graph with an estimator's parameters: several runs from different starts, and the choice of one."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from torch import Tensor
from torch.nn import Module

from hoscpool.cluster.assignment_net import AssignmentNet, make_network
from hoscpool.cluster.block_model import ends_with_block_model, finish
from hoscpool.cluster.choosing.choose_k import STARTS, KSelection, best_in_range, quiet
from hoscpool.cluster.choosing.consensus import (
    agreement,
    best_of,
    estimate_tolerance,
    labels_of,
    representative,
    restart_agreement,
    same_start,
    tied_runs,
    trusted_kind,
)
from hoscpool.cluster.choosing.hierarchy import Coarse, coarsen
from hoscpool.cluster.closed_form import BLEND, ClosedForm, needs_no_training, portable_head
from hoscpool.cluster.engine import USUAL
from hoscpool.cluster.inputs import (
    as_operator,
    check_clusters,
    check_graph,
    check_levels,
    check_motifs,
    motif_matrices,
    without_directions,
)
from hoscpool.cluster.objective import FEATURES, Objective, cuts_motifs, method_motifs
from hoscpool.cluster.presets import Settings, only_a_network_has, resolve_settings
from hoscpool.cluster.run import ClusteringProgress, Run
from hoscpool.cluster.sparse_features import SparseTable
from hoscpool.cluster.unfinished import checkpoints_of
from hoscpool.cluster.views.embedding import kmeans
from hoscpool.cluster.views.feature_map import FeatureMap
from hoscpool.cluster.views.similarity import follows_edges, similarity_graph
from hoscpool.cluster.views.starts import Source, as_input, inductive
from hoscpool.graph import Graph
from hoscpool.objectives import Adjacency
from hoscpool.support.progress import FitBar, waiting
from hoscpool.support.seeding import draw_seeds
from hoscpool.support.threads import in_threads, resolve_jobs
from hoscpool.training import Checkpoints, begun_seeds, current_team

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering


@dataclass(frozen=True)
class Solution:
    """The result of a fit.

    Attributes:
        kept: The run that is kept.
        runs: Every run.
        motifs: α of every motif.
        coarse: The graph between the clusters: SᵀAS of A without directions as ``"edge"``, of every motif, and of the
            graph of similar features, if the fit used one, as ``"features"``.
        feature_weight: Share of the cut on the graph of similar features, 0 without one.
        n_clusters: K.
        selection: The curves by which K was chosen, or ``None`` if K was given.
        interrupted: Whether Ctrl-C ended the fit early.
        agreement: Mean adjusted Rand index between the kept run and other restarts; ``None`` without restarts.
        communities: Finer nested communities, finest first.
        restarts: Labels of the kept run, then of the other runs from its start.
    """

    kept: Result
    runs: list[Result]
    motifs: dict[str, float]
    coarse: Coarse
    feature_weight: float
    n_clusters: int
    selection: KSelection | None
    interrupted: bool
    agreement: float | None = None
    communities: Sequence[npt.NDArray[np.int32]] = ()
    restarts: Sequence[npt.NDArray[np.int64]] = ()


def solve(model: HoscClustering, graph: Graph, built: bool) -> Solution:
    """Fit a graph with an estimator's parameters. ``built`` says whether the graph was built from its features.

    Raises:
        ValueError: A parameter or the graph is not valid.
    """
    settings = _settings(model, built)
    motifs = method_motifs(model.method, model.motifs)
    seeds, jobs = _seeds(model, settings), resolve_jobs(model.n_jobs)
    check_graph(graph)
    auto = model.n_clusters == "auto"
    selection = _select_k(model, graph, built, settings, seeds[0]) if auto else None
    k = check_clusters(model.n_clusters if selection is None else selection.n_clusters, graph)
    sizes = check_levels(model.levels, k, graph)
    matrices = motif_matrices(graph, motifs, jobs)
    check_motifs(matrices)
    undirected = without_directions(graph)
    operators = {name: as_operator(matrix) for name, matrix in matrices.items()}
    source = Source(undirected, matrices, k, seeds[0], for_others=built)
    objective = Objective(model.method, operators, motifs, model.mu, model.volume, settings.schedule)
    similar: dict[str, sp.csr_array] = {}
    fitter: Fitter | ClosedForm
    share, fitter = 0.0, ClosedForm(source, objective, settings, k, model.verbose, jobs or 1)
    with waiting(model.verbose, "reading features"):
        trains = not needs_no_training(source, objective, settings, sizes)
    if trains:
        similar = {} if built else similar_features(model, source, settings)
        share = (settings.feature_weight or 0.0) if similar else 0.0
        features = as_operator(similar[FEATURES]) if similar else None
        objective = replace(objective, features=features, feature_weight=share)
        adjacency = operators.get("edge") or as_operator(undirected.adjacency)
        checkpoints = checkpoints_of(model, graph, motifs, seeds)
        fitter = Fitter(source, adjacency, objective, settings, sizes, checkpoints, model.verbose, jobs or 1)
    kept, runs, interrupted = fitter.run_all(seeds[1:])
    alike, same = restart_agreement(kept, runs), [kept, *same_start(kept, runs)]
    if not interrupted:
        with waiting(model.verbose, "block model of the links"):
            if ends_with_block_model(source, objective, settings, kept):
                same, search = finish(source, objective, same)
                kept, runs = same[0], [*runs, replace(search, number=len(runs))]
                kept = replace(kept, number=len(runs) - 1) if kept.start == search.start else kept
                labels, *others = labels_of(same)
                alike = agreement(labels, others)
    matrices = {"edge": undirected.adjacency, **matrices, **similar}
    coarse = coarsen(kept.levels[-1].argmax(dim=1).numpy(), k, matrices, graph.features)
    return Solution(kept, runs, motifs, coarse, share, k, selection, interrupted, alike, restarts=labels_of(same))


def _settings(model: HoscClustering, built: bool) -> Settings:
    settings = resolve_settings(model.preset, model.get_params(deep=False))
    if built and model.starts is None:  # `predict` must work for new points
        return replace(settings, starts=inductive(settings.starts))
    return settings


def _seeds(model: HoscClustering, settings: Settings) -> list[int]:
    """One seed for the starts, and one for every run."""
    most = len(settings.starts) + settings.starts.count(BLEND)  # two starts can take the place of the blend
    drawn = draw_seeds(model.random_state, 1 + settings.n_init * most)
    return begun_seeds(model.checkpoint, model.random_state, drawn)


def similar_features(model: HoscClustering, source: Source, settings: Settings) -> dict[str, sp.csr_array]:
    """The graph of similar features under its name; empty if this fit does not use one."""
    if not cuts_motifs(model.method) or not settings.feature_weight or not source.has_features:
        return {}
    with waiting(model.verbose, "comparing features"):
        if not follows_edges(source.table, source.graph.adjacency, source.random_state):
            return {}
        return {FEATURES: similarity_graph(source.table, model.n_neighbors, source.random_state)}


def _select_k(model: HoscClustering, graph: Graph, built: bool, settings: Settings, seed: int) -> KSelection:
    """Choose K by the model's own objective, trained like ``"robust"``. A single run depends too much on chance.

    Where no range is given, the links say how far to go. If there are links alone, and nothing asks for a network, a
    search for the labels judges every K, which takes a small part of the time.
    """
    from hoscpool.cluster.multilevel_fit import search_for_k  # which imports this file

    if model.k_range is None:
        ks: Sequence[int] = range(2, min(USUAL, graph.num_nodes) + 1)
        if graph.num_edges and cuts_motifs(model.method) and not built:
            with quiet():
                search = search_for_k(model, graph, seed)
                if graph.features is None and not only_a_network_has(model):
                    return search.select_k()
                ks = thinned(search.usual_range())
    else:
        ks = range(model.k_range[0], min(model.k_range[1], graph.num_nodes) + 1)
    ks = [k for k in ks if k < min(model.levels or (graph.num_nodes + 1,))]
    weight = model.feature_weight if model.preset == "robust" else settings.feature_weight or 0.0
    robust = clone(model).set_params(preset="robust", feature_weight=weight)
    own = settings.starts if model.starts is not None else inductive(STARTS) if built else STARTS
    return best_in_range(robust, graph, ks, starts=own, built=built, seed=seed)


def thinned(ks: Sequence[int], factor: float = 1.2) -> list[int]:
    """Numbers of clusters with larger steps beyond the usual ones: each costs two fits.

    >>> thinned([2, 3, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22])
    [2, 3, 11, 12, 15, 18, 22]
    """
    kept: list[int] = []
    for k in ks:
        if k <= USUAL or k >= factor * kept[-1]:
            kept.append(k)
    return kept


@dataclass(frozen=True)
class Result:
    """A finished run.

    Attributes:
        start: Name of the view that the run started from.
        feature_map: Computes the same view of another graph; ``None`` if that is impossible.
        network: The network with the parameters of the best epoch; in closed form and of the multilevel solver: the
            head that predicts the labels, or ``None`` without features.
        levels: S of every level, the last one ``[N, K]``.
        progress: Epochs, best objective and history.
        hard: The objective of the labels, by which runs are compared.
        equals: Number of tied runs, from which this one was chosen.
        number: Number of the run.
    """

    start: str
    feature_map: FeatureMap | None
    network: Module | None
    levels: list[Tensor]
    progress: ClusteringProgress
    hard: float
    equals: int = 1
    number: int = 0

    @property
    def summary(self) -> dict[str, Any]:
        """The entry of this run in `runs_`."""
        live = len(np.unique(self.levels[-1].argmax(dim=1).numpy()))
        return {
            "start": self.start,
            "hard_objective": self.hard,
            "objective": self.progress.best,
            "epochs": self.progress.epoch,
            "live_clusters": live,
        }


class Fitter:
    """Everything that the runs of one fit share.

    Args:
        source: Computes the starts.
        adjacency: A.
        objective: The objective to minimise.
        settings: Settings of the training.
        sizes: Numbers of clusters of the levels.
        checkpoints: Save unfinished runs.
        verbose: Whether to show a progress bar.
        n_jobs: Runs at a time.
    """

    def __init__(
        self,
        source: Source,
        adjacency: Adjacency,
        objective: Objective,
        settings: Settings,
        sizes: Sequence[int],
        checkpoints: Checkpoints,
        verbose: int = 0,
        n_jobs: int = 1,
    ) -> None:
        self.source, self.adjacency, self.objective = source, adjacency, objective
        self.settings, self.sizes, self.checkpoints, self.verbose = settings, tuple(sizes), checkpoints, verbose
        team = current_team()
        self.n_jobs, self._lock = n_jobs if team is None else 1, threading.Lock()
        self._new_run = Run if team is None else team.clustering_run

    def run_all(self, seeds: Sequence[int]) -> tuple[Result, list[Result], bool]:
        """Do all runs, each with the next seed. Returns the run to keep, all runs, and whether Ctrl-C came.

        The starts take turns. Results do not depend on how many runs there are at a time. An interrupted run counts
        with its best epoch, if it has one.

        Raises:
            KeyboardInterrupt: Ctrl-C before the end of the first epoch of the first run: there are no clusters yet.
        """
        starts = self.source.available(self.settings.starts)
        plan = list(zip(starts * self.settings.n_init, seeds, strict=False))
        stop = threading.Event()
        with FitBar(self.verbose, len(plan) * self.settings.max_epochs) as bar:
            runs = [
                partial(self._run, number, start, seed, bar.part(self.settings.max_epochs), stop)
                for number, (start, seed) in enumerate(plan)
            ]
            results = [result for result in in_threads(runs, self.n_jobs, stop) if result is not None]
        if not stop.is_set():
            return self._choose(results), results, False
        if not results:
            raise KeyboardInterrupt
        last = results[-1]
        done = f"run {last.number + 1} of {len(plan)}, epoch {last.progress.epoch}"
        message = f"interrupted at {done}: the best clustering so far is returned"
        warnings.warn(message, ConvergenceWarning, stacklevel=4)
        return best_of(results), results, True

    def _choose(self, results: list[Result]) -> Result:
        """The tied run that agrees best with the others; without ``consensus`` the best run."""
        if not self.settings.consensus:
            return best_of(results)
        tolerance = estimate_tolerance(results, self.source.graph.adjacency)
        tied = tied_runs(trusted_kind(results, tolerance), tolerance)
        return replace(representative(tied), equals=len(tied))

    def _run(self, number: int, start: str, seed: int, bar: FitBar, stop: threading.Event) -> Result | None:
        """One run. ``None`` if Ctrl-C came before the end of its first epoch."""
        try:
            return self._train(number, start, seed, bar, stop)
        except KeyboardInterrupt:
            stop.set()
            return None

    def _train(self, number: int, start: str, seed: int, bar: FitBar, stop: threading.Event) -> Result:
        with self._lock:  # runs from the same start share its table
            table, feature_map = self.source.input(start)
        x = as_input(table)
        warm, network = partial(self._warm, x, seed), self._network(x, seed)
        run = self._new_run(network, x, self.adjacency, self.objective, self.settings, warm, stop)
        with bar:
            ending = run.complete(self.checkpoints.of_run(number), bar, f"run {number + 1} ({start}): ")
        if ending.reason == "interrupted":
            stop.set()
        levels = run.result()
        hard = self.objective.hard(levels[-1].argmax(dim=1), self.sizes[-1])
        result = Result(start, feature_map, run.network, levels, run.progress, hard, number=number)
        return replace(result, network=portable_head(self.source, result)) if start == BLEND else result

    def _network(self, x: Tensor | SparseTable, seed: int) -> AssignmentNet:
        passing, hidden = self.settings.message_passing, self.settings.hidden
        network = make_network(x.shape[1], hidden, self.sizes, message_passing=passing, random_state=seed)
        if isinstance(x, Tensor) and not passing and x.numel() > 1 and (spread := x.std()) > 0:
            network.scale.copy_(1 / spread)
        return network

    def _warm(self, x: Tensor | SparseTable, seed: int) -> list[Tensor]:
        """The labels of k-means for every level; empty if the features are sparse."""
        if not isinstance(x, Tensor):
            return []
        return [torch.from_numpy(kmeans(x.numpy(), k, random_state=seed, n_init=3)) for k in self.sizes]
