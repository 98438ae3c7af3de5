"""Local moving: every node joins the neighbouring community to which it is tied most beyond chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.cluster.engine.kernels.tables import AHEAD, Level
from hoscpool.motifs.kernels.intrinsics import pointer, prefetch
from hoscpool.support.compiled import compiled

Array = Any

UNSEEN = np.float32(-1.0)
"""Weight of a community that the node at hand has not met; real weights are not negative."""


@compiled(inline="always")
def tie(scale: Array, data: Array, p: int, lanes: int) -> Any:
    """Entry p of w = Σ_j scale_j A^j, float32. ``scale`` and ``data`` are pointers."""
    if lanes == 2:  # the usual case
        return scale[0] * data[2 * p] + scale[1] * data[2 * p + 1]
    w = np.float32(0)
    for j in range(lanes):
        w += scale[j] * data[lanes * p + j]
    return w


@compiled()
def best_community(
    scale: Array,
    level: Level,
    degree: Array,
    gamma: float,
    cap: float,
    labels: Array,
    total: Array,
    i: int,
    weight: Array,
    found: Array,
) -> int:
    """The community c that maximises w(i, c) − γ·d_i·D_c for node i, and would not grow past the cap.

    Args:
        scale: α_j / vol_j of every matrix, float32; w = Σ_j scale_j A^j.
        level: The graph.
        degree: d_i = Σ_j scale_j deg_i^j, float64 ``[n]``.
        gamma: Resolution γ.
        cap: Largest D_c = Σ d_i over a community.
        labels: Community of every node, numbers below n.
        total: D of every community.
        i: The node.
        weight: Scratch ``[n]``, all `UNSEEN`; it is left so.
        found: Scratch ``[n + 1]``; one entry is written ahead.
    """
    a, d, size, lanes, last = labels[i], degree[i], 0, len(scale), len(level.indices) - 1
    indices, data, scale = pointer(level.indices), pointer(level.data), pointer(scale)
    labels, total, weight, found = pointer(labels), pointer(total), pointer(weight), pointer(found)
    weight[a] = np.float32(0)
    for p in range(level.indptr[i], level.indptr[i + 1]):
        prefetch(labels, np.int64(indices[min(p + AHEAD, last)]))
        c = labels[indices[p]]
        before = weight[c]
        found[size] = c  # without a branch: the processor cannot predict which communities are new
        size += before < 0
        weight[c] = max(before, np.float32(0)) + tie(scale, data, p, lanes)
    best, b = weight[a] - gamma * d * (total[a] - d), a
    weight[a] = UNSEEN
    for x in range(size):
        c = found[x]
        gain = weight[c] - gamma * d * total[c]
        weight[c] = UNSEEN
        if gain > best and total[c] + d <= cap:
            best, b = gain, c
    return b


@compiled()
def join_neighbours(
    scale: Array,
    level: Level,
    degree: Array,
    gamma: float,
    cap: float,
    order: Array,
    labels: Array,
    total: Array,
    weight: Array,
    found: Array,
) -> int:
    """One sweep: every node joins its `best_community`, in that order. Returns how many moved."""
    moved = 0
    for i in order:
        a = labels[i]
        b = best_community(scale, level, degree, gamma, cap, labels, total, i, weight, found)
        if b != a:
            total[a] -= degree[i]
            total[b] += degree[i]
            labels[i] = b
            moved += 1
    return moved


@compiled()
def choose_communities(
    scale: Array,
    level: Level,
    degree: Array,
    gamma: float,
    cap: float,
    nodes: Array,
    start: int,
    stop: int,
    labels: Array,
    total: Array,
    chosen: Array,
    weight: Array,
    found: Array,
) -> None:
    """Write the `best_community` of ``nodes[start:stop]`` to ``chosen``; nothing moves."""
    for t in range(start, stop):
        i = nodes[t]
        chosen[t] = best_community(scale, level, degree, gamma, cap, labels, total, i, weight, found)


@compiled()
def join_chosen(
    degree: Array, cap: float, nodes: Array, chosen: Array, alone: Array, labels: Array, total: Array, members: Array
) -> int:
    """Let nodes join what they chose before others moved. Returns how many did.

    A node that was alone stays when another has joined it meanwhile: the two are together already. Where the chosen
    community has been left by all, its first node is followed.

    Args:
        degree: d ``[n]``.
        cap: Largest D_c.
        nodes: Nodes in the order of their moves.
        chosen: What each of them chose.
        alone: Whether each of them was alone then.
        labels: Community of every node; the number of a community is that of its first node. Changed here.
        total: D of every community; changed here.
        members: Number of nodes of every community; changed here.
    """
    moved = 0
    for t in range(len(nodes)):
        i, c = nodes[t], chosen[t]
        a = labels[i]
        if alone[t] and members[a] > 1:
            continue
        if members[c] == 0:
            c = labels[c]
        if c != a and total[c] + degree[i] <= cap:
            total[a] -= degree[i]
            total[c] += degree[i]
            members[a] -= 1
            members[c] += 1
            labels[i] = c
            moved += 1
    return moved


@compiled()
def gather_twins(scale: Array, level: Level, degree: Array, cap: float, labels: Array) -> None:
    """Put nodes that stayed alone together when their strongest tie is to the same community.

    Leaves of a hub that is too heavy to join are the case in point: they have no other neighbour.
    """
    n = len(labels)
    members, total = np.zeros(n, np.int32), np.zeros(n)
    for i in range(n):
        members[labels[i]] += 1
    first = np.full(n, -1, np.int32)  # of every community: the node around which its followers gather
    for i in range(n):
        if members[labels[i]] != 1 or level.indptr[i] == level.indptr[i + 1]:
            continue
        strongest, c = np.float32(-1), -1
        for p in range(level.indptr[i], level.indptr[i + 1]):
            w = tie(pointer(scale), pointer(level.data), p, len(scale))
            if w > strongest:
                strongest, c = w, labels[level.indices[p]]
        home = first[c]
        if home < 0 or total[home] + degree[i] > cap:
            first[c], total[i] = i, degree[i]
        else:
            labels[i] = labels[home]
            total[home] += degree[i]


@compiled()
def renumber(labels: Array) -> int:
    """Number communities in the order in which they appear; returns how many there are."""
    new, count = np.full(len(labels), -1, np.int32), 0
    for i in range(len(labels)):
        c = labels[i]
        if new[c] < 0:
            new[c] = count
            count += 1
        labels[i] = new[c]
    return count


@compiled()
def components(level: Level, piece: Array) -> int:
    """Number the connected pieces; ``piece`` is filled here. Returns how many there are."""
    n, count = len(piece), 0
    stack = np.empty(n, np.int32)
    piece[:] = -1
    for seed in range(n):
        if piece[seed] >= 0:
            continue
        piece[seed], stack[0], height = count, seed, 1
        while height > 0:
            height -= 1
            i = stack[height]
            for p in range(level.indptr[i], level.indptr[i + 1]):
                m = level.indices[p]
                if piece[m] < 0:
                    piece[m], stack[height] = count, m
                    height += 1
        count += 1
    return count
