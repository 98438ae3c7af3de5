"""Ten simple statistics of every node, the features of Syn2."""

from __future__ import annotations

import networkx as nx
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, without_diagonal

_DAMPING = 0.85
_STEPS = 100
TRIANGLES = 8
"""The column of `node_statistics` with the number of triangles."""
_CONSTANT = 1e-12  # a smaller spread is rounding error


def node_statistics(graph: Graph) -> npt.NDArray[np.float64]:
    """Ten statistics of every node of an undirected graph, ``[N, 10]``.

    Degree; mean, smallest and largest degree of the neighbours; number of nodes at distance two; core number;
    PageRank (damping 0.85); closeness; triangles; clustering coefficient. Statistics of neighbours are 0 for a node
    without neighbours.
    """
    adjacency = graph.adjacency
    degree = graph.degree.astype(float)
    triangles = _triangles(adjacency)
    wedges = degree * (degree - 1) / 2
    columns = [
        degree,
        _divide(adjacency @ degree, degree),
        *_extreme_neighbour_degrees(graph),
        _at_distance_two(adjacency),
        _core_number(graph),
        _pagerank(adjacency, degree),
        _closeness(adjacency),
        triangles,
        _divide(triangles, wedges),
    ]
    return np.stack(columns, axis=1)


def standardised_statistics(graph: Graph) -> npt.NDArray[np.float32]:
    """`node_statistics` with mean 0 and standard deviation 1 in every column; a constant column becomes 0."""
    columns = node_statistics(graph)
    spread = columns.std(axis=0)
    scaled = (columns - columns.mean(axis=0)) / np.where(spread > _CONSTANT, spread, 1)
    return np.asarray(scaled, dtype=np.float32)


def nodes_in_triangles(graph: Graph) -> npt.NDArray[np.bool_]:
    """Which nodes belong to at least one triangle, ``[N]``."""
    return _triangles(graph.adjacency) > 0


def _divide(numerator: npt.NDArray[np.float64], denominator: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=denominator > 0)


def _triangles(adjacency: sp.csr_array) -> npt.NDArray[np.float64]:
    return np.asarray((adjacency @ adjacency).multiply(adjacency).sum(axis=1)).ravel() / 2


def _extreme_neighbour_degrees(graph: Graph) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    degree = graph.degree.astype(float)
    rows = np.repeat(np.arange(graph.num_nodes), graph.degree)
    low, high = np.full(graph.num_nodes, np.inf), np.zeros(graph.num_nodes)
    np.minimum.at(low, rows, degree[graph.indices])
    np.maximum.at(high, rows, degree[graph.indices])
    return np.where(np.isinf(low), 0.0, low), high


def _at_distance_two(adjacency: sp.csr_array) -> npt.NDArray[np.float64]:
    within = without_diagonal(adjacency @ adjacency + adjacency)
    return np.asarray(np.diff(within.indptr) - np.diff(adjacency.indptr), dtype=float)


def _core_number(graph: Graph) -> npt.NDArray[np.float64]:
    cores = nx.core_number(nx.from_scipy_sparse_array(graph.adjacency))
    return np.array([cores[node] for node in range(graph.num_nodes)], dtype=float)


def _pagerank(adjacency: sp.csr_array, degree: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    n = len(degree)
    rank = np.full(n, 1 / n)
    for _ in range(_STEPS):
        walked = adjacency @ _divide(rank, degree)
        rank = (1 - _DAMPING) / n + _DAMPING * (walked + rank[degree == 0].sum() / n)
    return rank


def _closeness(adjacency: sp.csr_array) -> npt.NDArray[np.float64]:
    """Closeness within the node's component, scaled by the component's share of the graph (Wasserman and Faust)."""
    parts = adjacency.data.copy(), adjacency.indices.astype(np.int32), adjacency.indptr.astype(np.int32)
    copy = sp.csr_array(parts, adjacency.shape)  # SciPy 1.13 wants arrays that it may write to, and 32-bit indices
    distance = sp.csgraph.shortest_path(copy, directed=False, unweighted=True)
    distance[np.isinf(distance)] = 0
    reached = (distance > 0).sum(axis=1)
    total = distance.sum(axis=1)
    return _divide(reached * reached / max(1, len(total) - 1), total)
