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
from sklearn.exceptions import ConvergenceWarning

from hoscpool.cluster.choosing.choose_k import KSelection, best_k, check_range, judge_labels, quiet
from hoscpool.cluster.engine import Partition, RunOutcome, minimise_without_crumbs
from hoscpool.cluster.engine.crumbs import RISING
from hoscpool.cluster.fit import Result, Solution, similar_features
from hoscpool.cluster.inputs import check_clusters, check_graph, check_motifs, motif_matrices, without_directions
from hoscpool.cluster.label_head import VIEW, LabelHead
from hoscpool.cluster.objective import cut_weights, cuts_motifs, method_motifs
from hoscpool.cluster.presets import resolve_settings
from hoscpool.cluster.run import ClusteringProgress
from hoscpool.cluster.views.starts import Source
from hoscpool.graph import Graph
from hoscpool.objectives import check_weight, orthogonality_of
from hoscpool.support.progress import FitBar, Progress, waiting
from hoscpool.support.seeding import draw_seeds
from hoscpool.support.threads import balanced_ranges, resolve_jobs

if TYPE_CHECKING:
    from hoscpool.cluster.hosc_clustering import HoscClustering

MULTILEVEL = "multilevel"
NETWORK_ONLY = ("max_epochs", "learning_rate", "hidden", "starts", "schedule", "levels", "patience", "checkpoint")
"""Parameters that only a network has."""
RUNS = 1
"""Runs where ``n_init`` is ``None``."""
ENTRIES = 5_000_000
"""Entries of a matrix that are added up at a time."""
WORTH_THREADS = 8192
"""On a smaller graph a second thread gains nothing."""
AHEAD = 1.001
"""A node's own cluster leads every other one in its memberships by this factor at least."""


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


def solve_multilevel(model: HoscClustering, graph: Graph, built: bool) -> Solution:
    """Fit a graph, which was built of features or given, by the multilevel engine.

    Raises:
        ValueError: A parameter or the graph is not valid, or a parameter is one of a network.
        KeyboardInterrupt: Ctrl-C came before there were any clusters.
    """
    return _Fit(model, graph, built).solve()


class _Fit:
    """What all searches of one fit share.

    Args:
        model: The estimator.
        graph: The graph with its features.
        built: Whether the graph was built of the features.
    """

    def __init__(self, model: HoscClustering, graph: Graph, built: bool) -> None:
        _check_parameters(model)
        given = {"n_init": RUNS if model.n_init is None else model.n_init, "feature_weight": model.feature_weight}
        self.settings = resolve_settings("robust", given)
        self.model, self.motifs = model, method_motifs(model.method, model.motifs)
        self.mu, self.jobs = check_weight("mu", model.mu), resolve_jobs(model.n_jobs)
        self.view_seed, self.seed = draw_seeds(model.random_state, 2)
        check_graph(graph)
        if model.n_clusters != "auto":
            check_clusters(model.n_clusters, graph)
        with waiting(model.verbose, "counting motifs"):
            cuts = motif_matrices(graph, self.motifs, self.jobs)
        check_motifs(cuts)
        self.graph = without_directions(graph)
        similar = {} if built else similar_features(model, self.source, self.settings)
        self.share = (self.settings.feature_weight or 0.0) if similar else 0.0
        self.matrices, self.weights = {**cuts, **similar}, cut_weights(self.motifs, self.share)

    @cached_property
    def source(self) -> Source:
        """Where views of the features come from."""
        return Source(self.graph, {}, 1, self.view_seed)

    def solve(self) -> Solution:
        """All that the fit found."""
        selection = self._select_k() if self.model.n_clusters == "auto" else None
        k = int(self.model.n_clusters) if selection is None else selection.n_clusters
        mu, found = self._search_with_bar(k)
        runs: list[Result] = [self._result(number, run, k, mu) for number, run in enumerate(found.runs)]
        kept = self._kept(found, k, mu)
        if found.is_interrupted:
            message = f"interrupted in run {len(runs)}: the best clustering so far is returned"
            warnings.warn(message, ConvergenceWarning, stacklevel=4)
        matrices = {"edge": self.graph.adjacency, **self.matrices}
        return Solution(kept, runs, self.motifs, matrices, self.share, k, selection, found.is_interrupted)

    def _search_with_bar(self, k: int) -> tuple[float, Partition]:
        consensus = self.model.consensus is None or self.model.consensus
        with FitBar(self.model.verbose, 100) as bar:

            def show(step: str, share: float) -> None:
                bar.done = round(100 * share) - 1
                bar.advance(lambda: f"{step} ({self.graph.num_nodes:,} nodes, {k} clusters)")

            select = "agreement" if consensus else "value"
            return self._search(k, self.seed, n_init=self.settings.n_init, select=select, progress=show)

    def _search(self, k: int, seed: int, **options: Any) -> tuple[float, Partition]:
        mus = (self.mu, *(mu for mu in RISING if mu > self.mu))
        threads = self.jobs if self.graph.num_nodes >= WORTH_THREADS else 1
        return minimise_without_crumbs(
            self.matrices, self.weights, k, mus, random_state=seed, n_threads=threads, validate=False, **options
        )

    def _select_k(self) -> KSelection:
        """K by two searches for every number of the range, as `select_k` does."""
        low, high = self.model.k_range
        ks = check_range(range(low, min(high, self.graph.num_nodes) + 1))
        seen, rows = {"edge": self.graph.adjacency, **self.matrices}, []
        words = "choosing the number of clusters" if self.model.verbose else None
        with quiet(), Progress(words, len(ks)) as bar:
            for k, seed in zip(ks, draw_seeds(self.view_seed, len(ks)), strict=True):
                pair = [self._search(k, number)[1] for number in (seed, seed + 1)]
                if any(found.is_interrupted for found in pair):
                    raise KeyboardInterrupt
                labels, others = (found.labels.astype(np.int64) for found in pair)
                rows.append(judge_labels(labels, others, k, seen, self.motifs))
                bar.advance(1)
        return best_k(ks, rows)

    def _kept(self, found: Partition, k: int, mu: float) -> Result:
        labels = found.labels.astype(np.int64)
        assignment = torch.from_numpy(memberships(self.matrices, self.weights, labels, k))
        head = feature_map = None
        if self.source.has_features:
            with waiting(self.model.verbose, "fitting a head to the labels"):
                view, feature_map = self.source.input(VIEW)
                head = LabelHead.fit(view, labels, k)
        more = {"levels": [assignment], "network": head, "feature_map": feature_map}
        return self._result(found.kept, found.runs[found.kept], k, mu, **more)

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


