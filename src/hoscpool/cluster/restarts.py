"""Restarts from different starts, and the one that stands for the best of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from sklearn.exceptions import ConvergenceWarning
from torch import Tensor

from hoscpool.cluster.assignment_net import AssignmentNet, make_network
from hoscpool.cluster.choosing.consensus import best_of, equals_of_best, estimate_tolerance, favourites, representative
from hoscpool.cluster.objective import Objective
from hoscpool.cluster.presets import Settings
from hoscpool.cluster.run import ClusteringProgress, Run
from hoscpool.cluster.sparse_features import SparseTable
from hoscpool.cluster.views.embedding import kmeans
from hoscpool.cluster.views.feature_map import FeatureMap
from hoscpool.cluster.views.starts import Source, as_input
from hoscpool.objectives import Adjacency
from hoscpool.support.progress import FitBar
from hoscpool.training.checkpoint import Checkpoints


@dataclass(frozen=True)
class Result:
    """A finished run.

    Attributes:
        start: What the network sees.
        feature_map: What makes the same view of another graph, if anything does.
        network: With the parameters of the best epoch.
        levels: S of every level, the last one ``[N, K]``.
        progress: Epochs, best objective and history.
        hard: The hard objective by which runs are compared.
        equals: How many runs are as good as the best one, of which this one is most like the others.
        number: Which run it was.
    """

    start: str
    feature_map: FeatureMap | None
    network: AssignmentNet
    levels: list[Tensor]
    progress: ClusteringProgress
    hard: float
    equals: int = 1
    number: int = 0

    @property
    def summary(self) -> dict[str, Any]:
        """One line of the table of runs."""
        live = len(np.unique(self.levels[-1].argmax(dim=1).numpy()))
        return {
            "start": self.start,
            "hard_objective": self.hard,
            "objective": self.progress.best,
            "epochs": self.progress.epoch,
            "live_clusters": live,
        }


class Fitter:
    """Everything that the restarts of one fit share.

    Args:
        source: Where the starts come from.
        adjacency: A.
        objective: What is minimised.
        settings: How.
        sizes: Numbers of clusters of the levels.
        checkpoints: Where to keep unfinished runs.
        verbose: Whether to show a progress bar.
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
    ) -> None:
        self.source, self.adjacency, self.objective = source, adjacency, objective
        self.settings, self.sizes, self.checkpoints, self.verbose = settings, tuple(sizes), checkpoints, verbose

    def run_all(self, seeds: Sequence[int]) -> tuple[Result, list[Result], bool]:
        """The result to keep, all runs, the starts taken in turn, and whether Ctrl-C came; every run uses up a seed.

        Fewer runs when interrupted, but at least one: the one under way when Ctrl-C arrives counts with its best epoch.
        """
        starts = self.source.available(self.settings.starts)
        plan = list(zip(starts * self.settings.n_init, seeds, strict=False))
        results: list[Result] = []
        with FitBar(self.verbose, len(plan) * self.settings.max_epochs) as bar:
            for number, (start, seed) in enumerate(plan):
                result, interrupted = self._run(number, start, seed, bar)
                results.append(result)
                if interrupted:
                    done = f"run {number + 1} of {len(plan)}, epoch {result.progress.epoch}"
                    message = f"interrupted at {done}: the best clustering so far is returned"
                    warnings.warn(message, ConvergenceWarning, stacklevel=4)
                    return best_of(results), results, True
        return self._settle(results), results, False

    def _settle(self, results: list[Result]) -> Result:
        """The run that stands for the best ones, or the best one by itself."""
        if not self.settings.consensus:
            return best_of(results)
        tolerance = estimate_tolerance(results, self.source.graph.adjacency)
        equals = equals_of_best(favourites(results, tolerance), tolerance)
        return replace(representative(equals), equals=len(equals))

    def _run(self, number: int, start: str, seed: int, bar: FitBar) -> tuple[Result, bool]:
        table, feature_map = self.source.input(start)
        x = as_input(table)
        run = Run(
            self._network(x, seed), x, self.adjacency, self.objective, self.settings, partial(self._warm, x, seed)
        )
        bar.done = number * self.settings.max_epochs  # epochs that earlier runs did not need count as done
        ending = run.complete(self.checkpoints.of_run(number), bar, f"run {number + 1} ({start}): ")
        levels = run.assignments()
        hard = self.objective.hard(levels[-1].argmax(dim=1), self.sizes[-1])
        result = Result(start, feature_map, run.network, levels, run.progress, hard, number=number)
        return result, ending.reason == "interrupted"

    def _network(self, x: Tensor | SparseTable, seed: int) -> AssignmentNet:
        passing, hidden = self.settings.message_passing, self.settings.hidden
        network = make_network(x.shape[1], hidden, self.sizes, message_passing=passing, random_state=seed)
        if isinstance(x, Tensor) and not passing and x.numel() > 1 and (spread := x.std()) > 0:
            network.scale.copy_(1 / spread)
        return network

    def _warm(self, x: Tensor | SparseTable, seed: int) -> list[Tensor]:
        """The labels of k-means for every level; none where the features are sparse."""
        if not isinstance(x, Tensor):
            return []
        return [torch.from_numpy(kmeans(x.numpy(), k, random_state=seed, n_init=3)) for k in self.sizes]
