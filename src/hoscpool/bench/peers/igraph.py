"""igraph: list all triangles, then count how often every edge occurs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hoscpool.bench.peers.common import Counts, edge_ends
from hoscpool.graph import Graph


class Input(NamedTuple):
    """An igraph graph, and the edges ``u · N + v`` (u < v) in order, to find them by."""

    graph: Any
    keys: npt.NDArray[np.int64]


def prepare(graph: Graph) -> Input:
    """The graph with edges in the common order."""
    import igraph

    u, v = edge_ends(graph)
    keys = u.astype(np.int64) * graph.num_nodes + v
    return Input(igraph.Graph(n=graph.num_nodes, edges=np.stack([u, v], axis=1)), keys)


def run(given: Input) -> Counts:
    """The count of every edge."""
    triangles = np.array(given.graph.list_triangles(), dtype=np.int64).reshape(-1, 3)
    triangles.sort(axis=1)
    first, second = triangles[:, [0, 0, 1]].ravel(), triangles[:, [1, 2, 2]].ravel()
    edges = np.searchsorted(given.keys, first * given.graph.vcount() + second)
    return np.bincount(edges, minlength=len(given.keys))
