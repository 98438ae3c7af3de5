"""Exact moves of single nodes between clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.cluster.engine.kernels.score import changed_score, score_of
from hoscpool.cluster.engine.kernels.tables import AHEAD, Clusters, Level, Rule, add_entry
from hoscpool.motifs.kernels.intrinsics import pointer, prefetch
from hoscpool.support.compiled import compiled

Array = Any

LEAST_GAIN = 1e-10
"""A smaller gain of Σ_k score_k is rounding."""


def make_scratch(lanes: int, k: int) -> tuple[Array, Array, Array]:
    """What `gather_links` needs: ties to every cluster, stamps of the clusters that were met, and a list of them.

    One entry of the list is written ahead.
    """
    return np.zeros((k, lanes)), np.full(k, -1, np.int64), np.empty(k + 1, np.int32)


@compiled(error_model="numpy")
def lightest(mass: Array) -> int:
    """The cluster of least mass."""
    best = 0
    for c in range(1, len(mass)):
        if mass[c] < mass[best]:
            best = c
    return best


@compiled(error_model="numpy")
def gather_links(
    level: Level, labels: Array, mass: Array, i: int, stamp: int, link: Array, seen: Array, found: Array
) -> int:
    """Sum the ties of node i to its own cluster and to every other; returns the number of others, listed in ``found``.

    A node without neighbours is offered the cluster of least mass.
    """
    a, size, lanes, last = labels[i], 0, level.data.shape[1], len(level.indices) - 1
    seen[a], link[a, :] = stamp, 0.0
    indices, data, places = pointer(level.indices), pointer(level.data), pointer(labels)
    links, stamps, listed = pointer(link), pointer(seen), pointer(found)
    first, second = 0.0, 0.0  # of the own cluster: sums in memory would wait for each other
    for p in range(level.indptr[i], level.indptr[i + 1]):
        prefetch(places, np.int64(indices[min(p + AHEAD, last)]))
        c = places[indices[p]]
        if c == a and lanes == 2:
            first += data[2 * p]
            second += data[2 * p + 1]
            continue
        is_new = stamps[c] != stamp
        listed[size] = c  # without a branch, which the processor could not predict
        size += is_new
        stamps[c] = stamp
        add_entry(links, c, is_new, data, p, lanes)
    if lanes == 2:
        link[a, 0], link[a, 1] = first, second
    if level.indptr[i] == level.indptr[i + 1]:
        found[0] = lightest(mass)
        for j in range(lanes):
            link[found[0], j] = 0.0
        size = 1 if found[0] != a else 0
    return size


@compiled(error_model="numpy")
def best_target(
    rule: Rule, level: Level, clusters: Clusters, i: int, a: int, link: Array, found: Array, count: int
) -> int:
    """The cluster that node i of cluster ``a`` gains most by joining; ``a`` itself where none is better."""
    loops, degrees, size = level.loops, level.degrees, level.sizes[i]
    listed, scores = pointer(found), pointer(clusters.scores)
    left = changed_score(rule, clusters, a, link, a, loops, degrees, i, size, -1.0) - scores[a]
    best, b = LEAST_GAIN, a
    for x in range(count):
        c = listed[x]
        gain = left + changed_score(rule, clusters, c, link, c, loops, degrees, i, size, 1.0) - scores[c]
        if gain > best:
            best, b = gain, c
    return b


@compiled(error_model="numpy")
def move_node(rule: Rule, level: Level, clusters: Clusters, i: int, a: int, b: int, link: Array) -> None:
    """Bring the state up to date with the move of node i from cluster ``a`` to ``b``."""
    for j in range(len(rule.alphas)):
        loop, degree = level.loops[i, j], level.degrees[i, j]
        clusters.inside[a, j] -= 2 * link[a, j] + loop
        clusters.inside[b, j] += 2 * link[b, j] + loop
        clusters.volume[a, j] -= degree
        clusters.volume[b, j] += degree
    clusters.mass[a] -= level.sizes[i]
    clusters.mass[b] += level.sizes[i]
    clusters.counts[a] -= 1
    clusters.counts[b] += 1
    clusters.scores[a] = score_of(rule, clusters, a)
    clusters.scores[b] = score_of(rule, clusters, b)


@compiled(error_model="numpy")
def want_moves(
    rule: Rule,
    level: Level,
    labels: Array,
    clusters: Clusters,
    nodes: Array,
    start: int,
    stop: int,
    wants: Array,
    link: Array,
    seen: Array,
    found: Array,
) -> None:
    """Note in ``wants`` which of ``nodes[start:stop]`` would gain by a move; labels and state are only read.

    ``seen`` must not hold a node of the range: the scratch of a thread serves for one list of nodes.
    """
    for t in range(start, stop):
        i = nodes[t]
        a = labels[i]
        wants[t] = False
        if clusters.counts[a] > 1:
            size = gather_links(level, labels, clusters.mass, i, i, link, seen, found)
            if size > 0:
                wants[t] = best_target(rule, level, clusters, i, a, link, found, size) != a


@compiled(error_model="numpy")
def make_moves(
    rule: Rule,
    level: Level,
    labels: Array,
    clusters: Clusters,
    nodes: Array,
    wants: Array,
    waiting: Array,
    later: Array,
    length: int,
    link: Array,
    seen: Array,
    found: Array,
) -> int:
    """Move the nodes that want to, one after another, each only if it still gains.

    Neighbours outside of the new cluster that are not ``waiting`` are added to the list ``later``, which holds
    ``length`` nodes. Returns its new length.
    """
    for t in range(len(nodes)):
        i = nodes[t]
        waiting[i] = False
        a = labels[i]
        if not wants[t] or clusters.counts[a] <= 1:
            continue
        size = gather_links(level, labels, clusters.mass, i, i, link, seen, found)
        b = best_target(rule, level, clusters, i, a, link, found, size)
        if b == a:
            continue
        move_node(rule, level, clusters, i, a, b, link)
        labels[i] = b
        for p in range(level.indptr[i], level.indptr[i + 1]):
            m = level.indices[p]
            if labels[m] != b and not waiting[m]:
                waiting[m], later[length] = True, m
                length += 1
    return length


@compiled(error_model="numpy")
def improve(
    rule: Rule,
    level: Level,
    labels: Array,
    clusters: Clusters,
    queue: Array,
    waiting: Array,
    length: int,
    limit: int,
    link: Array,
    seen: Array,
    found: Array,
) -> tuple[int, int]:
    """Move nodes from a queue while Σ_k score_k rises; no cluster loses its last node.

    After a move the neighbours outside of the new cluster are queued again.

    Args:
        rule: The objective.
        level: The graph.
        labels: Cluster of every node; changed here.
        clusters: The state of the clusters; changed here.
        queue: Nodes to visit first, with room for all; changed here.
        waiting: Scratch ``[n]``, all false.
        length: How many nodes wait in the queue.
        limit: Most visits.
        link: See `make_scratch`.
        seen: See `make_scratch`.
        found: See `make_scratch`.

    Returns:
        The number of moves and the number of visits.
    """
    n = len(labels)
    for t in range(length):
        waiting[queue[t]] = True
    head, visits, moved = 0, 0, 0
    while length > 0 and visits < limit:
        i = queue[head]
        head = head + 1 if head + 1 < n else 0
        length -= 1
        visits += 1
        waiting[i] = False
        a = labels[i]
        if clusters.counts[a] <= 1:
            continue
        size = gather_links(level, labels, clusters.mass, i, visits, link, seen, found)
        if size == 0:
            continue
        b = best_target(rule, level, clusters, i, a, link, found, size)
        if b == a:
            continue
        move_node(rule, level, clusters, i, a, b, link)
        labels[i] = b
        moved += 1
        for p in range(level.indptr[i], level.indptr[i + 1]):
            m = level.indices[p]
            if labels[m] != b and not waiting[m]:
                waiting[m] = True
                tail = head + length
                queue[tail if tail < n else tail - n] = m
                length += 1
    return moved, visits
