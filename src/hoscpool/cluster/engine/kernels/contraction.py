"""Compiled steps of a level: several sparse matrices on one pattern, and a level whose nodes are communities."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.support.compiled import compiled

Array = Any

UNSEEN = -1.0
"""Weight of a community that the one at hand has not met; real weights are not negative."""


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
        found: Scratch ``[count]``.
    """
    count, lanes = len(begin) - 1, level.data.shape[1]
    capacity = max(1024, (level.indptr[-1] * (stop - start)) // (3 * max(count, 1)))
    out, out_data = np.empty(capacity, np.int32), np.empty((capacity, lanes), np.float32)
    end = 0
    for c in range(start, stop):
        size = 0
        for j in range(lanes):
            weight[c, j] = 0.0
        for t in range(begin[c], begin[c + 1]):
            i = members[t]
            for p in range(level.indptr[i], level.indptr[i + 1]):
                b = labels[level.indices[p]]
                if weight[b, 0] < 0:
                    found[size] = b
                    size += 1
                    for j in range(lanes):
                        weight[b, j] = 0.0
                for j in range(lanes):
                    weight[b, j] += level.data[p, j]
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

    ``placed`` counts the entries of each row that had a place.
    """
    for i in range(start, stop):
        q, end, total = other_indptr[i], other_indptr[i + 1], 0.0
        for p in range(indptr[i], indptr[i + 1]):
            while q < end and other_indices[q] < indices[p]:
                q += 1
            if q < end and other_indices[q] == indices[p]:
                data[p, column] = values[q]
                total += data[p, column]
                placed[i] += 1
                q += 1
            else:
                data[p, column] = 0
        degrees[i, column] += total
