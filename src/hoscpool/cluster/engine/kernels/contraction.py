"""Compiled steps of a level: several sparse matrices on one pattern, and a level whose nodes are communities."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.motifs.kernels.intrinsics import pointer, prefetch
from hoscpool.support.compiled import compiled

Array = Any

UNSEEN = -1.0
"""Weight of a community that the one at hand has not met; real weights are not negative."""
ROW = 64
"""Entries at the start of a row that are prefetched. Members of a community lie far apart, so the processor cannot
guess where the next row is: contraction is 1.5 times as fast."""
LINE = 16
"""Numbers of four bytes in a line of the cache."""


@compiled()
def list_members(labels: Array, count: int) -> tuple[Array, Array]:
    """Nodes sorted by community, and where each community begins ``[count + 1]``."""
    begin = np.zeros(count + 1, np.int64)
    for i in range(len(labels)):
        begin[labels[i] + 1] += 1
    for c in range(count):
        begin[c + 1] += begin[c]
    members, place = np.empty(len(labels), np.int32), np.empty(count, np.int64)
    for c in range(count):
        place[c] = begin[c]
    for i in range(len(labels)):
        members[place[labels[i]]] = i
        place[labels[i]] += 1
    return members, begin


@compiled()
def copy_entries(columns: Array, data: Array, count: int, to: Array, to_data: Array) -> None:
    """Copy the first entries of a matrix. Loops compile much faster than slices."""
    for p in range(count):
        to[p] = columns[p]
        for j in range(data.shape[1]):
            to_data[p, j] = data[p, j]


@compiled(inline="always")
def prefetch_row(indices: Array, data: Array, p: int, lanes: int) -> None:
    """Prefetch what begins at entry p."""
    for q in range(0, ROW, LINE):
        prefetch(indices, np.int64(p + q))
        for j in range(lanes):
            prefetch(data, np.int64(lanes * (p + q) + LINE * j))


@compiled(inline="always")
def add_seen(sums: Array, c: int, data: Array, p: int, lanes: int) -> None:
    """Add entry p to ``sums[c]``, where `UNSEEN` counts as none. ``sums`` and ``data`` are pointers.

    Two matrices are the usual case, which is faster without the loop.
    """
    if lanes == 2:
        first, second = sums[2 * c], sums[2 * c + 1]
        sums[2 * c] = max(first, 0.0) + data[2 * p]
        sums[2 * c + 1] = max(second, 0.0) + data[2 * p + 1]
    else:
        for j in range(lanes):
            sums[lanes * c + j] = max(sums[lanes * c + j], 0.0) + data[lanes * p + j]


@compiled()
def contract_rows(
    level: Level,
    labels: Array,
    members: Array,
    begin: Array,
    start: int,
    stop: int,
    loops: Array,
    row_ends: Array,
    weight: Array,
    found: Array,
) -> tuple[Array, Array]:
    """Rows ``start`` to ``stop`` of the contracted matrices: columns ``[m]`` and entries ``[m, J]``.

    Args:
        level: The level below.
        labels: Community of each of its nodes.
        members: See `list_members`.
        begin: See `list_members`.
        start: The first community.
        stop: The community after the last.
        loops: Diagonal of the contracted matrices; weight inside of communities is added here.
        row_ends: Number of entries up to the end of each row, from this range's first; filled here.
        weight: Scratch ``[count, J]``, all `UNSEEN`; it is left so.
        found: Scratch ``[count + 1]``; one entry is written ahead.
    """
    count, lanes, last = len(begin) - 1, level.data.shape[1], len(members) - 1
    indices, data, labels = pointer(level.indices), pointer(level.data), pointer(labels)
    weights, found = pointer(weight), pointer(found)
    capacity = max(1024, (level.indptr[-1] * (stop - start)) // (3 * max(count, 1)))
    out, out_data = np.empty(capacity, np.int32), np.empty((capacity, lanes), np.float32)
    end = 0
    for c in range(start, stop):
        size = 0
        for j in range(lanes):
            weight[c, j] = 0.0
        for t in range(begin[c], begin[c + 1]):
            i = members[t]
            prefetch_row(indices, data, level.indptr[members[min(t + 1, last)]], lanes)
            for p in range(level.indptr[i], level.indptr[i + 1]):
                b = labels[indices[p]]
                found[size] = b  # without a branch, which the processor could not predict
                size += weights[lanes * b] < 0
                add_seen(weights, b, data, p, lanes)
        for j in range(lanes):
            loops[c, j] += weight[c, j]
            weight[c, j] = UNSEEN
        if end + size > capacity:
            capacity = max(2 * capacity, end + size)
            more, more_data = np.empty(capacity, np.int32), np.empty((capacity, lanes), np.float32)
            copy_entries(out, out_data, end, more, more_data)
            out, out_data = more, more_data
        for x in range(size):
            b = found[x]
            out[end] = b
            for j in range(lanes):
                out_data[end, j] = weight[b, j]
                weight[b, j] = UNSEEN
            end += 1
        row_ends[c] = end
    kept, kept_data = np.empty(end, np.int32), np.empty((end, lanes), np.float32)
    copy_entries(out, out_data, end, kept, kept_data)
    return kept, kept_data


@compiled()
def sum_members(values: Array, labels: Array, out: Array) -> None:
    """Add rows of ``values [n, J]`` to the row of their community."""
    for i in range(len(labels)):
        for j in range(values.shape[1]):
            out[labels[i], j] += values[i, j]


@compiled()
def read_diagonal(indptr: Array, indices: Array, values: Array, column: int, loops: Array) -> None:
    """Write the diagonal of a matrix with sorted rows to a column of ``loops``, without reading most entries."""
    for i in range(len(indptr) - 1):
        low, high = indptr[i], indptr[i + 1]
        while low < high:
            middle = (low + high) // 2
            if indices[middle] < i:
                low = middle + 1
            else:
                high = middle
        if low < indptr[i + 1] and indices[low] == i:
            loops[i, column] = values[low]


@compiled()
def count_union(indptr: Array, indices: Array, other_indptr: Array, other_indices: Array, out_indptr: Array) -> None:
    """Write the row pointers of the union of two patterns with sorted rows."""
    for i in range(len(indptr) - 1):
        q, end = indptr[i], indptr[i + 1]
        count = end - q
        for p in range(other_indptr[i], other_indptr[i + 1]):
            while q < end and indices[q] < other_indices[p]:
                q += 1
            count += q == end or indices[q] != other_indices[p]
        out_indptr[i + 1] = out_indptr[i] + count


@compiled()
def unite_rows(
    indptr: Array, indices: Array, other_indptr: Array, other_indices: Array, out_indptr: Array, out: Array
) -> None:
    """Write the union of two sorted patterns; its row pointers are known."""
    for i in range(len(indptr) - 1):
        q, end, r, stop = indptr[i], indptr[i + 1], other_indptr[i], other_indptr[i + 1]
        for p in range(out_indptr[i], out_indptr[i + 1]):
            if r == stop or (q < end and indices[q] < other_indices[r]):
                out[p] = indices[q]
                q += 1
            else:
                if q < end and indices[q] == other_indices[r]:
                    q += 1
                out[p] = other_indices[r]
                r += 1


@compiled()
def place_values(
    indptr: Array,
    indices: Array,
    other_indptr: Array,
    other_indices: Array,
    values: Array,
    column: int,
    start: int,
    stop: int,
    data: Array,
    degrees: Array,
    placed: Array,
) -> None:
    """Write rows ``start`` to ``stop`` of a matrix into its column of ``data``, and add their sums to the degrees.

    ``placed`` counts the entries of each row up to the first that has no place.
    """
    lanes, last = data.shape[1], len(other_indices) - 1
    if last < 0:
        data[indptr[start] : indptr[stop], column] = 0
        return
    indices, other_indices, values, data = pointer(indices), pointer(other_indices), pointer(values), pointer(data)
    for i in range(start, stop):
        first, end, total = other_indptr[i], other_indptr[i + 1], 0.0
        q = first
        for p in range(indptr[i], indptr[i + 1]):
            here = min(q, last)
            has_place = (q < end) & (other_indices[here] == indices[p])
            entry = np.float32(values[here]) if has_place else np.float32(0)
            data[lanes * p + column] = entry
            total += float(entry)
            q += has_place
        placed[i] = q - first
        degrees[i, column] += total


@compiled()
def fill_values(
    indptr: Array,
    indices: Array,  # noqa: ARG001
    other_indptr: Array,  # noqa: ARG001
    other_indices: Array,  # noqa: ARG001
    values: Array,
    column: int,
    start: int,
    stop: int,
    data: Array,
    degrees: Array,
    placed: Array,
) -> None:
    """`place_values` for a matrix whose pattern is the common one."""
    lanes, values, data = data.shape[1], pointer(values), pointer(data)
    for i in range(start, stop):
        total = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            entry = np.float32(values[p])
            data[lanes * p + column] = entry
            total += float(entry)
        placed[i] = indptr[i + 1] - indptr[i]
        degrees[i, column] += total
