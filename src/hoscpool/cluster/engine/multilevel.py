"""Minimise the objective over labels: coarsen, find clusters on the coarsest graph, refine them on the way back."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster.engine.coarsening import coarsen
from hoscpool.cluster.engine.first_partition import search
from hoscpool.cluster.engine.input_checks import check_clusters_fit, check_count, check_matrices, check_weights_of
from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.cluster.engine.level import Labels, stack
from hoscpool.cluster.engine.problem import Problem
from hoscpool.cluster.engine.refinement import refine
from hoscpool.objectives import check_weight
from hoscpool.support.seeding import draw_seeds
from hoscpool.support.threads import resolve_threads

Progress = Callable[[str, float], None]
"""Called with the step under way and the share of the work that is done."""
Select = Literal["value", "agreement"]
SELECT: tuple[Select, ...] = ("value", "agreement")


@dataclass(frozen=True)
class RunOutcome:
    """What one run came to.

    Attributes:
        seed: Its seed.
        labels: Cluster of every node ``[N]``.
        value: F of the labels at the μ that was asked for.
        levels: Community of every node of each level but the coarsest; the first array is over the given nodes.
        level_sizes: Number of nodes of every level.
        seconds: CPU time.
    """

    seed: int
    labels: Labels
    value: float
    levels: tuple[Labels, ...]
    level_sizes: tuple[int, ...]
    seconds: float


@dataclass(frozen=True)
class Partition:
    """The clusters that `minimise_cut` found.

    Attributes:
        labels: Cluster of every node, int32 ``[N]``, from 0 to K − 1; every cluster has a node.
        value: F of the labels.
        levels: Community of every node of each level of the kept run; the first array is over the given nodes.
        runs: All runs.
        kept: Which of them the labels are from.
        is_interrupted: Whether Ctrl-C ended the search; the labels are the best so far.
    """

    labels: Labels
    value: float
    levels: tuple[Labels, ...]
    runs: tuple[RunOutcome, ...]
    kept: int
    is_interrupted: bool = False


def minimise_cut(
    matrices: Mapping[str, sp.csr_array],
    weights: Mapping[str, float],
    k: int,
    mu: float = 0.1,
    *,
    finish_mu: float | None = None,
    n_init: int = 1,
    select: Select = "value",
    tries: int = 4,
    kicks: int = 12,
    random_state: int | np.random.Generator | None = 0,
    n_threads: int | None = 1,
    validate: bool = True,
    progress: Progress | None = None,
) -> Partition:
    r"""K clusters that cut few motifs: the labels that minimise F, as far as a multilevel search finds them.

    .. math::
        F = \sum_j \alpha_j \mathcal{L}_{mc}^j + \mu \mathcal{L}_o

    is what `hoscpool.objectives.hosc_loss` gives for the one-hot assignment. A lower F is not always a better answer.
    Small μ lets small clusters be cut off, large μ asks for clusters of equal size; ``finish_mu`` takes the balance of
    a large μ as a start, and lets the border nodes go where a small one wants them.

    Args:
        matrices: Symmetric matrices ``[N, N]`` by name, with entries ≥ 0: motif adjacencies, or any other graphs.
        weights: α of every matrix.
        k: Number of clusters K, from 1 to N. All are used.
        mu: Weight μ of the term for clusters of equal size.
        finish_mu: μ of the last moves of single nodes; ``None``: the same.
        n_init: Runs with different seeds.
        select: Which run to keep: that of lowest F, or the one most like the others (adjusted Rand index).
        tries: Starts on the coarsest graph in each run.
        kicks: Perturbations in a row without gain after which a run stops to try.
        random_state: Seed. The same seed gives the same labels for any number of threads.
        n_threads: Number of threads; ``None``: one for every core.
        validate: Whether to check the matrices. Leave it out only for matrices that are known to be right.
        progress: See `Progress`.

    Returns:
        The clusters. After Ctrl-C: the best so far, if there are any yet.

    Raises:
        ValueError: An argument is not valid.

    Examples:
        >>> pair = sp.csr_array(np.array([[0.0, 1], [1, 0]]))
        >>> two_pairs = sp.block_diag([pair, pair], format="csr")
        >>> round(minimise_cut({"edge": sp.csr_array(two_pairs)}, {"edge": 1.0}, k=2).value, 9)
        -1.0
    """
    check_weights_of(matrices, weights)
    if validate:
        check_matrices(matrices)
    if select not in SELECT:
        raise ValueError(f"select: expected one of {', '.join(map(repr, SELECT))}, got {select!r}")
    level = stack(list(matrices.values()), resolve_threads(n_threads))
    alphas = np.array([weights[name] for name in matrices], dtype=np.float64)
    clusters = check_clusters_fit(k, len(level.sizes))
    problem = Problem.of(level, alphas, clusters, check_weight("mu", mu), resolve_threads(n_threads))
    last = None if finish_mu is None else check_weight("finish_mu", finish_mu)
    settings = _Settings(last, check_count("tries", tries, 1), check_count("kicks", kicks, 0))
    return _all_runs(
        problem,
        level,
        settings,
        draw_seeds(random_state, check_count("n_init", n_init, 1)),
        select,
        progress or _ignore,
    )


@dataclass(frozen=True)
class _Settings:
    finish_mu: float | None
    tries: int
    kicks: int


@dataclass
class _Run:
    """A run under way: what is known so far is worth keeping when Ctrl-C comes."""

    problem: Problem
    level: Level
    settings: _Settings
    seed: int
    report: Progress
    levels: list[Level] = field(default_factory=list)
    maps: list[Labels] = field(default_factory=list)
    labels: Labels | None = None
    depth: int = 0
    began: float = field(default_factory=time.process_time)

    def go(self) -> None:
        """Coarsen, search, refine on the way back."""
        rng = np.random.default_rng(self.seed)
        self.report("coarsen", 0.0)
        self.levels, self.maps = coarsen(self.problem, self.level, rng)
        self.report("search", 0.3)
        found = search(self.problem, self.levels[-1], rng, self.settings.tries, self.settings.kicks)
        self.labels, self.depth = found.labels, len(self.maps)
        while self.depth:
            self.report("refine", 1 - 0.5 * self.depth / len(self.maps))
            self._descend(rng)
        self._finish()

    def _descend(self, rng: np.random.Generator) -> None:
        assert self.labels is not None
        labels, level = self.labels[self.maps[self.depth - 1]], self.levels[self.depth - 1]
        n = len(labels)
        order = rng.permutation(n).astype(np.int32) if self.depth > 1 else np.arange(n, dtype=np.int32)
        refine(self.problem, level, labels, order)
        self.labels, self.depth = labels, self.depth - 1

    def _finish(self) -> None:
        if self.settings.finish_mu is not None and self.labels is not None:
            refine(
                self.problem.at(self.settings.finish_mu),
                self.level,
                self.labels,
                np.arange(len(self.labels), dtype=np.int32),
            )

    def outcome(self) -> RunOutcome:
        """The labels so far, on the given nodes."""
        assert self.labels is not None
        labels = self.labels
        for labels_below in self.maps[: self.depth][::-1]:
            labels = labels[labels_below]
        value = self.problem.value(self.problem.measure(self.level, labels))
        sizes = tuple(len(level.sizes) for level in self.levels)
        return RunOutcome(self.seed, labels, value, tuple(self.maps), sizes, time.process_time() - self.began)


def _all_runs(
    problem: Problem, level: Level, settings: _Settings, seeds: Sequence[int], select: Select, progress: Progress
) -> Partition:
    done, is_interrupted = list[RunOutcome](), False
    for number, seed in enumerate(seeds):

        def report(step: str, share: float, number: int = number) -> None:
            progress(step, (number + share) / len(seeds))

        run = _Run(problem, level, settings, seed, report)
        try:
            run.go()
        except KeyboardInterrupt:
            is_interrupted = True
            if run.labels is None and not done:
                raise
        if run.labels is not None:
            done.append(run.outcome())
        if is_interrupted:
            break
    progress("done", 1.0)
    kept = most_alike(done) if select == "agreement" else min(range(len(done)), key=lambda i: done[i].value)
    best = done[kept]
    return Partition(best.labels, best.value, best.levels, tuple(done), kept, is_interrupted)


def most_alike(runs: Sequence[RunOutcome]) -> int:
    """The run whose clusters are most like those of the others by the adjusted Rand index, the better of two alike."""
    likeness = [sum(adjusted_rand_score(one.labels, other.labels) for other in runs) for one in runs]
    return min(range(len(runs)), key=lambda i: (-round(float(likeness[i]), 9), runs[i].value))


def _ignore(step: str, share: float) -> None:
    """Nobody wants to know."""
