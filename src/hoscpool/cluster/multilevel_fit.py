"""A fit by the multilevel engine: the labels that minimise the objective, found without a network."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from hoscpool.cluster.assignment_net import VIEW, LabelHead
from hoscpool.cluster.choosing.choose_k import KSelection, best_k, check_range, judge
from hoscpool.cluster.choosing.consensus import agreement
from hoscpool.cluster.choosing.hierarchy import with_features
from hoscpool.cluster.engine import (
    RISING,
    Engine,
    Partition,
    RunOutcome,
    calibrate_weights,
    nested_communities,
    search_range,
    wide_range,
)
from hoscpool.cluster.fit import Result, Solution, similar_features
from hoscpool.cluster.inputs import (
    check_clusters,
    check_graph,
    check_motifs,
    edge_matrix,
    motif_matrices,
    without_directions,
)
from hoscpool.cluster.objective import cut_weights, cuts_motifs, method_motifs
from hoscpool.cluster.presets import MULTILEVEL, USUAL_K, only_a_network_has, resolve_settings
from hoscpool.cluster.run import ClusteringProgress
from hoscpool.cluster.unfinished import SavedRuns, checkpoints_of
from hoscpool.cluster.views.starts import Source
from hoscpool.graph import Graph
from hoscpool.objectives import check_weight, orthogonality_of
from hoscpool.support.progress import FitBar, Progress, waiting
from hoscpool.support.seeding import draw_seeds
from hoscpool.support.threads import resolve_jobs
from hoscpool.training import begun_seeds

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering

Labels = npt.NDArray[np.int64]

RUNS = 1
"""Runs where ``n_init`` is ``None``."""
WORTH_THREADS = 8192
"""On a smaller graph a second thread gains nothing."""


@dataclass(frozen=True)
class _Result(Result):
    """A run of the engine.

    Attributes:
        mu: μ of the search.
        seconds: CPU time.
        n_clusters: K; every cluster has a node.
    """

    mu: float = 0.0
    seconds: float = 0.0
    n_clusters: int = 1

    @property
    def summary(self) -> dict[str, Any]:
        """One line of the table of runs."""
        return {
            "start": self.start,
            "hard_objective": self.hard,
            "objective": self.progress.best,
            "levels": self.progress.epoch,
            "mu": self.mu,
            "live_clusters": self.n_clusters,
            "seconds": self.seconds,
        }


def solve_multilevel(model: HoscClustering, graph: Graph, built: bool, uses_features: bool = True) -> Solution:
    """Fit a graph, which was built of features or given, by the multilevel engine.

    Raises:
        ValueError: A parameter or the graph is not valid, or a parameter is one of a network.
        KeyboardInterrupt: Ctrl-C came before there were any clusters.
    """
    return _Fit(model, graph, built, uses_features).solve()


def other_restarts(model: HoscClustering, graph: Graph, built: bool, count: int, seed: int) -> list[Labels]:
    """Labels of further searches for as many clusters as a fitted model has, with another seed."""
    options = {"n_clusters": model.n_clusters_, "n_init": count, "random_state": seed, "verbose": 0, "checkpoint": None}
    fit = _Fit(clone(model).set_params(**options), graph, built, model.network_ is not None)
    return [run.labels.astype(np.int64) for run in fit.search(model.n_clusters_).runs]


def search_for_k(model: HoscClustering, graph: Graph, seed: int) -> _Fit:
    """The search that chooses K for a network: by links alone, with the motifs of the model."""
    from hoscpool.cluster.hosc_clustering import HoscClustering as Estimator

    options: dict[str, Any] = {"motifs": model.motifs, "mu": model.mu, "method": model.method, "n_jobs": model.n_jobs}
    searcher = Estimator("auto", **options, random_state=seed, verbose=model.verbose)
    return _Fit(searcher, graph, False, uses_features=False)


class _Fit:
    """What all searches of one fit share.

    Args:
        model: The estimator.
        graph: The graph with its features.
        built: Whether the graph was built of the features.
        uses_features: Whether features have a part in the clusters and in predictions.
    """

    def __init__(self, model: HoscClustering, graph: Graph, built: bool, uses_features: bool) -> None:
        _check_parameters(model)
        given = {"n_init": RUNS if model.n_init is None else model.n_init, "feature_weight": model.feature_weight}
        self.settings = resolve_settings("robust", given)
        self.model, self.motifs = model, method_motifs(model.method, model.motifs)
        self.mu, self.jobs = check_weight("mu", model.mu), resolve_jobs(model.n_jobs)
        seeds = begun_seeds(model.checkpoint, model.random_state, draw_seeds(model.random_state, 2))
        self.view_seed, self.seed = seeds
        check_graph(graph)
        self.checkpoints = checkpoints_of(model, graph, self.motifs, seeds, MULTILEVEL)
        if model.n_clusters != "auto":
            check_clusters(model.n_clusters, graph)
        with waiting(model.verbose, "counting motifs"):
            cuts = _count(graph, self.motifs, self.jobs)
        check_motifs(cuts)
        self.graph = without_directions(graph)
        self.uses_features = uses_features
        similar = {} if built or not uses_features else similar_features(model, self.source, self.settings)
        self.share = (self.settings.feature_weight or 0.0) if similar else 0.0
        if model.calibrate:
            self.motifs = self._calibrated(cuts)
        edges = {} if "edge" in cuts else {"edge": edge_matrix(self.graph)}  # for the coarsened graph
        weights = {**dict.fromkeys(edges, 0.0), **cut_weights(self.motifs, self.share)}
        threads = self.jobs if graph.num_nodes >= WORTH_THREADS else 1
        with waiting(model.verbose, "putting the matrices on one pattern"):
            self.engine = Engine({**edges, **cuts, **similar}, weights, n_threads=threads, validate=False)

    def _calibrated(self, cuts: Mapping[str, sp.csr_array]) -> dict[str, float]:
        """Calibrated weights of the motifs, see `calibrate_weights`."""
        k = min(USUAL_K, self.graph.num_nodes) if self.model.n_clusters == "auto" else int(self.model.n_clusters)
        with waiting(self.model.verbose, "comparing motifs with chance"):
            return calibrate_weights(cuts, self.motifs, k, random_state=self.view_seed)

    @cached_property
    def source(self) -> Source:
        """Where views of the features come from."""
        return Source(self.graph, {}, 1, self.view_seed)

    def solve(self) -> Solution:
        """All that the fit found."""
        selection = self.select_k() if self.model.n_clusters == "auto" else None
        k = int(self.model.n_clusters) if selection is None else selection.n_clusters
        found = self.search(k)
        runs: list[Result] = [self._result(number, run, k, found.mu) for number, run in enumerate(found.runs)]
        if found.is_interrupted:
            message = f"interrupted in run {len(runs)}: the best clustering so far is returned"
            warnings.warn(message, ConvergenceWarning, stacklevel=4)
        with waiting(self.model.verbose, "memberships"):
            shares, small = self.engine.ties(found.labels, k)
        kept = self._kept(found, k, shares)
        others = [run.labels for number, run in enumerate(found.runs) if number != found.kept]
        return Solution(
            kept,
            runs,
            self.motifs,
            with_features(small, found.labels, k, self.graph.features),
            self.share,
            k,
            selection,
            found.is_interrupted,
            agreement(found.labels, others),
            nested_communities(found, k),
            [labels.astype(np.int64) for labels in (found.labels, *others)],
        )

    def search(self, k: int) -> Partition:
        """All runs for K clusters."""
        consensus = self.model.consensus is None or self.model.consensus
        mus = (self.mu, *(mu for mu in RISING if mu > self.mu))
        saved = SavedRuns(self.checkpoints, mus, self.settings.n_init, self.graph.num_nodes, k, len(self.engine.names))
        with FitBar(self.model.verbose, 100) as bar:

            def show(step: str, share: float) -> None:
                bar.done = round(100 * share) - 1
                bar.advance(lambda: f"{step} ({self.graph.num_nodes:,} nodes, {k} clusters)")

            return self.engine.minimise_without_crumbs(
                k,
                mus,
                n_init=self.settings.n_init,
                select="agreement" if consensus else "value",
                random_state=self.seed,
                progress=show,
                memory=saved if self.model.checkpoint is not None else None,
            )

    def usual_range(self) -> tuple[int, ...]:
        """The numbers of clusters to try where none are given."""
        return wide_range(self.engine, self.view_seed)

    def select_k(self) -> KSelection:
        """K by the curves of the function `select_k`, over clusters that are merged on the coarsest graph."""
        if self.model.k_range is None:
            ks = self.usual_range()
        else:
            low, high = self.model.k_range
            ks = check_range(range(low, min(high, self.graph.num_nodes) + 1))
        words = "choosing the number of clusters" if self.model.verbose else None
        with Progress(words, len(ks)) as bar:
            rows = search_range(self.engine, ks, self.mu, self.view_seed, bar.advance)
        return best_k(ks, [judge(small, alike, self.motifs) for small, alike in rows])

    def _kept(self, found: Partition, k: int, shares: npt.NDArray[np.float32]) -> Result:
        head = feature_map = None
        if self.uses_features and self.source.has_features:
            with waiting(self.model.verbose, "fitting a head to the labels"):
                view, feature_map = self.source.input(VIEW)
                head = LabelHead.fit(view, found.labels.astype(np.int64), k)
        more = {"levels": [torch.from_numpy(shares)], "network": head, "feature_map": feature_map}
        return self._result(found.kept, found.runs[found.kept], k, found.mu, **more)

    def _result(self, number: int, run: RunOutcome, k: int, mu: float, **more: Any) -> Result:
        progress = ClusteringProgress(epoch=len(run.level_sizes), best=run.value)
        parts: dict[str, Any] = {"feature_map": None, "network": None, "levels": [], **more}
        return _Result(
            start=MULTILEVEL,
            progress=progress,
            hard=run.value + (1 - mu) * _balance(run.labels, k),
            number=number,
            mu=mu,
            seconds=run.seconds,
            n_clusters=k,
            **parts,
        )


def _count(graph: Graph, motifs: Mapping[str, float], n_threads: int | None) -> dict[str, sp.csr_array]:
    """The matrices of `motif_matrices`, with one byte for every entry of A where edges have no weights."""
    found = motif_matrices(graph, [name for name in motifs if name != "edge"], n_threads)
    return {name: edge_matrix(graph.undirected()) if name == "edge" else found[name] for name in motifs}


def _balance(labels: npt.NDArray[Any], k: int) -> float:
    """L_o of hard labels."""
    sizes = torch.from_numpy(np.bincount(labels, minlength=k).astype(np.float64))
    return float(orthogonality_of(sizes[None], sizes.sum()[None]))


def _check_parameters(model: HoscClustering) -> None:
    if not cuts_motifs(model.method):
        raise ValueError(
            f"method: expected 'hosc', 'hp-1' or 'hp-2' with solver='multilevel', got {model.method!r}; "
            "use solver='network' for the losses of other pools"
        )
    if given := only_a_network_has(model):
        raise ValueError(
            f"solver: 'multilevel' trains no network, so it has no {', '.join(given)}; "
            "leave this out, or use solver='network'"
        )
