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
def _enter(cells: Array, first: int, stop: int, table: Array, mark: Array) -> bool:
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
def _leave(cells: Array, first: int, stop: int, table: Array, mark: Array, exact: bool) -> None:
    for e in range(first, stop):
        table[cells[2 * e] & _MASK] = 0
    if not exact:
        for e in range(first, stop):
            mark[cells[2 * e]] = 0


@numba.njit(nogil=True, cache=True, inline="always")
def _candidates(cells: Array, first: int, stop: int, table: Array, found: Array) -> int:
    count = 0
    for q in range(first, stop):
        found[count] = q
        count += table[cells[2 * q] & _MASK] != 0
    return count


@numba.njit(nogil=True, cache=True, inline="always")
def _look_ahead(offsets: Array, cells: Array, e: int, last: int) -> None:
    prefetch(offsets, np.int64(cells[2 * min(e + 12, last)]))
    prefetch(cells, 2 * np.int64(offsets[cells[2 * min(e + 6, last)]]))


@numba.njit(nogil=True, cache=True)
def support(offsets: Array, cells: Array, start: int, stop: int, table: Array, mark: Array, found: Array) -> None:
    """Add to ``cells[2·slot + 1]`` the number of triangles on each edge whose lowest node is in [start, stop)."""
    last = np.int64(offsets[len(offsets) - 1]) - 1
    for u in range(start, stop):
        a, b = np.int64(offsets[u]), np.int64(offsets[u + 1])
        if b - a < 2:
            continue
        exact = _enter(cells, a, b, table, mark)
        for e in range(a, b):
            _look_ahead(offsets, cells, e, last)
            v = cells[2 * e]
            count = _candidates(cells, np.int64(offsets[v]), np.int64(offsets[v + 1]), table, found)
            hits = 0
            if exact:
                for x in range(count):
                    q = np.int64(found[x])
                    w = cells[2 * q]
                    f = a + table[w & _MASK] - 1
                    if cells[2 * f] == w:
                        cells[2 * q + 1] += 1
                        cells[2 * f + 1] += 1
                        hits += 1
            else:
                for x in range(count):
                    q = np.int64(found[x])
                    place = mark[cells[2 * q]]
                    if place:
                        cells[2 * q + 1] += 1
                        cells[2 * (a + place - 1) + 1] += 1
                        hits += 1
            cells[2 * e + 1] += hits
        _leave(cells, a, b, table, mark, exact)


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
        exact = _enter(cells, a, b, table, mark)
        for e in range(a, b):
            v = cells[2 * e]
            count = _candidates(cells, np.int64(offsets[v]), np.int64(offsets[v + 1]), table, found)
            for x in range(count):
                q = np.int64(found[x])
                w = cells[2 * q]
                f = (a + table[w & _MASK] - 1) if exact else (a + mark[w] - 1)
                if f >= a and cells[2 * f] == w:
                    out[total, 0], out[total, 1], out[total, 2] = e, f, q
                    total += 1
        _leave(cells, a, b, table, mark, exact)
    return total
