"""One run of the search: clusters on the coarsest graph, refined on the way back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from hoscpool.cluster.engine.coarsening import Ladder
from hoscpool.cluster.engine.first_partition import search
from hoscpool.cluster.engine.kernels.tables import Clusters
from hoscpool.cluster.engine.level import Labels
from hoscpool.cluster.engine.problem import Problem
from hoscpool.cluster.engine.refinement import refine

Progress = Callable[[str, float], None]
"""Called with the step under way and the share of the work that is done."""


@dataclass(frozen=True)
class RunOutcome:
    """What one run found.

    Attributes:
        seed: Its seed.
        labels: Cluster of every node ``[N]``.
        value: F of the labels at the μ that was asked for.
        least_volume: Volume of the smallest cluster as a part of the mean one; volumes of matrices are weighed by α.
        levels: Community of every node of each level but the coarsest; the first array is over the given nodes.
        level_sizes: Number of nodes of every level.
        seconds: CPU time.
    """

    seed: int
    labels: Labels
    value: float
    least_volume: float
    levels: tuple[Labels, ...]
    level_sizes: tuple[int, ...]
    seconds: float


class Memory(Protocol):
    """Where finished runs are kept, so that the same search can go on after an interruption."""

    def recall(self, mu: float, number: int) -> RunOutcome | None:
        """The outcome of a run of an earlier attempt, or ``None``."""

    def keep(self, mu: float, number: int, outcome: RunOutcome) -> None:
        """Remember the outcome of a run."""


class NoMemory:
    """Nothing is kept."""

    def recall(self, mu: float, number: int) -> None:
        """Nothing."""

    def keep(self, mu: float, number: int, outcome: RunOutcome) -> None:
        """Nothing to do."""


@dataclass(frozen=True)
class SearchSettings:
    """How hard a run tries; see `Engine.minimise`."""

    finish_mu: float | None = None
    tries: int = 4
    kicks: int = 12


@dataclass
class SingleRun:
    """A run under way: what is known so far is worth keeping when Ctrl-C comes.

    Attributes:
        problem: The objective.
        settings: How hard it tries.
        seed: Its seed.
        make_ladder: Coarsens the graph, or finds that this was done before.
        report: See `Progress`.
    """

    problem: Problem
    settings: SearchSettings
    seed: int
    make_ladder: Callable[[], Ladder]
    report: Progress
    labels: Labels | None = None
    clusters: Clusters | None = None
    depth: int = 0
    began: float = field(default_factory=time.process_time)

    def go(self) -> None:
        """Coarsen, search, refine on the way back."""
        rng = np.random.default_rng(self.seed)
        self.report("coarsen", 0.0)
        self.ladder = self.make_ladder()
        self.report("search", 0.5)
        found = search(self.problem, self.ladder.levels[-1], rng, self.settings.tries, self.settings.kicks)
        self.labels, self.clusters, self.depth = found.labels, found.clusters, len(self.ladder.maps)
        while self.depth:
            self.report("refine", 1 - 0.4 * self.depth / len(self.ladder.maps))
            self._descend(rng)
        if self.settings.finish_mu is not None:
            problem = self.problem.at(self.settings.finish_mu)
            refine(problem, self.ladder.levels[0], self.labels, np.arange(len(self.labels), dtype=np.int32))
            self.clusters = None

    def _descend(self, rng: np.random.Generator) -> None:
        assert self.labels is not None
        labels = self.labels[self.ladder.maps[self.depth - 1]]
        n = len(labels)
        order = rng.permutation(n).astype(np.int32) if self.depth > 1 else np.arange(n, dtype=np.int32)
        self.clusters = refine(self.problem, self.ladder.levels[self.depth - 1], labels, order, self.clusters)
        self.labels, self.depth = labels, self.depth - 1

    def outcome(self) -> RunOutcome:
        """The labels so far, on the given nodes."""
        assert self.labels is not None
        levels = self.ladder.levels
        clusters = self.clusters or self.problem.measure(levels[self.depth], self.labels)
        return RunOutcome(
            self.seed,
            self.ladder.down(self.labels, self.depth),
            self.problem.value(clusters),
            self.problem.least_volume(clusters),
            self.ladder.maps,
            tuple(len(level.sizes) for level in levels),
            time.process_time() - self.began,
        )
