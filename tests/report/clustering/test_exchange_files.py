"""GEXF and GraphML are read back by NetworkX and by us, with any names."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.report.clustering.exchange_files import Attribute, legal, node_attributes, write_gexf, write_graphml

HOSTILE = [
    "<b>&amp;\"'",
    "a\x00\x1b[31mred\x7f",
    "two\nlines\ttab\rreturn",
    "]]>",
    "\ud800 half",
    "ünï 北京 🦊",
    " ",
    "\ufffe",
]


def graph_of(names: list[str], *, directed: bool = False) -> hp.Graph:
    ring = nx.cycle_graph(len(names), create_using=nx.DiGraph if directed else nx.Graph)
    nx.set_edge_attributes(ring, {edge: 0.1 + i for i, edge in enumerate(ring.edges)}, "weight")
    return hp.as_graph(nx.relabel_nodes(ring, dict(enumerate(names))))


def columns(graph: hp.Graph) -> dict[str, Any]:
    count = graph.num_nodes
    return {
        "node": graph.names,
        "cluster": [i % 3 for i in range(count)],
        "confidence": [0.5 + i / 100 for i in range(count)],
    }


@pytest.mark.parametrize("kind", ["gexf", "graphml"])
@pytest.mark.parametrize("directed", [False, True])
def test_networkx_reads_what_was_written(kind: str, directed: bool, tmp_path: Path) -> None:
    graph, path = graph_of(HOSTILE, directed=directed), tmp_path / f"g.{kind}"
    attributes = node_attributes(graph, columns(graph), [i == 2 for i in range(len(HOSTILE))])
    if kind == "gexf":
        write_gexf(path, graph, attributes, columns(graph)["cluster"])
        found = nx.read_gexf(path)
    else:
        write_graphml(path, graph, attributes)
        found = nx.read_graphml(path)
    assert found.is_directed() == directed
    assert [found.nodes[str(i)]["name"] for i in range(len(HOSTILE))] == [legal(name) for name in HOSTILE]
    assert [data["cluster"] for _, data in found.nodes(data=True)] == columns(graph)["cluster"]
    assert [data["confidence"] for _, data in found.nodes(data=True)] == columns(graph)["confidence"]
    assert [data["between"] for _, data in found.nodes(data=True)] == [i == 2 for i in range(len(HOSTILE))]
    expected = {
        frozenset((str(a), str(b))): weight for (a, b), weight in np.ndenumerate(graph.adjacency.toarray()) if weight
    }
    assert {frozenset((a, b)): weight for a, b, weight in found.edges(data="weight")} == expected
    if kind == "gexf":
        assert [data["label"] for _, data in found.nodes(data=True)] == [legal(name) for name in HOSTILE]


@pytest.mark.parametrize("kind", ["gexf", "graphml"])
def test_our_own_readers_give_the_graph_back(kind: str, tmp_path: Path) -> None:
    graph, path = hp.as_graph(nx.les_miserables_graph()), tmp_path / f"g.{kind}"
    attributes = node_attributes(graph, columns(graph), None)
    write_gexf(path, graph, attributes, [0] * 77) if kind == "gexf" else write_graphml(path, graph, attributes)
    found = hp.as_graph(path)
    assert found.names == graph.names
    assert (found.adjacency != graph.adjacency).nnz == 0


def test_no_byte_that_xml_forbids_is_written(tmp_path: Path) -> None:
    graph = graph_of([chr(code) + "x" for code in range(64)] + ["\ud83d", "\uffff"])
    write_graphml(tmp_path / "g.graphml", graph, node_attributes(graph, columns(graph), None))
    content = (tmp_path / "g.graphml").read_bytes().decode("utf-8")
    assert legal(content) == content


def test_titles_and_classes_and_numbers(tmp_path: Path) -> None:
    graph = hp.as_graph(nx.path_graph(3), labels=[5, 6, 5])
    found = node_attributes(graph, {"node": graph.names, "title": ["a", "a", "b"], "cluster": [0, 0, 1]}, None)
    assert [(a.name, a.kind) for a in found] == [("title", "string"), ("cluster", "long"), ("class", "long")]
    write_gexf(tmp_path / "g.gexf", graph, [Attribute("<x>", "double", [1, 0.5, 2])], [0, 1, 99])
    read = nx.read_gexf(tmp_path / "g.gexf")
    assert read.nodes["1"]["<x>"] == 0.5
    assert "color" in read.nodes["2"]["viz"]


def test_a_large_graph_takes_seconds(tmp_path: Path) -> None:
    graph = hp.datasets.planted_communities(20_000, 100_000, 10)
    begun = time.process_time()
    attributes = node_attributes(graph, columns(graph), None)
    write_gexf(tmp_path / "g.gexf", graph, attributes, columns(graph)["cluster"])
    write_graphml(tmp_path / "g.graphml", graph, attributes)
    assert time.process_time() - begun < 8  # NetworkX takes longer for each


def test_classes_go_out_by_name() -> None:
    graph = hp.as_graph(nx.path_graph(2), labels=["x", "y"])
    (found,) = (one for one in node_attributes(graph, columns(graph), None) if one.name == "class")
    assert (found.kind, found.values) == ("string", ["x", "y"])
