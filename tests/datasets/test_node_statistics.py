"""The ten statistics against NetworkX."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from hoscpool.datasets.node_statistics import node_statistics, nodes_in_triangles
from hoscpool.graph.build import build_graph

GRAPHS = {
    "karate": nx.karate_club_graph(),
    "two parts and a lone node": nx.disjoint_union_all([nx.complete_graph(4), nx.path_graph(3), nx.empty_graph(1)]),
    "random": nx.gnp_random_graph(60, 0.05, seed=3),
    "no edges": nx.empty_graph(3),
}


def expected(graph: Any) -> Any:
    degree = dict(graph.degree)
    around = {node: [degree[other] for other in graph[node]] for node in graph}
    distance = dict(nx.all_pairs_shortest_path_length(graph))
    columns = [
        degree,
        {node: np.mean(found) if found else 0 for node, found in around.items()},
        {node: min(found, default=0) for node, found in around.items()},
        {node: max(found, default=0) for node, found in around.items()},
        {node: sum(steps == 2 for steps in distance[node].values()) for node in graph},
        nx.core_number(graph),
        nx.pagerank(graph, alpha=0.85, tol=1e-12, max_iter=500, weight=None),
        nx.closeness_centrality(graph),
        nx.triangles(graph),
        nx.clustering(graph),
    ]
    return np.array([[column[node] for column in columns] for node in range(len(graph))], dtype=float)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
def test_every_statistic(graph: Any) -> None:
    arcs = np.array([*graph.edges, *((v, u) for u, v in graph.edges)], dtype=int).reshape(-1, 2)
    ours = build_graph(arcs[:, 0], arcs[:, 1], None, len(graph), directed=False)
    np.testing.assert_allclose(node_statistics(ours), expected(graph), atol=1e-7)
    np.testing.assert_array_equal(nodes_in_triangles(ours), expected(graph)[:, 8] > 0)
