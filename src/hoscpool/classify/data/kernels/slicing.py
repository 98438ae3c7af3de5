"""Cuts a batch out of a union of graphs in one pass, without index arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any


@compiled()
def list_nodes(ptr: Array, chosen: Array, nodes: Array, graph: Array) -> None:
    """The nodes of the chosen graphs, and the place of their graph in the batch.

    Args:
        ptr: Index of the first node of every graph.
        chosen: Numbers of the chosen graphs.
        nodes: Filled here.
        graph: Filled here.
    """
    row = 0
    for place in range(len(chosen)):
        for node in range(ptr[chosen[place]], ptr[chosen[place] + 1]):
            nodes[row] = node
            graph[row] = place
            row += 1


@compiled()
def cut_rows(
    indptr: Array, indices: Array, values: Array, ptr: Array, chosen: Array,
    out_indptr: Array, out_indices: Array, out_values: Array,
) -> None:  # fmt: skip
    """The rows of the chosen graphs, with columns counted within the batch.

    Args:
        indptr: Row pointers of the union.
        indices: Columns, counted within each graph.
        values: Entries, or ``None`` when all are 1.
        ptr: Index of the first node of every graph.
        chosen: Numbers of the chosen graphs.
        out_indptr: Filled here.
        out_indices: Filled here.
        out_values: Filled here; ``None`` if ``values`` is ``None``.
    """
    row, entry = 0, 0
    out_indptr[0] = 0
    for graph in chosen:
        first, last = indptr[ptr[graph]], indptr[ptr[graph + 1]]
        shift = np.int32(row)
        for p in range(first, last):
            out_indices[entry + p - first] = indices[p] + shift
        if values is not None:
            for p in range(first, last):
                out_values[entry + p - first] = values[p]
        for node in range(ptr[graph], ptr[graph + 1]):
            row += 1
            out_indptr[row] = indptr[node + 1] - first + entry
        entry += last - first
