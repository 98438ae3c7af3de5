"""Passes over edges whose ends are ranks: degrees, the number of edges of every block, edges in the order of blocks."""

from __future__ import annotations

from typing import Any

from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def add_degrees(u: Array, v: Array, degree: Array) -> int:
    """Add the ends of every edge to the degrees. Self-loops are left out. Returns their number."""
    loops = 0
    for i in range(len(u)):
        if u[i] == v[i]:
            loops += 1
        else:
            degree[u[i]] += 1
            degree[v[i]] += 1
    return loops


@compiled()
def count_cells(u: Array, v: Array, part: Array, cells: Array) -> None:
    """Add to ``cells[a, b]`` the number of edges from range a to range b, lower rank first, without self-loops."""
    for i in range(len(u)):
        if u[i] != v[i]:
            cells[part[min(u[i], v[i])], part[max(u[i], v[i])]] += 1


@compiled()
def scatter(u: Array, v: Array, part: Array, starts: Array, number: Array, cursor: Array, keys: Array) -> None:
    """Write the edges in the order of blocks, as low·2³² + high, the places of their ends within their ranges.

    ``starts`` are the first ranks of the ranges, ``number[a, b]`` is the number of a block, and ``cursor`` the place of
    the next edge of every block.
    """
    for i in range(len(u)):
        if u[i] != v[i]:
            x, y = min(u[i], v[i]), max(u[i], v[i])
            a, b = part[x], part[y]
            block = number[a, b]
            at = cursor[block]
            keys[at] = (x - starts[a]) << 32 | (y - starts[b])
            cursor[block] = at + 1
