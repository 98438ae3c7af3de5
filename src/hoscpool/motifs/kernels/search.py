"""Search for the instances of any motif, depth first, and count or list them.

A node is matched to one role after another. Candidates are the neighbours of a matched node. When a node is matched,
the kinds of all its edges are entered in ``near``, two bits for each place of the search, so that one comparison checks
a candidate against all matched nodes. `hoscpool.motifs.counting.matcher` describes the arrays of the plan.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any

NEED, MASK, JOINED, BELOW, ABOVE, MARKED, MEMBER = range(7)
"""Rows of the plan."""


@compiled(inline="always")
def _enter(indptr: Array, indices: Array, kinds: Array, v: int, q: int, near: Array, place: Array) -> None:
    """Enter the edges of the node at place q, and with ``place`` where they stand."""
    with_place = len(place) > 0
    for e in range(indptr[v], indptr[v + 1]):
        near[indices[e]] |= np.uint32(kinds[e]) << np.uint32(2 * q)
        if with_place:
            place[q, indices[e]] = e


@compiled(inline="always")
def _leave(indptr: Array, indices: Array, v: int, q: int, near: Array) -> None:
    keep = ~(np.uint32(3) << np.uint32(2 * q))
    for e in range(indptr[v], indptr[v + 1]):
        near[indices[e]] &= keep


@compiled(inline="always")
def _first_from(indices: Array, low: int, high: int, node: int) -> int:
    """The first entry in [low, high) that is at least ``node``."""
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low


@compiled(inline="always")
def _open(indptr: Array, indices: Array, plan: Array, depth: int, nodes: Array, cursor: Array, end: Array) -> None:
    """Set the range of candidates: the shortest row of a joined node, between the bounds of the order constraints."""
    joined, below, above = plan[JOINED, depth], plan[BELOW, depth], plan[ABOVE, depth]
    best, size = np.int64(0), np.int64(1) << 62
    least, most = np.int64(0), np.int64(1) << 62
    for q in range(depth):
        v = nodes[q]
        if (joined >> q) & 1 and indptr[v + 1] - indptr[v] < size:
            best, size = v, indptr[v + 1] - indptr[v]
        if (below >> q) & 1:
            least = max(least, v + 1)
        if (above >> q) & 1:
            most = min(most, v)
    first, last = indptr[best], indptr[best + 1]
    cursor[depth] = _first_from(indices, first, last, least) if least > 0 else first
    end[depth] = _first_from(indices, cursor[depth], last, most) if most < len(indptr) - 1 else last


@compiled(inline="always")
def _fits(plan: Array, depth: int, nodes: Array, near: Array, w: int) -> bool:
    fits = (np.int64(near[w]) & plan[MASK, depth]) == plan[NEED, depth]
    for q in range(depth):
        fits &= nodes[q] != w
    return fits


@compiled()
def count_matches(
    indptr: Array,
    indices: Array,
    kinds: Array,
    plan: Array,
    start: int,
    stop: int,
    near: Array,
    place: Array,
    at_nodes: Array,
    entries: Array,
) -> Any:
    """Number of instances whose first node is in [start, stop).

    They are added to ``at_nodes``, if it has entries, and to ``entries`` at the edges between members. The number of
    instances below a partial match is added to its nodes and edges when the search leaves it. ``near`` and ``place``
    are scratch memory; ``near`` holds zeros, ``place`` is empty if edges are not counted.
    """
    size = plan.shape[1]
    last, by_node, by_edge = size - 1, len(at_nodes) > 0, len(place) > 0
    nodes, cursor, end = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    found = np.zeros(size + 1, np.int64)
    total = np.int64(0)
    for root in range(start, stop):
        nodes[0], found[0], depth = root, 0, 1
        if indptr[root] == indptr[root + 1]:
            continue
        if plan[MARKED, 0]:
            _enter(indptr, indices, kinds, root, 0, near, place)
        _open(indptr, indices, plan, 1, nodes, cursor, end)
        while depth > 0:
            if cursor[depth] < end[depth]:
                w = np.int64(indices[cursor[depth]])
                cursor[depth] += 1
                if not _fits(plan, depth, nodes, near, w):
                    continue
                if depth < last:
                    nodes[depth], found[depth] = w, 0
                    if plan[MARKED, depth]:
                        _enter(indptr, indices, kinds, w, depth, near, place)
                    depth += 1
                    _open(indptr, indices, plan, depth, nodes, cursor, end)
                    continue
                count, left = np.int64(1), w
            else:
                depth -= 1
                count, left = found[depth], nodes[depth]
                if plan[MARKED, depth]:
                    _leave(indptr, indices, left, depth, near)
            if depth > 0:
                found[depth - 1] += count
            if count and plan[MEMBER, depth]:
                if by_node:
                    at_nodes[left] += count
                if by_edge:
                    for q in range(depth):
                        if plan[MEMBER, q] and (near[left] >> np.uint32(2 * q)) & np.uint32(3):
                            entries[place[q, left]] += count
        total += found[0]
    return total


@compiled()
def list_matches(
    indptr: Array,
    indices: Array,
    kinds: Array,
    plan: Array,
    near: Array,
    state: Array,
    nodes: Array,
    cursor: Array,
    end: Array,
    out: Array,
) -> Any:
    """Write instances to the rows of ``out`` until it is full or all are listed. Returns their number.

    ``state`` holds the depth and the next first node. The next call continues where this one stopped.
    """
    size, num_nodes, place = plan.shape[1], len(indptr) - 1, np.empty((0, 0), np.int32)
    last, depth, root, count = size - 1, state[0], state[1], 0
    while count < len(out):
        if depth == 0:
            if root == num_nodes:
                break
            nodes[0] = root
            root += 1
            if plan[MARKED, 0]:
                _enter(indptr, indices, kinds, nodes[0], 0, near, place)
            depth = 1
            _open(indptr, indices, plan, 1, nodes, cursor, end)
        if cursor[depth] < end[depth]:
            w = np.int64(indices[cursor[depth]])
            cursor[depth] += 1
            if not _fits(plan, depth, nodes, near, w):
                continue
            nodes[depth] = w
            if depth == last:
                out[count] = nodes
                count += 1
                continue
            if plan[MARKED, depth]:
                _enter(indptr, indices, kinds, w, depth, near, place)
            depth += 1
            _open(indptr, indices, plan, depth, nodes, cursor, end)
        else:
            depth -= 1
            if plan[MARKED, depth]:
                _leave(indptr, indices, nodes[depth], depth, near)
    state[0], state[1] = depth, root
    return count


@compiled()
def sample_matches(
    indptr: Array, indices: Array, kinds: Array, plan: Array, near: Array, roots: Array, draws: Array, out: Array
) -> None:
    """Estimate the size of the search (Knuth 1975): follow one random branch from every root.

    Writes to ``out`` per root the estimated number of instances and of entries read. ``draws`` are uniform numbers.
    """
    size, place = plan.shape[1], np.empty((0, 0), np.int32)
    nodes, cursor, end = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    for x in range(len(roots)):
        nodes[0], weight, read, depth = roots[x], 1.0, 1.0, 1
        while depth < size:
            v = nodes[depth - 1]
            if plan[MARKED, depth - 1]:
                _enter(indptr, indices, kinds, v, depth - 1, near, place)
                read += 2 * weight * (indptr[v + 1] - indptr[v])
            _open(indptr, indices, plan, depth, nodes, cursor, end)
            fitting = 0
            read += weight * (end[depth] - cursor[depth])
            for e in range(cursor[depth], end[depth]):
                if _fits(plan, depth, nodes, near, np.int64(indices[e])):
                    fitting += 1
                    if draws[x, depth - 1] * fitting < 1.0:  # keep one of the fitting ones, each with the same chance
                        nodes[depth] = indices[e]
                        draws[x, depth - 1] = draws[x, depth - 1] * fitting
                    else:
                        draws[x, depth - 1] = (draws[x, depth - 1] * fitting - 1.0) / (fitting - 1.0)
            weight *= fitting
            depth += 1
            if fitting == 0:
                break
        for q in range(depth - 1):
            if plan[MARKED, q]:
                _leave(indptr, indices, nodes[q], q, near)
        out[x, 0], out[x, 1] = weight, read
