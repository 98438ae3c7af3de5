"""From the given graph to a small one: communities become nodes, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.cluster.engine.kernels.joining import (
    UNSEEN,
    choose_communities,
    components,
    gather_twins,
    join_chosen,
    join_neighbours,
    renumber,
)
from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.cluster.engine.level import PARTS, Labels, block_of, contract, work_of
from hoscpool.cluster.engine.problem import Problem
from hoscpool.support.threads import RangeWorker, run_ranges

TARGET = 2000
"""Coarsening stops at this many nodes, or at `PER_CLUSTER` for every cluster."""
PER_CLUSTER = 20
RESOLUTION = 2.0
"""γ of coarsening for every cluster."""
SHARE = 10.0
"""A community of the coarsening holds at most 1 / (SHARE·K) of the volume."""
SWEEPS = 2
FEW_MOVES = 0.05
"""A sweep that moves a smaller share of the nodes is the last."""
SHRINKS = 0.9
"""Coarsening stops when a step leaves more than this share of the nodes."""
NO_CAP = np.inf


@dataclass(frozen=True)
class Ladder:
    """Coarser and coarser graphs.

    Attributes:
        levels: From the given graph to the coarsest.
        maps: The community of every node, of all levels but the last.
    """

    levels: tuple[Level, ...]
    maps: tuple[Labels, ...]

    def down(self, labels: Labels, depth: int | None = None) -> Labels:
        """Labels of the nodes of some level, or of the coarsest, as labels of the given nodes."""
        for labels_below in self.maps[:depth][::-1]:
            labels = labels[labels_below]
        return labels


def coarsen(problem: Problem, level: Level, rng: np.random.Generator) -> Ladder:
    """Coarsen a graph for K clusters or fewer. The weight of the balance has no part in it."""
    levels, maps = [level], list[Labels]()
    target = max(PER_CLUSTER * problem.k, TARGET)
    while len(levels[-1].sizes) > target:
        labels, count = _one_step(problem, levels[-1], rng, first=not maps)
        if count > SHRINKS * len(labels) or count < 2 * problem.k:
            break
        _append(problem, levels, maps, labels, count)
    pieces, count = tiny_pieces(problem, levels[-1])
    if problem.k <= count < len(pieces):
        _append(problem, levels, maps, pieces, count)
    return Ladder(tuple(levels), tuple(maps))


def rebuild(problem: Problem, level: Level, maps: Sequence[Labels]) -> Ladder:
    """The ladder with known maps."""
    levels, done = [level], list[Labels]()
    for labels in maps:
        _append(problem, levels, done, labels, int(labels.max(initial=-1)) + 1)
    return Ladder(tuple(levels), tuple(done))


def communities(problem: Problem, level: Level, gamma: float, rng: np.random.Generator) -> tuple[Labels, int]:
    """Communities by Louvain's method on w at resolution γ, and how many there are."""
    labels = np.arange(len(level.sizes), dtype=np.int32)
    while True:
        joined = join(problem, level, gamma, NO_CAP, rng.permutation(len(level.sizes)).astype(np.int32), sweeps=10)
        count = renumber(joined)
        labels = joined[labels]
        if count == len(joined):
            return labels, count
        level = contract(level, joined, count)


def join(
    problem: Problem,
    level: Level,
    gamma: float,
    cap: float,
    order: npt.NDArray[np.int32],
    sweeps: int = SWEEPS,
) -> Labels:
    """Communities by sweeps from single nodes: each joins its `best_community`. They are not numbered in a row.

    On a large graph the nodes of a block choose before any of them moves, so that threads can choose for them.
    """
    n = len(level.sizes)
    sweep = _sweep_in_turn if n < block_of(level) else _sweep_in_blocks
    labels, degree = np.arange(n, dtype=np.int32), level.degrees @ problem.scale.astype(np.float64)
    total = degree.copy()
    for _ in range(sweeps):
        if sweep(problem, (level, degree, gamma, cap), order, labels, total) < FEW_MOVES * n:
            break
    return labels


_Aim = tuple[Level, npt.NDArray[np.float64], float, float]
"""The graph, d of its nodes, the resolution and the cap."""


def _sweep_in_turn(problem: Problem, aim: _Aim, order: Any, labels: Labels, total: Any) -> int:
    return int(join_neighbours(problem.scale, *aim, order, labels, total, *_scratch(len(labels))))


def _sweep_in_blocks(problem: Problem, aim: _Aim, order: Any, labels: Labels, total: Any) -> int:
    level, degree, _, cap = aim
    block = block_of(level)
    moved, members = 0, np.bincount(labels, minlength=len(labels))
    for first in range(0, len(order), block):
        nodes = order[first : first + block]
        chosen, alone = _choices(problem, aim, nodes, labels, total), members[labels[nodes]] == 1
        moved += join_chosen(degree, cap, nodes, chosen, alone, labels, total, members)
    return moved


def _choices(problem: Problem, aim: _Aim, nodes: Any, labels: Labels, total: Any) -> Labels:
    """The community that each of the nodes would join as things stand."""
    chosen = np.empty(len(nodes), np.int32)

    def worker() -> RangeWorker:
        scratch = _scratch(len(labels))

        def choose(start: int, stop: int) -> None:
            choose_communities(problem.scale, *aim, nodes, start, stop, labels, total, chosen, *scratch)

        return choose

    run_ranges(worker, work_of(aim[0], nodes), PARTS, problem.n_threads)
    return chosen


def _scratch(n: int) -> tuple[npt.NDArray[np.float32], Labels]:
    return np.full(n, UNSEEN), np.empty(n + 1, np.int32)


def _one_step(problem: Problem, level: Level, rng: np.random.Generator, *, first: bool) -> tuple[Labels, int]:
    """Communities of about a cluster's tenth at most. The order is random, but natural on the given graph: faster."""
    n, cap = len(level.sizes), 1 / (SHARE * problem.k)
    order = np.arange(n, dtype=np.int32) if first else rng.permutation(n).astype(np.int32)
    labels = join(problem, level, RESOLUTION * problem.k, cap, order)
    count = renumber(labels)
    if count > SHRINKS * n:
        degree = level.degrees @ problem.scale.astype(np.float64)
        gather_twins(problem.scale, level, degree, cap, labels)
        count = renumber(labels)
    return labels, count


def tiny_pieces(problem: Problem, level: Level) -> tuple[Labels, int]:
    """Connected pieces that are small beside a cluster are put together; every other node stays alone."""
    n = len(level.sizes)
    piece, limit = np.empty(n, np.int32), 1 / (SHARE * problem.k)
    count = components(level, piece)
    volume = np.bincount(piece, level.degrees @ problem.scale.astype(np.float64), minlength=count)
    share = np.bincount(piece, level.sizes, minlength=count) / problem.num_nodes
    tiny = (volume < limit) & (share < limit)
    load = np.cumsum(np.where(tiny, np.maximum(volume, share), 0.0))
    labels = np.arange(n)
    labels[tiny[piece]] = n + (load * problem.k * SHARE / 2).astype(np.int64)[piece[tiny[piece]]]
    named = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    return named, int(named.max(initial=-1)) + 1


def _append(problem: Problem, levels: list[Level], maps: list[Labels], labels: Labels, count: int) -> None:
    levels.append(contract(levels[-1], labels, count, problem.n_threads))
    maps.append(labels)
