"""SuiteSparse GraphBLAS: a product with the semiring (plus, pair), masked by the upper triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.bench.peers.common import Counts, counts_of_pairs
from hoscpool.graph import Graph


def prepare(graph: Graph, threads: int = 1) -> tuple[Any, Any]:
    """The adjacency matrix (one value for all entries) and its upper triangle."""
    import graphblas as gb

    gb.ss.config["nthreads"] = threads
    adjacency = gb.Matrix.ss.import_csr(
        nrows=graph.num_nodes,
        ncols=graph.num_nodes,
        indptr=graph.indptr.astype(np.uint64),
        col_indices=graph.indices.astype(np.uint64),
        values=np.ones(1, np.int64),
        is_iso=True,
        sorted_cols=True,
    )
    upper = gb.select.triu(adjacency, 1).new()
    adjacency.wait()
    upper.wait()
    return adjacency, upper


def run(matrices: tuple[Any, Any]) -> Any:
    """The triangle support above the diagonal; a row times a row, the fastest of the library's methods here."""
    from graphblas import semiring

    adjacency, upper = matrices
    support = semiring.plus_pair(adjacency @ adjacency.T).new(mask=upper.S)
    support.wait()
    return support


def answer(graph: Graph, support: Any) -> Counts:
    """The count of every edge."""
    return counts_of_pairs(graph, *support.to_coo())
