"""Triangles on the oriented structure: how many on each edge, and the list of them.

For every node u the targets out(u) are entered in an 8 KiB table on the low bits of their ids. For every v in out(u)
the slots of out(v) that pass the table are collected without a branch, and only those are confirmed. The table stores
the place in out(u), so no other memory is touched unless two members of out(u) share a table entry.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from hoscpool.motifs.kernels.intrinsics import prefetch

Array = Any

TABLE_SIZE = 8192
_MASK = TABLE_SIZE - 1


@numba.njit(nogil=True, cache=True, inline="always")
def enter(cells: Array, first: int, stop: int, table: Array, mark: Array) -> bool:
    """Enter out(u) in the table; False when it has clashes and ``mark`` had to be filled instead."""
    exact = stop - first < 256
    if exact:
        for e in range(first, stop):
            low = cells[2 * e] & _MASK
            exact &= table[low] == 0
            table[low] = e - first + 1
    if not exact:
        for e in range(first, stop):
            table[cells[2 * e] & _MASK] = 1
            mark[cells[2 * e]] = e - first + 1
    return exact


@numba.njit(nogil=True, cache=True, inline="always")
def leave(cells: Array, first: int, stop: int, table: Array, mark: Array, exact: bool) -> None:
    """Clear what `enter` wrote."""
    for e in range(first, stop):
        table[cells[2 * e] & _MASK] = 0
    if not exact:
        for e in range(first, stop):
            mark[cells[2 * e]] = 0


@numba.njit(nogil=True, cache=True, inline="always")
def candidates(cells: Array, first: int, stop: int, table: Array, found: Array) -> int:
    """Collect the slots whose target passes the table; returns how many."""
    count = 0
    for q in range(first, stop):
        found[count] = q
        count += table[cells[2 * q] & _MASK] != 0
    return count


@numba.njit(nogil=True, cache=True, inline="always")
def look_ahead(offsets: Array, cells: Array, e: int, last: int) -> None:
    """Bring near what the passes over the next slots will read."""
    prefetch(offsets, np.int64(cells[2 * min(e + 12, last)]))
    prefetch(cells, 2 * np.int64(offsets[cells[2 * min(e + 6, last)]]))


@numba.njit(nogil=True, cache=True, inline="always")
def place_in(cells: Array, first: int, w: int, table: Array, mark: Array, exact: bool) -> Any:
    """Slot of the candidate w in out(u), which begins at slot ``first``, or −1 if it is not there."""
    if exact:
        slot = first + np.int64(table[w & _MASK]) - 1
        return slot if cells[2 * slot] == w else -1
    place = np.int64(mark[w])
    return first + place - 1 if place else -1


@numba.njit(nogil=True, cache=True)
def support(offsets: Array, cells: Array, start: int, stop: int, table: Array, mark: Array, found: Array) -> None:
    """Add to ``cells[2·slot + 1]`` the number of triangles on each edge whose lowest node is in [start, stop)."""
    last = np.int64(offsets[len(offsets) - 1]) - 1
    for u in range(start, stop):
        a, b = np.int64(offsets[u]), np.int64(offsets[u + 1])
        if b - a < 2:
            continue
        exact = enter(cells, a, b, table, mark)
        for e in range(a, b):
            look_ahead(offsets, cells, e, last)
            v = cells[2 * e]
            count = candidates(cells, np.int64(offsets[v]), np.int64(offsets[v + 1]), table, found)
            hits = 0
            for x in range(count):
                q = np.int64(found[x])
                f = place_in(cells, a, cells[2 * q], table, mark, exact)
                if f >= 0:
                    cells[2 * q + 1] += 1
                    cells[2 * f + 1] += 1
                    hits += 1
            cells[2 * e + 1] += hits
        leave(cells, a, b, table, mark, exact)


@numba.njit(nogil=True, cache=True)
def sums(
    offsets: Array,
    cells: Array,
    by_support: bool,
    node_values: Array,
    start: int,
    stop: int,
    table: Array,
    mark: Array,
    found: Array,
    total: Array,
) -> None:
    """Add to each edge of the triangles with lowest node in [start, stop) a value of what else is in the triangle.

    By support, the other two edges with the counts that `support` left in the cells; otherwise the third node's value.
    """
    last = np.int64(offsets[len(offsets) - 1]) - 1
    for u in range(start, stop):
        a, b = np.int64(offsets[u]), np.int64(offsets[u + 1])
        if b - a < 2:
            continue
        exact = enter(cells, a, b, table, mark)
        for e in range(a, b):
            look_ahead(offsets, cells, e, last)
            v = cells[2 * e]
            count = candidates(cells, np.int64(offsets[v]), np.int64(offsets[v + 1]), table, found)
            for x in range(count):
                q = np.int64(found[x])
                w = cells[2 * q]
                f = place_in(cells, a, w, table, mark, exact)
                if f >= 0:
                    if by_support:
                        total[e] += cells[2 * f + 1] + cells[2 * q + 1]
                        total[f] += cells[2 * e + 1] + cells[2 * q + 1]
                        total[q] += cells[2 * e + 1] + cells[2 * f + 1]
                    else:
                        total[e] += node_values[w]
                        total[f] += node_values[v]
                        total[q] += node_values[u]
        leave(cells, a, b, table, mark, exact)


@numba.njit(nogil=True, cache=True)
def listing(
    offsets: Array, cells: Array, start: int, stop: int, table: Array, mark: Array, found: Array, out: Array
) -> int:
    """Write the slots (uv, uw, vw) of the triangles u → v → w with u in [start, stop) to ``out``; returns how many."""
    total = 0
    for u in range(start, stop):
        a, b = np.int64(offsets[u]), np.int64(offsets[u + 1])
        if b - a < 2:
            continue
        exact = enter(cells, a, b, table, mark)
        for e in range(a, b):
            v = cells[2 * e]
            count = candidates(cells, np.int64(offsets[v]), np.int64(offsets[v + 1]), table, found)
            for x in range(count):
                q = np.int64(found[x])
                w = cells[2 * q]
                f = place_in(cells, a, w, table, mark, exact)
                if f >= 0:
                    out[total, 0], out[total, 1], out[total, 2] = e, f, q
                    total += 1
        leave(cells, a, b, table, mark, exact)
    return total
