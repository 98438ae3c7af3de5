"""K clusters on the coarsest graph: several cheap tries, recombined, then kicked while that helps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hoscpool.cluster.engine.coarsening import NO_CAP, RESOLUTION, communities, join
from hoscpool.cluster.engine.kernels.greedy_merging import merge_to
from hoscpool.cluster.engine.kernels.joining import renumber
from hoscpool.cluster.engine.kernels.tables import Clusters, Level
from hoscpool.cluster.engine.level import Labels, contract
from hoscpool.cluster.engine.problem import CRUMB, Problem
from hoscpool.cluster.engine.refinement import refine

RAISE = 1.7
"""Factor of the resolution while communities are too few."""
RAISES = 12
KICK_WORK = 600_000
"""Entries of the graph times kicks in a row without gain: fewer kicks on a graph where each takes long."""
SAME = 1e-4
"""Two tries that are this near in F have probably found the same clusters, and are enough."""
BETTER = 1e-9
"""A smaller difference of F is rounding."""


@dataclass(frozen=True)
class Found:
    """Labels on some level, F of them, and the state of their clusters."""

    value: float
    labels: Labels
    clusters: Clusters


def search(problem: Problem, level: Level, rng: np.random.Generator, tries: int, kicks: int) -> Found:
    """The best of several ways to K clusters.

    Args:
        problem: The objective.
        level: The graph, with at least K nodes.
        rng: Where chance comes from.
        tries: Most starts from Louvain communities.
        kicks: Kicks in a row without gain after which to stop.
    """
    pool, gamma, agree = list[Found](), 1.0, False
    for attempt in range(tries):
        pieces, count, gamma = _enough_communities(problem, level, gamma, rng)
        pool.append(merge_and_refine(problem, level, pieces, count, rng))
        agree = any(abs(found.value - pool[-1].value) < SAME for found in pool[:-1])
        if agree:
            break
        gamma *= 1.5 if attempt % 2 else 1.0
    best = _recombine(problem, level, sorted(pool, key=lambda found: found.value), rng)
    affordable = KICK_WORK // max(len(level.indices), 1)
    if agree and affordable < kicks:  # where a kick is dear, two tries that agree are enough: on planted graphs
        return best  # kicks took an eighth of the fit and never lowered F
    return improve_by_kicks(problem, level, best, rng, min(kicks, affordable))


def _enough_communities(
    problem: Problem, level: Level, gamma: float, rng: np.random.Generator
) -> tuple[Labels, int, float]:
    """At least K communities that are no crumbs, their number and the resolution; single nodes where none gives them.

    Isolated nodes and tiny pieces are communities too. If they counted, they would take the places of clusters, and no
    move of a single node could give those back.
    """
    volumes = level.degrees @ problem.scale.astype(np.float64)
    for _ in range(RAISES):
        labels, count = communities(problem, level, gamma, rng)
        if np.count_nonzero(np.bincount(labels, volumes, minlength=count) >= CRUMB / problem.k) >= problem.k:
            return labels, count, gamma
        gamma *= RAISE
    return np.arange(len(level.sizes), dtype=np.int32), len(level.sizes), 1.0


def merge_and_refine(problem: Problem, level: Level, pieces: Labels, count: int, rng: np.random.Generator) -> Found:
    """Merge pieces to K clusters, and move nodes."""
    labels = pieces.copy()
    if count > problem.k:
        labels = merge_to(problem.rule, contract(level, pieces, count), problem.k)[pieces]
    return _refined(problem, level, labels, rng)


def _refined(problem: Problem, level: Level, labels: Labels, rng: np.random.Generator) -> Found:
    """Move nodes; the labels are changed."""
    clusters = refine(problem, level, labels, rng.permutation(len(labels)).astype(np.int32))
    return Found(problem.value(clusters), labels, clusters)


def overlay(a: Labels, b: Labels) -> tuple[Labels, int]:
    """The pieces on which two partitions agree, and how many there are."""
    key = a.astype(np.int64) * (int(b.max(initial=0)) + 1) + b
    pieces = np.unique(key, return_inverse=True)[1].astype(np.int32)
    return pieces, int(pieces.max(initial=-1)) + 1


def _recombine(problem: Problem, level: Level, pool: list[Found], rng: np.random.Generator) -> Found:
    """Overlay the best partition with each of the others, merge back to K, and keep what is better."""
    best = pool[0]
    for other in pool[1:]:
        found = merge_and_refine(problem, level, *overlay(best.labels, other.labels), rng)
        if found.value < best.value - BETTER:
            best = found
    return best


def improve_by_kicks(problem: Problem, level: Level, best: Found, rng: np.random.Generator, patience: int) -> Found:
    """Perturb and refine; keep what is better, and stop after so many kicks in a row that were not."""
    failures = 0
    while failures < patience and 1 < problem.k < len(best.labels):
        kick = _break_up if failures % 2 == 0 else _shake
        found = kick(problem, level, best.labels, rng)
        is_better = found.value < best.value - BETTER
        best, failures = (found, 0) if is_better else (best, failures + 1)
    return best


def _break_up(problem: Problem, level: Level, labels: Labels, rng: np.random.Generator) -> Found:
    """Break a cluster and some of its neighbours into pieces, and merge them anew."""
    graph = contract(level, labels, problem.k)
    first = int(rng.integers(problem.k))
    near = graph.indices[graph.indptr[first] : graph.indptr[first + 1]]
    others = rng.choice(near, min(len(near), int(rng.integers(1, 4))), replace=False) if len(near) else near
    broken = np.isin(labels, np.append(others, first))
    gamma = RESOLUTION * problem.k * 4 ** rng.uniform(-1, 1)
    pieces = join(problem, level, gamma, NO_CAP, rng.permutation(len(labels)).astype(np.int32))
    renumber(pieces)
    return merge_and_refine(problem, level, *overlay(labels, np.where(broken, pieces + 1, 0).astype(np.int32)), rng)


def _shake(problem: Problem, level: Level, labels: Labels, rng: np.random.Generator) -> Found:
    """Give some nodes the cluster of a random node."""
    shaken, share = labels.copy(), rng.uniform(0.02, 0.3)
    moved = np.flatnonzero(rng.random(len(labels)) < share)
    shaken[moved] = labels[rng.integers(len(labels), size=len(moved))]
    if len(np.unique(shaken)) < problem.k:
        shaken = labels.copy()
    return _refined(problem, level, shaken, rng)
