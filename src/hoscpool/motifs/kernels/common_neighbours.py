"""Sums over the common neighbours of pairs of nodes that are not joined."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any


@compiled(inline="always")
def _write_row(found: Array, size: int, total: Array, end: int, out_indices: Array, out_data: Array) -> int:
    """Append the nonzero totals of the found nodes in ascending order, and reset the totals to zero."""
    found[:size].sort()
    for x in range(size):
        j = found[x]
        value = total[j]
        total[j] = 0
        if value != 0:
            out_indices[end], out_data[end] = j, value
            end += 1
    return end


@compiled()
def common_sums(
    indptr: Array,
    indices: Array,
    node_values: Array,
    binomial: bool,
    start: int,
    stop: int,
    row_ends: Array,
    out_indices: Array,
    out_data: Array,
) -> int:
    """Rows of Σ_{k ∈ N(i) ∩ N(j)} node_values[k] over the pairs i, j that are not joined, i ≠ j.

    With ``binomial`` the sum s becomes s·(s−1)/2. Row ``start`` is row 0 of the output. The output arrays have room for
    every wedge that begins in these rows. Returns the number of entries.
    """
    num_nodes = len(indptr) - 1
    total, joined = np.zeros(num_nodes, np.int64), np.full(num_nodes, -1, np.int32)
    seen, found, end = np.full(num_nodes, -1, np.int32), np.empty(num_nodes, np.int32), 0
    for i in range(start, stop):
        size = 0
        joined[i] = i
        for p in range(indptr[i], indptr[i + 1]):
            joined[indices[p]] = i
        for p in range(indptr[i], indptr[i + 1]):
            k = indices[p]
            for q in range(indptr[k], indptr[k + 1]):
                j = indices[q]
                if joined[j] != i:
                    found[size] = j
                    size += seen[j] != i  # not total[j] == 0, because node values may be zero
                    seen[j] = i
                    total[j] += node_values[k]
        if binomial:
            for x in range(size):
                total[found[x]] = total[found[x]] * (total[found[x]] - 1) // 2
        end = _write_row(found, size, total, end, out_indices, out_data)
        row_ends[i - start] = end
    return end


@compiled()
def common_edges(
    indptr: Array, indices: Array, start: int, stop: int, row_ends: Array, out_indices: Array, out_data: Array
) -> int:
    """Rows of the number of edges inside N(i) ∩ N(j) for pairs i, j that are not joined. Output as in `common_sums`."""
    num_nodes = len(indptr) - 1
    total, joined = np.zeros(num_nodes, np.int64), np.full(num_nodes, -1, np.int32)
    near, stamp = np.full(num_nodes, -1, np.int64), np.int64(0)
    found, end = np.empty(num_nodes, np.int32), 0
    for i in range(start, stop):
        size = 0
        joined[i] = i
        for p in range(indptr[i], indptr[i + 1]):
            joined[indices[p]] = i
        for p in range(indptr[i], indptr[i + 1]):
            x = indices[p]
            stamp += 1
            for q in range(indptr[x], indptr[x + 1]):
                near[indices[q]] = stamp
            for q in range(p + 1, indptr[i + 1]):
                y = indices[q]
                if near[y] == stamp:
                    for r in range(indptr[y], indptr[y + 1]):
                        j = indices[r]
                        if near[j] == stamp and joined[j] != i:
                            found[size] = j
                            size += total[j] == 0
                            total[j] += 1
        end = _write_row(found, size, total, end, out_indices, out_data)
        row_ends[i - start] = end
    return end
