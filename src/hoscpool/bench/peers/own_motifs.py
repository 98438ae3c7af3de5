"""HoscPool's own side of the motif benchmarks: a fresh graph in every call, so that all set-up is timed."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from hoscpool.bench.peers.common import Counts, counts_of_matrix
from hoscpool.graph import Graph


def triangle(graph: Graph, threads: int = 1) -> Any:
    """The triangle adjacency."""
    from hoscpool.motifs import motif_adjacency

    return motif_adjacency(_fresh(graph), "triangle", n_threads=threads)


def clique4_and_cycle4(graph: Graph, threads: int = 1) -> tuple[Any, Any]:
    """The cliques and the induced cycles of four nodes on every edge, in one call."""
    from hoscpool.motifs import motif_adjacencies

    names = ["clique4", "cycle4"]
    found = motif_adjacencies(_fresh(graph), names, induced=True, on_edges=True, n_threads=threads)
    return found["clique4"], found["cycle4"]


def counts_of_both(graph: Graph, matrices: tuple[Any, Any]) -> Counts:
    """The count of every edge in cliques and in cycles, ``[2, E]``."""
    return np.stack([counts_of_matrix(graph, matrix) for matrix in matrices])


def fingerprint(_graph: Graph, matrix: Any) -> list[Any]:
    """Sum and hash of a large matrix, to compare it without sending it."""
    digest = hashlib.blake2b()
    for part in (matrix.indptr, matrix.indices, matrix.data):
        digest.update(np.ascontiguousarray(part).view(np.uint8).data)
    return [str(matrix.data.sum()), digest.hexdigest()]


def _fresh(graph: Graph) -> Graph:
    """A graph that remembers nothing of earlier calls."""
    return Graph(graph.indptr, graph.indices)
