from __future__ import annotations

import json
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp


def test_columns_are_the_instances() -> None:
    graph = nx.gnp_random_graph(12, 0.5, seed=0)
    expected = {
        trio for trio in combinations(range(12), 3) if all(graph.has_edge(*pair) for pair in combinations(trio, 2))
    }
    found = hp.to_hypergraph(graph, "triangle")
    columns = [tuple(np.flatnonzero(column).tolist()) for column in found.incidence.toarray().T]
    assert set(columns) == expected
    assert len(columns) == found.num_edges == len(expected)
    W = (found.incidence.astype(int) @ found.incidence.T.astype(int)).toarray()
    np.fill_diagonal(W, 0)
    np.testing.assert_array_equal(W, hp.motif_adjacency(graph, "triangle").toarray())


def test_hif() -> None:
    """The keys and values that the schema of the format asks for."""
    graph = nx.relabel_nodes(nx.complete_graph(4), {0: "Ann", 1: ("B", 2), 2: np.int64(7), 3: True})
    hif = json.loads(json.dumps(hp.to_hypergraph(graph).to_hif()))
    assert set(hif) == {"network-type", "metadata", "nodes", "edges", "incidences"}
    assert hif["network-type"] in {"directed", "undirected", "asc"}
    nodes, edges = [node["node"] for node in hif["nodes"]], [edge["edge"] for edge in hif["edges"]]
    assert nodes == ["Ann", "('B', 2)", 7, "True"]
    assert edges == [0, 1, 2, 3]
    assert all(set(one) == {"edge", "node"} for one in hif["incidences"])
    members = [{one["node"] for one in hif["incidences"] if one["edge"] == edge} for edge in edges]
    assert sorted(map(len, members)) == [3] * 4
    assert set().union(*members) == set(nodes)


def test_anchors_and_no_instances() -> None:
    ends = hp.Motif.from_edges("ends", [(0, 1), (1, 2)], anchors=[0, 2])
    found = hp.to_hypergraph(nx.path_graph("abc"), ends)
    assert found.incidence.toarray().ravel().tolist() == [1, 0, 1]
    nothing = hp.to_hypergraph(nx.path_graph(3), "triangle")
    assert (nothing.num_nodes, nothing.num_edges) == (3, 0)
    assert nothing.to_hif()["incidences"] == []
    with pytest.raises(ValueError, match="unknown motif"):
        hp.to_hypergraph(nx.path_graph(3), "triangles-of-steel")
