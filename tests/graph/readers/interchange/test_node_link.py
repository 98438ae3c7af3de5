"""Graphs in JSON: of NetworkX, of D3, adjacency data, lists of neighbours, and damaged files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from hoscpool import Graph, as_graph


def write(folder: Path, content: Any) -> Path:
    path = folder / "g.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def same(found: Graph, expected: Graph) -> None:
    assert list(found.names) == list(expected.names)
    np.testing.assert_allclose(found.adjacency.toarray(), expected.adjacency.toarray())


@pytest.mark.parametrize("edges", ["links", "edges"])
@pytest.mark.parametrize("directed", [False, True])
def test_what_networkx_writes(edges: str, directed: bool, tmp_path: Path) -> None:
    graph = nx.les_miserables_graph()
    graph = nx.DiGraph(graph) if directed else graph
    graph.add_node("alone")
    same(as_graph(write(tmp_path, nx.node_link_data(graph, edges=edges))), as_graph(graph))
    same(as_graph(write(tmp_path, nx.adjacency_data(graph))), as_graph(graph))


def test_d3_counts_places_and_may_have_no_ids(tmp_path: Path) -> None:
    d3 = {"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": 0, "target": 1, "value": 7}]}
    graph = as_graph(write(tmp_path, d3))
    assert (graph.names, graph.num_edges, graph.is_weighted) == (("a", "b"), 1, False)
    assert as_graph(tmp_path / "g.json", weight="value").adjacency[0, 1] == 7
    plain = as_graph(write(tmp_path, {"nodes": [{}, {}, {}], "links": [{"source": 0, "target": 2}]}))
    assert (plain.num_nodes, plain.num_edges, plain.node_names) == (3, 1, None)
    resolved = {"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": {"id": "a"}, "target": {"id": "b"}}]}
    assert as_graph(write(tmp_path, resolved)).num_edges == 1


def test_a_list_of_neighbours(tmp_path: Path) -> None:
    assert as_graph(write(tmp_path, {"a": ["b", "c"], "b": ["c"]})).num_edges == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"nodes": [', "line 1: cannot be read as JSON"),
        ("[1, 2]", "expected an object with nodes and links, got a list"),
        ({"nodes": [{"id": 1}], "links": [{"source": 1}]}, "link 0: expected an object with source and target"),
        ({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 5}]}, "link 0: there is no node 5"),
        ({"nodes": [{"id": 1}, {"id": 1}], "links": []}, "every node once"),
        ({"nodes": 7, "links": []}, "expected a list of nodes"),
        ({"nodes": [{"id": 1}], "adjacency": []}, "a list for each of the nodes"),
        ('{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": NaN}]}', "NaN is no number"),
        ({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "weight": "x"}]}, "expected numbers"),
        ("[" * 100_000, "nested too deeply|cannot be read"),
    ],
)
def test_damaged_files(content: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message) as found:
        as_graph(write(tmp_path, content))
    assert "g.json" in str(found.value)