def memberships(
    matrices: Mapping[str, sp.csr_array], weights: Mapping[str, float], labels: npt.NDArray[np.int64], k: int
) -> npt.NDArray[np.float32]:
    """The share of every node's weight that goes to each cluster, ``[N, K]``.

    Weight is that of Σ_j α_j A^j / vol_j. Where another cluster has as much of it as the node's own one or more, the
    own one is put just ahead and the row is scaled to 1, so that the label is always the largest entry. A node without
    weight belongs to its own cluster alone.

    Args:
        matrices: Symmetric matrices ``[N, N]`` by name.
        weights: α of every matrix.
        labels: Cluster of every node.
        k: Number of clusters.
    """
    n = len(labels)
    shares = np.zeros((n, k), dtype=np.float32)
    for name, matrix in matrices.items():
        if (total := float(matrix.sum())) and weights[name]:
            shares += np.float32(weights[name] / total) * _weight_to(matrix, labels, k)
    nodes = np.arange(n)
    own = shares[nodes, labels]
    shares[nodes, labels] = -1
    shares[nodes, labels] = np.maximum(own, AHEAD * shares.max(axis=1))
    sums = shares.sum(axis=1)
    shares[nodes[sums <= 0], labels[sums <= 0]] = 1
    shares /= np.where(sums > 0, sums, 1)[:, None]
    return shares


def _weight_to(matrix: sp.csr_array, labels: npt.NDArray[np.int64], k: int) -> npt.NDArray[np.float32]:
    """The weight between every node and every cluster, ``[N, K]``."""
    sums = np.empty((len(labels), k), dtype=np.float32)
    for start, stop in balanced_ranges(matrix.indptr, 1 + matrix.nnz // ENTRIES):
        part = slice(matrix.indptr[start], matrix.indptr[stop])
        rows = np.repeat(np.arange(stop - start), np.diff(matrix.indptr[start : stop + 1]))
        places = rows * k + labels[matrix.indices[part]]
        sums[start:stop] = np.bincount(places, matrix.data[part], minlength=(stop - start) * k).reshape(-1, k)
    return sums


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
    given = [name for name in NETWORK_ONLY if getattr(model, name) is not None]
    given += [name for name, usual in (("preset", "robust"), ("volume", "soft")) if getattr(model, name) != usual]
    if given:
        raise ValueError(
            f"solver: 'multilevel' trains no network, so it has no {', '.join(given)}; "
            "leave this out, or use solver='network'"
        )
