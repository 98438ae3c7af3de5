"""Triangles on the oriented structure: count them on each edge, or list them.

For every node u the targets out(u) are entered in an 8 KiB table, indexed by the low bits of their ids. For all v in
out(u), the slots of out(v) that hit the table are collected without branches, and only these are confirmed. The table
stores the place in out(u), so no other memory is read unless two members of out(u) share a table entry.

Arrays are passed as pointers. `Skeleton` describes their content.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.motifs.kernels.intrinsics import following, pointer, prefetch
from hoscpool.support.compiled import compiled

Array = Any

TABLE_SIZE = 8192
_MASK = TABLE_SIZE - 1
BATCH = 1024
"""Confirm candidates once there are this many, or at the end of out(u). So they stay in the cache."""


@compiled(inline="always")
def enter(cells: Array, first: int, stop: int, table: Array, mark: Array) -> bool:
    """Enter out(u) in the table. Return False if entries collide; then ``mark`` is filled instead.

    Slots are entered in groups of four, because few rows are longer. Slots after the row enter a zero, and may count as
    a collision.
    """
    exact = stop - first < 256
    if exact:
        e = first
        while e < stop:
            for k in range(4):
                low = cells[2 * (e + k)] & _MASK
                exact &= table[low] == 0
                table[low] = e + k - first + 1 if e + k < stop else 0
            e = following(e + 3)
    if not exact:
        for e in range(first, stop):
            table[cells[2 * e] & _MASK] = 1
            mark[cells[2 * e]] = e - first + 1
    return exact


@compiled(inline="always")
def leave(cells: Array, first: int, stop: int, table: Array, mark: Array, exact: bool) -> None:
    """Clear the entries of `enter`."""
    e = first
    while e < stop:
        for k in range(4):
            table[cells[2 * (e + k)] & _MASK] = 0
        e = following(e + 3)
    if not exact:
        for e in range(first, stop):
            mark[cells[2 * e]] = 0


@compiled(inline="always")
def collect(offsets: Array, cells: Array, e: int, table: Array, found: Array, count: int) -> int:
    """Append to ``found`` the slots q of out(v) that hit the table, as e·2³² + q. v is the target of slot e."""
    prefetch(offsets, np.int64(cells[2 * (e + 16)]))  # for the next slots; there are zero cells after the last one
    prefetch(cells, 2 * np.int64(offsets[cells[2 * (e + 8)]]))
    v, own = cells[2 * e], e << 32
    q, stop = np.int64(offsets[v]), np.int64(offsets[v + 1])
    while q < stop:
        found[count] = own | q
        count += table[cells[2 * q] & _MASK] != 0
        q = following(q)
    return count


@compiled(inline="always")
def place_in(cells: Array, first: int, w: int, table: Array, mark: Array, exact: bool) -> Any:
    """Slot of the candidate w in out(u), or −1 if it is not there. out(u) begins at slot ``first``."""
    if exact:
        slot = first + np.int64(table[w & _MASK]) - 1
        return slot if cells[2 * slot] == w else -1
    place = np.int64(mark[w])
    return first + place - 1 if place else -1


@compiled()
def support(offsets: Array, cells: Array, start: int, stop: int, table: Array, mark: Array, found: Array) -> None:
    """Add to ``cells[2·slot + 1]`` the number of triangles on each edge whose lowest node is in [start, stop)."""
    offsets, cells = pointer(offsets), pointer(cells)
    table, mark, found = pointer(table), pointer(mark), pointer(found)
    for u in range(start, stop):
        a, b = np.int64(offsets[u]), np.int64(offsets[u + 1])
        if b - a < 2:
            continue
        exact, count = enter(cells, a, b, table, mark), 0
        for e in range(a, b):
            before = count
            count = collect(offsets, cells, e, table, found, count)
            cells[2 * e + 1] += count - before
            if count >= BATCH or e == b - 1:
                count = _count(cells, a, table, mark, exact, found, count)
        leave(cells, a, b, table, mark, exact)


@compiled(inline="always")
def _count(cells: Array, a: int, table: Array, mark: Array, exact: bool, found: Array, count: int) -> int:
    """Count the triangles among the candidates. All candidates are already counted on their first edge."""
    for x in range(count):
        q = found[x] & 0xFFFFFFFF
        f = place_in(cells, a, cells[2 * q], table, mark, exact)
        if f >= 0:
            cells[2 * q + 1] += 1
            cells[2 * f + 1] += 1
        else:
            cells[2 * (found[x] >> 32) + 1] -= 1
    return 0


@compiled(inline="always")
def triangles_of(
    u: int, offsets: Array, cells: Array, table: Array, mark: Array, found: Array, out: Array, total: int
) -> int:
    """Append the slots (uv, uw, vw) of the triangles u → v → w to the ``total`` triples in ``out``.

    Returns the new total. One more triple is written ahead.
    """
    a, b = np.int64(offsets[u]), np.int64(offsets[u + 1])
    if b - a >= 2:
        exact, count = enter(cells, a, b, table, mark), 0
        for e in range(a, b):
            count = collect(offsets, cells, e, table, found, count)
            if count >= BATCH or e == b - 1:
                for x in range(count):
                    q = found[x] & 0xFFFFFFFF
                    f = place_in(cells, a, cells[2 * q], table, mark, exact)
                    out[3 * total], out[3 * total + 1], out[3 * total + 2] = found[x] >> 32, f, q
                    total += f >= 0
                count = 0
        leave(cells, a, b, table, mark, exact)
    return total


@compiled()
def listing(
    offsets: Array, cells: Array, start: int, stop: int, table: Array, mark: Array, found: Array, out: Array
) -> int:
    """Write the slots (uv, uw, vw) of the triangles u → v → w, u in [start, stop), to ``out``. Return their number."""
    offsets, cells, out = pointer(offsets), pointer(cells), pointer(out)
    table, mark, found = pointer(table), pointer(mark), pointer(found)
    total = 0
    for u in range(start, stop):
        total = triangles_of(u, offsets, cells, table, mark, found, out, total)
    return total


@compiled()
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
    triples: Array,
    total: Array,
) -> None:
    """For each triangle with lowest node in [start, stop), add a value to each of its edges.

    With ``by_support`` it is the sum of the other two edges' counts, which `support` wrote to the cells. Otherwise it
    is the value of the third node.
    """
    offsets, cells, node_values, total = pointer(offsets), pointer(cells), pointer(node_values), pointer(total)
    table, mark, found, triples = pointer(table), pointer(mark), pointer(found), pointer(triples)
    for u in range(start, stop):
        count = triangles_of(u, offsets, cells, table, mark, found, triples, 0)
        if by_support:
            add_beside(triples, count, cells, total)
            continue
        for x in range(count):
            e, f, q = np.int64(triples[3 * x]), np.int64(triples[3 * x + 1]), np.int64(triples[3 * x + 2])
            total[e] += node_values[cells[2 * q]]
            total[f] += node_values[cells[2 * e]]
            total[q] += node_values[u]


@compiled(inline="always")
def add_beside(triples: Array, count: int, cells: Array, total: Array) -> None:
    """Add to each edge of these triangles the counts of the other two."""
    for x in range(count):
        e, f, q = np.int64(triples[3 * x]), np.int64(triples[3 * x + 1]), np.int64(triples[3 * x + 2])
        of_e, of_f, of_q = cells[2 * e + 1], cells[2 * f + 1], cells[2 * q + 1]
        total[e] += of_f + of_q
        total[f] += of_e + of_q
        total[q] += of_e + of_f
