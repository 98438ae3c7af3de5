"""Approximate personalised PageRank by pushes, and the sweep over its order (Andersen, Chung & Lang 2006)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def push(
    indptr: Array,
    indices: Array,
    weights: Array,
    degree: Array,
    is_known: Array,
    restart: float,
    epsilon: float,
    rank: Array,
    rest: Array,
    wanted: Array,
) -> int:
    """Push until every node holds less than ``epsilon`` times its degree. Returns the number of pushes.

    ``rest`` begins with the mass of the seeds. Of the mass of a node, the share ``restart`` is added to its ``rank``;
    the other goes to its neighbours. Only rows of known nodes are complete. An unknown node that may have to push is
    marked in ``wanted``, and keeps its mass; its degree in this matrix is a lower bound of the true one.
    """
    size, pushes = len(degree), 0
    queue, waiting = np.empty(size + 1, np.int64), np.zeros(size, np.bool_)
    head, tail = 0, 0
    for u in range(size):
        if rest[u] > 0:
            queue[tail] = u
            waiting[u] = True
            tail += 1
    while head != tail:
        u = queue[head]
        head = 0 if head == size else head + 1
        waiting[u] = False
        if degree[u] == 0 or rest[u] < epsilon * degree[u]:
            continue
        if not is_known[u]:
            wanted[u] = True
            continue
        mass = rest[u]
        rank[u] += restart * mass
        rest[u] = 0.0
        share = (1.0 - restart) * mass / degree[u]
        pushes += 1
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            rest[v] += share * weights[e]
            if not waiting[v] and rest[v] >= epsilon * degree[v]:
                queue[tail] = v
                tail = 0 if tail == size else tail + 1
                waiting[v] = True
    return pushes


@compiled()
def sweep(
    indptr: Array, indices: Array, weights: Array, degree: Array, order: Array, cuts: Array, volumes: Array
) -> None:
    """Write cut and volume of every beginning of ``order``."""
    inside = np.zeros(len(degree), np.bool_)
    cut, volume = 0.0, 0.0
    for x in range(len(order)):
        u = order[x]
        within = 0.0
        for e in range(indptr[u], indptr[u + 1]):
            if inside[indices[e]]:
                within += weights[e]
        inside[u] = True
        volume += degree[u]
        cut += degree[u] - 2.0 * within
        cuts[x], volumes[x] = cut, volume
