"""Minimise the objective over labels: coarsen, find clusters on the coarsest graph, refine them on the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster.engine.coarsening import Ladder, coarsen, rebuild
from hoscpool.cluster.engine.level import Labels, stack
from hoscpool.cluster.engine.problem import (
    CRUMB,
    Problem,
    check_clusters_fit,
    check_count,
    check_matrices,
    check_weights_of,
    ties,
)
from hoscpool.cluster.engine.single_run import Memory, NoMemory, Progress, RunOutcome, SearchSettings, SingleRun
from hoscpool.objectives import check_weight
from hoscpool.support.seeding import draw_seeds
from hoscpool.support.threads import resolve_threads

Select = Literal["value", "agreement"]
SELECT: tuple[Select, ...] = ("value", "agreement")
RISING = (0.1, 0.3, 1.0)
"""Weights μ in the order in which they are tried."""


@dataclass(frozen=True)
class Partition:
    """The clusters that a search found.

    Attributes:
        labels: Cluster of every node, int32 ``[N]``, from 0 to K − 1; every cluster has a node.
        value: F of the labels.
        mu: μ of the search.
        levels: Community of every node of each level of the kept run; the first array is over the given nodes.
        runs: All runs.
        kept: Which of them the labels are from.
        is_interrupted: Whether Ctrl-C ended the search; the labels are the best so far.
    """

    labels: Labels
    value: float
    mu: float
    levels: tuple[Labels, ...]
    runs: tuple[RunOutcome, ...]
    kept: int
    is_interrupted: bool = False


class Engine:
    """Matrices on one pattern, ready for any number of searches.

    The given matrices are not needed any more once it is made.

    Args:
        matrices: Symmetric matrices ``[N, N]`` by name, with entries ≥ 0: motif adjacencies, or any other graphs.
        weights: α of every matrix.
        n_threads: Number of threads; ``None``: one for every core.
        validate: Whether to check the matrices. Leave it out only for matrices that are known to be right.

    Attributes:
        names: Names of the matrices.
        level: The graph.
        alphas: α of every matrix.

    Raises:
        ValueError: A matrix or a weight is not valid.
    """

    def __init__(
        self,
        matrices: Mapping[str, sp.csr_array],
        weights: Mapping[str, float],
        *,
        n_threads: int | None = 1,
        validate: bool = True,
    ) -> None:
        check_weights_of(matrices, weights)
        if validate:
            check_matrices(matrices)
        self.names, self.n_threads = tuple(matrices), resolve_threads(n_threads)
        self.level = stack(list(matrices.values()), self.n_threads)
        self.alphas = np.array([weights[name] for name in matrices], dtype=np.float64)
        self._ladder: tuple[tuple[int, int], Ladder] | None = None

    @property
    def num_nodes(self) -> int:
        """N."""
        return len(self.level.sizes)

    def problem(self, k: Any, mu: float) -> Problem:
        """The objective for K clusters.

        Raises:
            ValueError: K or μ is not valid.
        """
        clusters = check_clusters_fit(k, self.num_nodes)
        return Problem.of(self.level, self.alphas, clusters, check_weight("mu", mu), self.n_threads)

    def ladder(self, problem: Problem, seed: int, maps: Sequence[Labels] | None = None) -> Ladder:
        """Coarser graphs for K clusters. The last ones are kept, because searches with other μ begin with the same.

        ``maps`` are those of an earlier attempt with the same seed.
        """
        key = problem.k, seed
        if self._ladder is None or self._ladder[0] != key:
            rng = np.random.default_rng((seed, problem.k))
            made = coarsen(problem, self.level, rng) if maps is None else rebuild(problem, self.level, maps)
            self._ladder = key, made
        return self._ladder[1]

    def minimise(
        self,
        k: int,
        mu: float = 0.1,
        *,
        finish_mu: float | None = None,
        n_init: int = 1,
        select: Select = "value",
        tries: int = 4,
        kicks: int = 12,
        random_state: int | np.random.Generator | None = 0,
        progress: Progress | None = None,
        memory: Memory | None = None,
    ) -> Partition:
        """K clusters that minimise F, as far as the search finds them; see `minimise_cut`."""
        if select not in SELECT:
            raise ValueError(f"select: expected one of {', '.join(map(repr, SELECT))}, got {select!r}")
        problem = self.problem(k, mu)
        last = None if finish_mu is None else check_weight("finish_mu", finish_mu)
        settings = SearchSettings(last, check_count("tries", tries, 1), check_count("kicks", kicks, 0))
        seeds = draw_seeds(random_state, check_count("n_init", n_init, 1))
        return self._all_runs(problem, settings, seeds, select, progress or _ignore, memory or NoMemory())

    def minimise_without_crumbs(self, k: int, mus: Sequence[float] = RISING, **options: Any) -> Partition:
        """`minimise` with the first μ that gives no crumbs, or with the last.

        A small μ finds clusters of different size, as most graphs have them. But where small pieces hang on the rest by
        a few edges, cutting them off is the lowest cut of all. Volumes tell: no label is needed.

        Args:
            k: Number of clusters.
            mus: The weights to try.
            **options: As in `minimise`.
        """
        best: Partition | None = None
        for mu in mus:
            try:
                best = self.minimise(k, mu, **options)
            except KeyboardInterrupt:
                if best is None:
                    raise
                return replace(best, is_interrupted=True)
            if best.is_interrupted or best.runs[best.kept].least_volume >= CRUMB:
                break
        assert best is not None, "mus is empty"
        return best

    def ties(self, labels: Labels, k: int) -> tuple[npt.NDArray[np.float32], dict[str, npt.NDArray[np.float64]]]:
        """Memberships ``[N, K]`` and, by name, the matrices between clusters ``[K, K]``; see `ties`."""
        totals = self.level.degrees.sum(axis=0)
        scale = np.divide(self.alphas, totals, out=np.zeros_like(totals), where=totals > 0)
        shares, small = ties(self.level, scale, labels, k, self.n_threads)
        return shares, dict(zip(self.names, small, strict=True))

    def _all_runs(
        self,
        problem: Problem,
        settings: SearchSettings,
        seeds: Sequence[int],
        select: Select,
        progress: Progress,
        memory: Memory,
    ) -> Partition:
        done, is_interrupted = list[RunOutcome](), False
        for number, seed in enumerate(seeds):
            if (earlier := memory.recall(problem.mu, number)) is not None:
                done.append(earlier)
                continue

            def report(step: str, share: float, number: int = number) -> None:
                progress(step, (number + share) / len(seeds))

            begun, save = memory.resume(problem.mu, number), partial(memory.pause, problem.mu, number)
            run = SingleRun(problem, settings, seed, partial(self.ladder, problem, seed), report, begun, save)
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
            memory.keep(problem.mu, number, done[-1])
        progress("done", 1.0)
        kept = most_alike(done) if select == "agreement" else min(range(len(done)), key=lambda i: done[i].value)
        best = done[kept]
        return Partition(best.labels, best.value, problem.mu, best.levels, tuple(done), kept, is_interrupted)


def minimise_cut(
    matrices: Mapping[str, sp.csr_array],
    weights: Mapping[str, float],
    k: int,
    mu: float = 0.1,
    *,
    n_threads: int | None = 1,
    validate: bool = True,
    **options: Any,
) -> Partition:
    r"""K clusters that cut few motifs: the labels that minimise F, as far as a multilevel search finds them.

    .. math::
        F = \sum_j \alpha_j \mathcal{L}_{mc}^j + \mu \mathcal{L}_o

    is what `hoscpool.objectives.hosc_loss` gives for the one-hot assignment. A lower F is not always a better answer.
    Small μ lets small clusters be cut off, large μ asks for clusters of equal size; ``finish_mu`` takes the balance of
    a large μ as a start, and lets the border nodes go where a small one wants them.

    Args:
        matrices: See `Engine`.
        weights: α of every matrix.
        k: Number of clusters K, from 1 to N. All are used.
        mu: Weight μ of the term for clusters of equal size.
        n_threads: See `Engine`. The result does not depend on it.
        validate: See `Engine`.
        **options: ``finish_mu``, μ of the last moves of single nodes (``None``: the same); ``n_init``, runs with
            different seeds; ``select``, which run to keep: that of lowest F (``"value"``), or the one most like the
            others (``"agreement"``, adjusted Rand index); ``tries``, starts on the coarsest graph in each run;
            ``kicks``, perturbations in a row without gain after which a run stops to try; ``random_state``, the seed;
            ``progress``, see `Progress`; ``memory``, see `Memory`.

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
    return Engine(matrices, weights, n_threads=n_threads, validate=validate).minimise(k, mu, **options)


def nested_communities(found: Partition, k: int) -> list[Labels]:
    """The communities of the coarser graphs, finest first, cut along the clusters, so that each is in one cluster."""
    nested, of_nodes = list[Labels](), np.arange(len(found.labels), dtype=np.int32)
    for communities in found.levels:
        of_nodes = communities[of_nodes]
        pieces = of_nodes.astype(np.int64) * k + found.labels
        used = np.zeros(k * (int(of_nodes.max(initial=0)) + 1), np.bool_)
        used[pieces] = True
        nested.append((np.cumsum(used, dtype=np.int32) - 1)[pieces])
    return nested


def most_alike(runs: Sequence[RunOutcome]) -> int:
    """The run whose clusters are most like those of the others by the adjusted Rand index, the better of two alike."""
    if len(runs) == 1:
        return 0
    likeness = [sum(adjusted_rand_score(one.labels, other.labels) for other in runs) for one in runs]
    return min(range(len(runs)), key=lambda i: (-round(float(likeness[i]), 9), runs[i].value))


def _ignore(step: str, share: float) -> None:
    """Nobody wants to know."""
