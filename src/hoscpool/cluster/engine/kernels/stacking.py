"""Several sparse matrices on one pattern."""

from __future__ import annotations

from typing import Any

from hoscpool.support.compiled import compiled

Array = Any


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
