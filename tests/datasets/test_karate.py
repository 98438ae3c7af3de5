from __future__ import annotations

import networkx as nx
import numpy as np

from hoscpool.datasets.synthetic import karate


def test_the_two_clubs() -> None:
    graph = karate()
    labels = np.asarray(graph.labels)
    assert np.bincount(labels).tolist() == [17, 17]
    assert (labels[0], labels[33]) == (0, 1), "the instructor and the officer"
    assert graph.weights is None
    assert graph.degree[33] == 17
    assert nx.is_isomorphic(nx.from_scipy_sparse_array(graph.adjacency), nx.karate_club_graph())
