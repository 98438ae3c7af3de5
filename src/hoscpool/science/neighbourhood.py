"""The part of a large graph around some nodes. The work depends on the part, not on the graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs import Motif

Nodes = npt.NDArray[np.int64]


def rows_of(graph: Graph, nodes: Nodes) -> tuple[Nodes, Nodes]:
    """The sizes of the rows of these nodes, and all their entries one after the other, as places in ``indices``."""
    first, size = graph.indptr[nodes], graph.indptr[nodes + 1] - graph.indptr[nodes]
    return size, np.repeat(first - np.cumsum(size) + size, size) + np.arange(int(size.sum()))


def ball(graph: Graph, nodes: Nodes, radius: int) -> Nodes:
    """All nodes at most so many steps away, ascending."""
    found = front = np.unique(nodes)
    for _ in range(radius):
        near = np.unique(graph.indices[rows_of(graph, front)[1]]).astype(np.int64)
        front = np.setdiff1d(near, found, assume_unique=True)
        found = np.union1d(found, front)
    return found


def induced(graph: Graph, nodes: Nodes) -> tuple[Graph, int]:
    """The bare induced subgraph on these ascending nodes, and the number of entries that were read."""
    size, places = rows_of(graph, nodes)
    target = np.searchsorted(nodes, graph.indices[places])
    keep = nodes[np.minimum(target, len(nodes) - 1)] == graph.indices[places]
    source = np.repeat(np.arange(len(nodes)), size)[keep]
    indptr = np.concatenate(([0], np.cumsum(np.bincount(source, minlength=len(nodes)))))
    weights = None if graph.weights is None else graph.weights[places][keep]
    part = Graph(indptr.astype(np.int64), target[keep].astype(np.int32), weights, is_directed=graph.is_directed)
    return part, len(places)


def edges_at(graph: Graph, region: Nodes, nodes: Nodes) -> tuple[sp.csr_array, int]:
    """The symmetric weights of all edges at a region, among these ascending nodes, and the number of entries read."""
    size, places = rows_of(graph, region)
    ends = np.searchsorted(nodes, np.repeat(region, size)), np.searchsorted(nodes, graph.indices[places])
    weights = np.ones(len(places)) if graph.weights is None else graph.weights[places]
    half = sp.csr_array((weights, ends), shape=(len(nodes), len(nodes)))
    return sp.csr_array(half.maximum(half.T)), len(places)


def diameter(motif: Motif) -> int:
    """The largest number of steps between two roles of a motif. An instance at a node lies so near to it."""
    steps = np.full((motif.num_nodes,) * 2, motif.num_nodes)
    for a in range(motif.num_nodes):
        for b in range(motif.num_nodes):
            steps[a, b] = 0 if a == b else 1 if motif.is_joined(a, b) else motif.num_nodes
    for middle in range(motif.num_nodes):
        steps = np.minimum(steps, steps[:, [middle]] + steps[[middle]])
    return int(steps.max())
