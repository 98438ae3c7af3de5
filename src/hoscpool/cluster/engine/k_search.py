"""Clusters for every K of a range, merged on the coarsest graph: little more than the price of one search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from hoscpool.cluster.engine.coarsening import communities
from hoscpool.cluster.engine.first_partition import Found, improve_by_kicks, merge_and_refine, search
from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.cluster.engine.level import Labels, contract
from hoscpool.cluster.engine.multilevel import Engine

KICKS = 3
"""Kicks in a row without gain at every K."""
USUAL = 12
"""The largest K of a range that nobody gave, unless the graph has more communities."""
ROOM = 50
"""K for which a graph is coarsened to count its communities."""
EVERY = 20
"""Up to this K every number is tried; above, steps are a tenth."""


def wide_range(engine: Engine, seed: int) -> tuple[int, ...]:
    """Numbers of clusters to try: 2 to 12, or up to twice as many as modularity finds communities."""
    problem = engine.problem(min(ROOM, engine.num_nodes), 0.0)
    top = engine.ladder(problem, seed).levels[-1]
    labels, count = communities(problem, top, 1.0, np.random.default_rng(seed))
    volume = np.bincount(labels, top.degrees @ problem.scale.astype(np.float64), minlength=count)
    count = int(np.count_nonzero(volume * count >= 0.1 * volume.sum()))  # crumbs do not count
    high = min(max(USUAL, 2 * count), engine.num_nodes)
    ks = list(range(min(2, high), min(high, EVERY) + 1))
    while ks[-1] < high:
        ks.append(min(high, ks[-1] + max(1, ks[-1] // 10)))
    return tuple(ks)


def search_range(
    engine: Engine, ks: Sequence[int], mu: float, seed: int, advance: Callable[[int], None]
) -> list[tuple[dict[str, npt.NDArray[np.float64]], float]]:
    """For every K: the matrices between clusters by name, and how alike the clusters of two seeds are.

    The graph is coarsened once, for the largest K. There, two searches with different seeds find that many clusters.
    For every smaller K the clusters are merged, and nodes of the coarsest graph are moved.

    Args:
        engine: The matrices.
        ks: Numbers of clusters, rising.
        mu: Weight of the balance.
        seed: Seed.
        advance: Called when clusters for one more K are known.
    """
    top = engine.ladder(engine.problem(ks[-1], mu), seed).levels[-1]
    found = {}
    chains = [_fewer_and_fewer(engine, top, ks, mu, np.random.default_rng((seed, chain))) for chain in range(2)]
    for k, one, other in zip(reversed(ks), *chains, strict=True):
        best, alike = min(one, other, key=lambda found: found.value), likeness(one.labels, other.labels, top.sizes)
        found[k] = _between(engine, top, best.labels, k), alike
        advance(1)
    return [found[k] for k in ks]


def likeness(labels: Labels, others: Labels, sizes: npt.NDArray[np.float64]) -> float:
    """The adjusted Rand index of two labellings of nodes that stand for so many nodes each."""
    table = np.zeros((labels.max() + 1, others.max() + 1))
    np.add.at(table, (labels, others), sizes)
    both, rows, columns = (_pairs(counts) for counts in (table, table.sum(axis=1), table.sum(axis=0)))
    chance = rows * columns / max(_pairs(sizes.sum()), 1)
    most = (rows + columns) / 2
    return float((both - chance) / (most - chance)) if most > chance else 1.0


def _pairs(counts: npt.NDArray[np.float64]) -> float:
    return float(np.sum(counts * (counts - 1) / 2))


def _fewer_and_fewer(
    engine: Engine, top: Level, ks: Sequence[int], mu: float, rng: np.random.Generator
) -> Iterator[Found]:
    """Clusters for every K, the largest first."""
    current: Found | None = None
    for k in reversed(ks):
        problem = engine.problem(k, mu)
        if current is None:
            current = search(problem, top, rng, tries=2, kicks=KICKS)
        else:
            merged = merge_and_refine(problem, top, current.labels, int(current.labels.max()) + 1, rng)
            current = improve_by_kicks(problem, top, merged, rng, KICKS)
        yield current


def _between(engine: Engine, top: Level, labels: Labels, k: int) -> dict[str, npt.NDArray[np.float64]]:
    """The matrices between clusters, diagonal included."""
    small = contract(top, labels, k)
    rows = np.repeat(np.arange(k), np.diff(small.indptr))
    found = {}
    for j, name in enumerate(engine.names):
        found[name] = np.diag(small.loops[:, j])
        found[name][rows, small.indices] = small.data[:, j]
    return found
