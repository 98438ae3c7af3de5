"""New nodes that are placed by their neighbours."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.cluster.neighbour_labels import place_by_neighbours
from hoscpool.graph import as_graph

S = np.array([[0.9, 0.1], [0.2, 0.8]], np.float32)


def test_neighbours_give_their_mean_ring_by_ring() -> None:
    """0 and 1 are known; 2 hangs on both with weights 1 and 3, 3 on 2 alone, and 4 on nothing."""
    links = np.zeros((5, 5))
    links[0, 2], links[1, 2], links[2, 3] = 1, 3, 5
    found = place_by_neighbours(as_graph(sp.csr_array(links + links.T), directed=False), None, S)
    two = (S[0] + 3 * S[1]) / 4
    np.testing.assert_allclose(found, [*S, two, two, S.mean(axis=0)], rtol=1e-6)


def test_nodes_are_known_by_name() -> None:
    graph = as_graph(np.array([[0, 1.0, 0], [1, 0, 1], [0, 1, 0]]), node_names=["b", "new", "x"])
    found = place_by_neighbours(graph, ["a", "b"], S)
    np.testing.assert_allclose(found, [S[1]] * 3)


def test_a_graph_without_a_known_node_is_refused() -> None:
    graph = as_graph(np.array([[0, 1.0], [1, 0]]), node_names=["x", "y"])
    with pytest.raises(ValueError, match="expected nodes of the fit among its nodes, got none"):
        place_by_neighbours(graph, ["a", "b"], S)


def test_a_long_path_ends_in_time() -> None:
    n = 3_000
    path = sp.diags_array([np.ones(n - 1), np.ones(n - 1)], offsets=[-1, 1], format="csr")
    found = place_by_neighbours(as_graph(path), None, S)
    np.testing.assert_allclose(found[1:], np.tile(S[1], (n - 1, 1)), rtol=1e-3)
