"""Higher-order clustering by hand, by brute force over cliques, and against NetworkX."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from hoscpool.metrics import higher_order_clustering
from hoscpool.support.errors import GraphWarning


def by_definition(graph: nx.Graph, order: int) -> tuple[list[float], float]:
    """The closed share of all wedges (a clique, and one more edge at a node of it), per centre and altogether."""
    closed, every = dict.fromkeys(graph, 0), dict.fromkeys(graph, 0)
    for clique in combinations(graph, order):
        if all(graph.has_edge(*pair) for pair in combinations(clique, 2)):
            for centre in clique:
                for leaf in set(graph[centre]) - set(clique):
                    every[centre] += 1
                    closed[centre] += all(graph.has_edge(leaf, node) for node in clique)
    local = [closed[node] / every[node] if every[node] else 0.0 for node in graph]
    return local, sum(closed.values()) / max(sum(every.values()), 1)


@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_by_definition(order: int, seed: int) -> None:
    graph = nx.gnp_random_graph(12, [0.2, 0.5, 0.7, 0.9][seed], seed=seed)
    local, overall = by_definition(graph, order)
    np.testing.assert_allclose(higher_order_clustering(graph, order, average=None), local)
    assert higher_order_clustering(graph, order) == pytest.approx(overall)


def test_by_hand() -> None:
    """A four-clique 0–3 with a tail 4 at node 0. At node 0: triangles 3, degree 4, one four-clique: 3·1 / (2·3)."""
    graph = nx.complete_graph(4)
    graph.add_edge(0, 4)
    assert higher_order_clustering(graph, 3, None).tolist() == [0.5, 1, 1, 1, 0]
    assert higher_order_clustering(graph, 3, "mean") == 3.5 / 4
    assert higher_order_clustering(graph, 3) == 12 / 15
    assert higher_order_clustering(graph, 4) == 0


def test_order_two_is_that_of_networkx() -> None:
    graph = nx.karate_club_graph()
    assert higher_order_clustering(graph) == pytest.approx(nx.transitivity(graph))
    local = list(nx.clustering(graph).values())
    np.testing.assert_allclose(higher_order_clustering(graph, 2, None), local)
    centres = [node for node in graph if graph.degree[node] > 1]
    assert higher_order_clustering(graph, 2, "mean") == pytest.approx(nx.average_clustering(graph, centres))


@pytest.mark.parametrize("order", [2, 3, 4])
def test_complete_and_empty_graphs(order: int) -> None:
    assert higher_order_clustering(nx.complete_graph(7), order) == 1
    for graph in (nx.empty_graph(0), nx.empty_graph(3), nx.path_graph(2)):
        assert higher_order_clustering(graph, order) == 0
        assert higher_order_clustering(graph, order, "mean") == 0
        assert higher_order_clustering(graph, order, None).tolist() == [0] * len(graph)
    with pytest.warns(GraphWarning, match="ignores edge directions"):
        assert higher_order_clustering(nx.DiGraph([(0, 1), (1, 2), (2, 0)])) == 1


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="order: expected 2, 3 or 4, got 5"):
        higher_order_clustering(nx.path_graph(3), 5)
    with pytest.raises(ValueError, match="average: expected 'global', 'mean' or None, got 'local'"):
        higher_order_clustering(nx.path_graph(3), 2, "local")
