"""NetworKit: the triangle scores of its edge sparsifiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.bench.peers.common import Counts, counts_of_pairs, edge_ends
from hoscpool.graph import Graph


def prepare(graph: Graph, threads: int = 1) -> Any:
    """A NetworKit graph with indexed edges."""
    import networkit as nk

    nk.setNumberOfThreads(threads)
    u, v = edge_ends(graph)
    converted = nk.graph.GraphFromCoo((u.astype(np.uint64), v.astype(np.uint64)), n=graph.num_nodes)
    converted.indexEdges()
    return converted


def run(graph: Any) -> Any:
    """The score object after its run; reading the scores out of it is not counted."""
    from networkit.sparsification import TriangleEdgeScore

    return graph, TriangleEdgeScore(graph).run()


def run_chiba_nishizeki(graph: Any) -> Any:
    """The same by its second algorithm."""
    from networkit.sparsification import ChibaNishizekiTriangleEdgeScore

    return graph, ChibaNishizekiTriangleEdgeScore(graph).run()


def answer(graph: Graph, result: Any) -> Counts:
    """The count of every edge."""
    converted, score = result
    ends: list[tuple[int, int, int]] = []
    converted.forEdges(lambda u, v, _weight, edge_id: ends.append((u, v, edge_id)))
    u, v, edge_id = np.array(ends, np.int64).reshape(-1, 3).T
    return counts_of_pairs(graph, u, v, np.asarray(score.scores())[edge_id])
