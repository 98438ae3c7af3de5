from __future__ import annotations

from collections.abc import Callable
from functools import partial

import networkx as nx
import numpy as np
import pytest

from hoscpool.bench.graphs.generators import co_purchase, graph_from_pairs, powerlaw_cluster, rmat
from hoscpool.graph import Graph

GENERATORS = [partial(rmat, 8), partial(powerlaw_cluster, 500), partial(co_purchase, 3_000)]


def to_networkx(graph: Graph) -> nx.Graph:
    return nx.from_scipy_sparse_array(graph.adjacency)


@pytest.mark.parametrize("generate", GENERATORS, ids=["rmat", "powerlaw", "co_purchase"])
def test_generated_graphs_are_simple_and_repeatable(generate: Callable[..., Graph]) -> None:
    graph, again, other = generate(seed=1), generate(seed=1), generate(seed=2)
    adjacency = graph.adjacency.toarray()
    assert graph.indptr.dtype == np.int64
    assert graph.indices.dtype == np.int32
    assert np.array_equal(adjacency, adjacency.T)
    assert not adjacency.diagonal().any()
    assert adjacency.max() == 1
    assert all((np.diff(row) > 0).all() for row in np.split(graph.indices, graph.indptr[1:-1]))
    assert np.array_equal(graph.indices, again.indices)
    assert not np.array_equal(graph.indices, other.indices)


def test_pairs_become_a_graph() -> None:
    graph = graph_from_pairs(np.array([2, 0, 0, 1, 2]), np.array([0, 2, 1, 1, 3]), 5)
    assert graph.adjacency.toarray().tolist() == [
        [0, 1, 1, 0, 0],
        [1, 0, 0, 0, 0],
        [1, 0, 0, 1, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0],
    ]


def test_rmat_has_the_size_and_the_skew_of_graph500() -> None:
    graph = rmat(12)
    assert graph.num_nodes == 4096
    assert 0.6 * 16 * 4096 < graph.num_edges <= 16 * 4096
    assert graph.degree.max() > 20 * graph.degree.mean()


def test_powerlaw_cluster_grows_by_its_links_and_closes_triangles() -> None:
    graph = powerlaw_cluster(2_000, links=5)
    assert graph.num_edges == 5 * (2_000 - 5)
    assert graph.degree.max() > 50
    closed, open_ = (nx.transitivity(to_networkx(powerlaw_cluster(2_000, 5, p))) for p in (0.9, 0.0))
    assert closed > 2 * open_


def test_co_purchase_resembles_the_original() -> None:
    graph = co_purchase(20_000)  # the original: 2.77 edges and 2.0 triangles a node, clustering 0.40
    converted = to_networkx(graph)
    assert graph.num_edges / graph.num_nodes == pytest.approx(2.77, rel=0.05)
    assert sum(nx.triangles(converted).values()) / 3 / graph.num_nodes == pytest.approx(2.0, rel=0.1)
    assert nx.average_clustering(converted) == pytest.approx(0.4, abs=0.05)
