"""The kept ego networks of every node, and the edges between them, in compiled loops; see `ego_attention`."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any
FASTER = 8
"""How many multiplications a dense product does while a walk does one."""
LARGEST = 4096
"""Nodes of the largest graph that is written out as a dense matrix."""


@compiled()
def list_members(indptr: Array, indices: Array, score: Array, kept: Array) -> Any:
    """S by rows: the kept ego networks of every node, ascending, with Σ α. No pair occurs twice.

    Args:
        indptr: Where the ego network of every node begins.
        indices: Its nodes.
        score: Their α.
        kept: The M nodes whose ego networks stay.

    Returns:
        Row pointers ``[N + 1]``, ego networks from 0 to M − 1, and the entries.
    """
    size = len(indptr) - 1
    ptr, latest = np.zeros(size + 1, np.int64), np.full(size, -1)
    for m in range(len(kept)):
        for p in range(indptr[kept[m]], indptr[kept[m] + 1]):
            if latest[indices[p]] != m:
                latest[indices[p]] = m
                ptr[indices[p] + 1] += 1
    for i in range(size):
        ptr[i + 1] += ptr[i]
    place, clusters, values = ptr[:-1].copy(), np.empty(ptr[size], np.int64), np.zeros(ptr[size], score.dtype)
    for m in range(len(kept)):
        for p in range(indptr[kept[m]], indptr[kept[m] + 1]):
            j = indices[p]
            if place[j] == ptr[j] or clusters[place[j] - 1] != m:
                clusters[place[j]] = m
                place[j] += 1
            values[place[j] - 1] += score[p]
    return ptr, clusters, values


@compiled()
def transpose(indptr: Array, indices: Array, values: Array) -> Any:
    """A square matrix by rows, from its columns or the other way round."""
    ptr, turned, moved = np.zeros_like(indptr), np.empty_like(indices), np.empty_like(values)
    for p in range(len(indices)):
        ptr[indices[p] + 1] += 1
    for i in range(len(ptr) - 1):
        ptr[i + 1] += ptr[i]
    place = ptr[:-1].copy()
    for i in range(len(ptr) - 1):
        for p in range(indptr[i], indptr[i + 1]):
            to = place[indices[p]]
            turned[to], moved[to] = i, values[p]
            place[indices[p]] += 1
    return ptr, turned, moved


@compiled()
def coarsen(egos: Any, kept: Array, members: Any, edges: Any, begin: Array) -> Any:
    """SᵀAS without its diagonal, graph by graph, as sparse or dense product. Entries that happen to be 0 are kept.

    Args:
        egos: Row pointers, nodes and α of all ego networks.
        kept: The M nodes whose ego networks stay, by graph.
        members: S, from `list_members`.
        edges: A by rows, from `transpose`.
        begin: Where the nodes of every graph begin, and their number.

    Returns:
        Rows, columns and entries.
    """
    indptr, indices, score = egos
    size, most, count, first = len(indptr) - 1, 2 * len(indices), 0, 0
    rows, cols, values = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, score.dtype)
    middle, out = np.zeros(size, score.dtype), np.zeros(len(kept), score.dtype)  # a row of SᵀA and one of SᵀAS
    nodes, clusters = np.empty(size, np.int64), np.empty(len(kept), np.int64)  # their columns
    seen, found = np.full(size, -1), np.full(len(kept), -1)
    for g in range(len(begin) - 1):
        last = first
        while last < len(kept) and kept[last] < begin[g + 1]:
            last += 1
        is_dense = _is_dense(begin[g], begin[g + 1], egos, kept[first:last], edges)
        if is_dense:
            product, there = _multiply(begin[g], begin[g + 1], egos, kept[first:last], edges)
        for m in range(first, last):
            if is_dense:
                between = _read_row(product[m - first], there[m - first], first, out, clusters)
            else:
                own = slice(indptr[kept[m]], indptr[kept[m] + 1])
                reached = _add_rows(m, indices[own], score[own], edges, middle, nodes, seen)
                between = _add_rows(m, nodes[:reached], middle[nodes[:reached]], members, out, clusters, found)
            if count + between > most:
                most = 2 * (count + between)
                rows, cols, values = _grown(rows, most), _grown(cols, most), _grown(values, most)
            for column in clusters[:between]:
                if column != m:
                    rows[count], cols[count], values[count] = m, column, out[column]
                    count += 1
        first = last
    return rows[:count], cols[:count], values[:count]


@compiled()
def _is_dense(begin: int, end: int, egos: Any, kept: Array, edges: Any) -> bool:
    """Whether a graph has so many edges that dense products are faster."""
    (indptr, indices, _), size = egos, end - begin
    work, limit = 0, (size * size * len(kept)) // FASTER
    if size > LARGEST:
        return False
    for node in kept:
        for p in range(indptr[node], indptr[node + 1]):
            work += edges[0][indices[p] + 1] - edges[0][indices[p]]
    return work > limit


@compiled()
def _multiply(begin: int, end: int, egos: Any, kept: Array, edges: Any) -> Any:
    """SᵀAS of one graph, and above 0 where it has an entry, which may be 0."""
    (indptr, indices, score), (ptr, targets, weights) = egos, edges
    size = end - begin
    a, s = np.zeros((size, size), score.dtype), np.zeros((len(kept), size), score.dtype)
    has_a, has_s = np.zeros_like(a), np.zeros_like(s)
    for i in range(size):
        for p in range(ptr[begin + i], ptr[begin + i + 1]):
            a[i, targets[p] - begin] += weights[p]
            has_a[i, targets[p] - begin] = 1
    for m in range(len(kept)):
        for p in range(indptr[kept[m]], indptr[kept[m] + 1]):
            s[m, indices[p] - begin] += score[p]
            has_s[m, indices[p] - begin] = 1
    return np.dot(np.dot(s, a), s.T), np.dot(np.dot(has_s, has_a), has_s.T)


@compiled()
def _read_row(row: Array, there: Array, first: int, total: Array, columns: Array) -> int:
    """A row of a graph's own matrix, put where `_add_rows` would."""
    count = 0
    for c in range(len(row)):
        if there[c] > 0:
            columns[count], total[first + c] = first + c, row[c]
            count += 1
    return count


@compiled()
def _add_rows(
    mark: int, chosen: Array, factors: Array, matrix: Any, total: Array, columns: Array, latest: Array
) -> int:
    """Rows of a sparse matrix, each times its factor, summed; how many columns that reaches, which are listed."""
    indptr, indices, values = matrix
    count = 0
    for c in range(len(chosen)):
        for p in range(indptr[chosen[c]], indptr[chosen[c] + 1]):
            column, value = indices[p], factors[c] * values[p]
            if latest[column] == mark:
                total[column] += value
            else:
                latest[column], total[column], columns[count] = mark, value, column
                count += 1
    return count


@compiled()
def _grown(array: Array, size: int) -> Array:
    larger = np.empty(size, array.dtype)
    larger[: len(array)] = array
    return larger
