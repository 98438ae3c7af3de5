"""Merge clusters two by two, always those that lower the objective most (or raise it least), until K are left.

Every cluster has a list of its neighbours and one entry in a heap: the gain of merging it with its best neighbour. A
merge updates only the entry of the new cluster. Entries of others may then be too high. But the gain of a pair is
exact in the entry of the one that changed last, so no pair is missed. The top entry is computed again before it is
believed. So the order of merges is that of an exact greedy method, without a table of all pairs.

Clusters that are not neighbours can be merged too. A second heap holds the clusters by their score, the lowest on top.
A few of the lowest are tried with each other before every merge.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hoscpool.cluster.engine.kernels.heap import Heap, make_heap, put, take
from hoscpool.cluster.engine.kernels.score import changed_score, fill_scores, score_of
from hoscpool.cluster.engine.kernels.tables import Clusters, Level, Rule
from hoscpool.support.compiled import compiled

Array = Any

FEW = 4
"""Clusters of low score that are tried with each other."""
NONE = -1e300
"""The gain of a cluster without neighbours."""


class Lists(NamedTuple):
    """Neighbours of every cluster, at places ``begin[x]`` to ``end[x]`` of a pool.

    Attributes:
        into: The cluster that each one was merged into, or itself.
        begin: Where a list begins.
        end: Where it ends.
        to: The neighbours; some may have been merged away since.
        ties: What ties the two ``[pool, J]``.
        slot: Scratch of `_tidy`, all −1.
        spare: Room for all lists, half as long as ``to``.
        spare_ties: The same for ``ties``.
    """

    into: Array
    begin: Array
    end: Array
    to: Array
    ties: Array
    slot: Array
    spare: Array
    spare_ties: Array


def merge_to(rule: Rule, level: Level, k: int) -> Array:
    """Merge the nodes of a level until ``k`` clusters are left; returns the cluster of every node, int32."""
    n, lanes = level.degrees.shape
    state = level.loops.copy(), level.degrees.copy(), level.sizes.copy(), np.ones(n, np.int64), np.empty(n)
    heaps, partner = (make_heap(n), make_heap(n)), np.full(n, -1, np.int32)
    lists = _make_lists(level)
    _merge(rule, Clusters(*state), lists, *heaps, partner, np.empty(FEW, np.int32), np.zeros((1, lanes)), k)
    labels: Array = np.empty(n, np.int32)
    _number_roots(lists.into, np.full(n, -1, np.int32), labels)
    return labels


def _make_lists(level: Level) -> Lists:
    """The neighbours of every node. All lists together never grow, so twice their length is room enough."""
    n, count = len(level.sizes), len(level.indices)
    to, ties = np.empty(2 * count, np.int32), np.empty((2 * count, level.data.shape[1]))
    to[:count], ties[:count] = level.indices, level.data
    into, slot = np.arange(n, dtype=np.int32), np.full(n, -1, np.int64)
    begin, end = level.indptr[:-1].copy(), level.indptr[1:].copy()
    return Lists(into, begin, end, to, ties, slot, np.empty(count, np.int32), np.empty((count, level.data.shape[1])))


@compiled()
def _merge(
    rule: Rule,
    clusters: Clusters,
    lists: Lists,
    gains: Heap,
    losses: Heap,
    partner: Array,
    few: Array,
    apart: Array,
    k: int,
) -> None:
    n, used = len(partner), len(lists.spare)
    fill_scores(rule, clusters)
    for x in range(n):
        put(gains, x, _best_partner(rule, clusters, lists, x, partner))
        put(losses, x, -clusters.scores[x])
    for _ in range(n - k):
        x, gain = _settle_top(rule, clusters, lists, gains, partner)
        x, y = _try_lowest(rule, clusters, losses, few, apart, x, partner[x], gain)
        _absorb(rule, clusters, lists, x, y)
        take(gains, y)
        take(losses, y)
        used = _join_lists(lists, x, y, used)
        _tidy(lists, x)
        put(gains, x, _best_partner(rule, clusters, lists, x, partner))
        put(losses, x, -clusters.scores[x])


@compiled()
def _root(into: Array, c: int) -> int:
    while into[c] != c:
        into[c] = into[into[c]]
        c = into[c]
    return c


@compiled()
def _tidy(lists: Lists, x: int) -> None:
    """Point the list of x at living clusters, one entry for each, without x itself."""
    stop = lists.begin[x]
    for p in range(lists.begin[x], lists.end[x]):
        c = _root(lists.into, lists.to[p])
        if c == x:
            continue
        at = lists.slot[c]
        if at < 0:
            lists.slot[c], lists.to[stop] = stop, c
            for j in range(lists.ties.shape[1]):
                lists.ties[stop, j] = lists.ties[p, j]
            stop += 1
        else:
            for j in range(lists.ties.shape[1]):
                lists.ties[at, j] += lists.ties[p, j]
    lists.end[x] = stop
    for p in range(lists.begin[x], stop):
        lists.slot[lists.to[p]] = -1


@compiled()
def _pair_gain(rule: Rule, clusters: Clusters, x: int, y: int, link: Array, at: int) -> float:
    inside, volume = clusters.inside, clusters.volume
    merged = changed_score(rule, clusters, x, link, at, inside, volume, y, clusters.mass[y], 1.0)
    return merged - clusters.scores[x] - clusters.scores[y]


@compiled()
def _best_partner(rule: Rule, clusters: Clusters, lists: Lists, x: int, partner: Array) -> float:
    """The neighbour that x gains most by merging with, written to ``partner``, and the gain; the list is tidy."""
    best, y = NONE, -1
    for p in range(lists.begin[x], lists.end[x]):
        gain = _pair_gain(rule, clusters, x, lists.to[p], lists.ties, p)
        if gain > best:
            best, y = gain, lists.to[p]
    partner[x] = y
    return best


@compiled()
def _settle_top(rule: Rule, clusters: Clusters, lists: Lists, gains: Heap, partner: Array) -> tuple[int, float]:
    """Compute the top entry again until one stays on top with its true gain; returns the cluster and the gain."""
    while True:
        x = gains.items[0]
        _tidy(lists, x)
        gain = _best_partner(rule, clusters, lists, x, partner)
        is_true = gain >= gains.keys[x]
        put(gains, x, gain)
        if is_true or gains.items[0] == x:
            return x, gain


@compiled()
def _try_lowest(
    rule: Rule, clusters: Clusters, losses: Heap, few: Array, apart: Array, x: int, y: int, gain: float
) -> tuple[int, int]:
    """The pair x, y with its gain, or two of the clusters of lowest score if they gain more."""
    count = min(FEW, losses.size[0])
    for s in range(count):
        few[s] = losses.items[0]
        take(losses, few[s])
    for s in range(count):
        put(losses, few[s], losses.keys[few[s]])
        for t in range(s):
            other = _pair_gain(rule, clusters, few[s], few[t], apart, 0)
            if other > gain:
                gain, x, y = other, few[s], few[t]
    return x, y


@compiled()
def _absorb(rule: Rule, clusters: Clusters, lists: Lists, x: int, y: int) -> None:
    """Add cluster y to cluster x."""
    _tidy(lists, x)
    _tidy(lists, y)
    for p in range(lists.begin[x], lists.end[x]):
        if lists.to[p] == y:
            for j in range(len(rule.alphas)):
                clusters.inside[x, j] += 2 * lists.ties[p, j]
    for j in range(len(rule.alphas)):
        clusters.inside[x, j] += clusters.inside[y, j]
        clusters.volume[x, j] += clusters.volume[y, j]
    clusters.mass[x] += clusters.mass[y]
    clusters.scores[x] = score_of(rule, clusters, x)
    lists.into[y] = x


@compiled()
def _compact(lists: Lists, also: int) -> int:
    """Move the lists of living clusters, and of one more, to the front of the pool; returns how much they take."""
    used = 0
    for x in range(len(lists.into)):
        if lists.into[x] == x or x == also:
            start = used
            used = _copy_list(lists, x, lists.spare, lists.spare_ties, used)
            lists.begin[x], lists.end[x] = start, used
    for p in range(used):
        lists.to[p] = lists.spare[p]
        for j in range(lists.ties.shape[1]):
            lists.ties[p, j] = lists.spare_ties[p, j]
    return used


@compiled()
def _copy_list(lists: Lists, x: int, to: Array, ties: Array, used: int) -> int:
    for p in range(lists.begin[x], lists.end[x]):
        to[used] = lists.to[p]
        for j in range(ties.shape[1]):
            ties[used, j] = lists.ties[p, j]
        used += 1
    return used


@compiled()
def _join_lists(lists: Lists, x: int, y: int, used: int) -> int:
    """Write the lists of x and y behind each other at the end of the pool, as the list of x."""
    if used + lists.end[x] - lists.begin[x] + lists.end[y] - lists.begin[y] > len(lists.to):
        used = _compact(lists, y)
    start = used
    used = _copy_list(lists, x, lists.to, lists.ties, used)
    used = _copy_list(lists, y, lists.to, lists.ties, used)
    lists.begin[x], lists.end[x] = start, used
    lists.end[y] = lists.begin[y]
    return used


@compiled()
def _number_roots(into: Array, number: Array, labels: Array) -> None:
    count = 0
    for c in range(len(into)):
        root = _root(into, c)
        if number[root] < 0:
            number[root] = count
            count += 1
        labels[c] = number[root]
