"""One run of the search: clusters on the coarsest graph, refined on the way back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from hoscpool.cluster.engine.coarsening import Ladder
from hoscpool.cluster.engine.first_partition import search
from hoscpool.cluster.engine.kernels.tables import Clusters
from hoscpool.cluster.engine.level import Labels
from hoscpool.cluster.engine.problem import Problem
from hoscpool.cluster.engine.refinement import refine

Progress = Callable[[str, float], None]
"""Called with the step under way and the share of the work that is done."""
INTERVAL = 30.0
"""Seconds after which a run that is not done is saved."""


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


@dataclass(frozen=True)
class HalfWay:
    """A run that is not done.

    Attributes:
        maps: Community of every node of each level but the coarsest.
        labels: Cluster of every node of the level that the run has reached; ``None`` before there are any.
        clusters: The state of the clusters.
        depth: Steps from that level to the given graph.
        random: The state of the random numbers.
    """

    maps: tuple[Labels, ...]
    labels: Labels | None
    clusters: Clusters | None
    depth: int
    random: dict[str, Any]


class Memory(Protocol):
    """Where runs are kept, so that the same search can go on after an interruption."""

    def recall(self, mu: float, number: int) -> RunOutcome | None:
        """The outcome of a run of an earlier attempt, or ``None``."""

    def keep(self, mu: float, number: int, outcome: RunOutcome) -> None:
        """Remember the outcome of a run."""

    def resume(self, mu: float, number: int) -> HalfWay | None:
        """How far an earlier attempt came with a run, or ``None``."""

    def pause(self, mu: float, number: int, state: HalfWay) -> None:
        """Remember how far a run is."""


class NoMemory:
    """Nothing is kept."""

    def recall(self, mu: float, number: int) -> None:
        """Nothing."""

    def keep(self, mu: float, number: int, outcome: RunOutcome) -> None:
        """Nothing to do."""

    def resume(self, mu: float, number: int) -> None:
        """Nothing."""

    def pause(self, mu: float, number: int, state: HalfWay) -> None:
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
        make_ladder: Coarsens the graph, or finds that this was done before. Takes the maps of an earlier attempt.
        report: See `Progress`.
        begun: How far an earlier attempt came.
        save: Called with how far the run is, once it has taken `INTERVAL` seconds more.
    """

    problem: Problem
    settings: SearchSettings
    seed: int
    make_ladder: Callable[[Sequence[Labels] | None], Ladder]
    report: Progress
    begun: HalfWay | None = None
    save: Callable[[HalfWay], None] = lambda _: None
    labels: Labels | None = None
    clusters: Clusters | None = None
    depth: int = 0
    began: float = field(default_factory=time.process_time)
    saved: float = field(default_factory=time.monotonic)

    def go(self) -> None:
        """Coarsen, search, refine on the way back."""
        rng = np.random.default_rng(self.seed)
        self.report("coarsen", 0.0)
        self.ladder = self.make_ladder(None if self.begun is None else self.begun.maps)
        self._save(rng)
        self.report("search", 0.5)
        if self.begun is None or self.begun.labels is None:
            found = search(self.problem, self.ladder.levels[-1], rng, self.settings.tries, self.settings.kicks)
            self.labels, self.clusters, self.depth = found.labels, found.clusters, len(self.ladder.maps)
        else:
            rng.bit_generator.state = self.begun.random
            self.labels, self.clusters, self.depth = self.begun.labels, self.begun.clusters, self.begun.depth
        while self.depth:
            self._save(rng)
            self.report("refine", 1 - 0.4 * self.depth / len(self.ladder.maps))
            self._descend(rng)
        if self.settings.finish_mu is not None:
            problem = self.problem.at(self.settings.finish_mu)
            refine(problem, self.ladder.levels[0], self.labels, np.arange(len(self.labels), dtype=np.int32))
            self.clusters = None

    def _save(self, rng: np.random.Generator) -> None:
        if time.monotonic() - self.saved >= INTERVAL:
            self.save(HalfWay(self.ladder.maps, self.labels, self.clusters, self.depth, dict(rng.bit_generator.state)))
            self.saved = time.monotonic()

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
