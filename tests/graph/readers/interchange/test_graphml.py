from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from hoscpool import as_graph
from hoscpool.support.errors import GraphWarning

Write = Callable[[str, str], Path]


def test_graphml_ids_are_names(tmp_path: Path, edges_of: Callable[..., Any], both_ways: Callable[..., Any]) -> None:
    nx.write_graphml(nx.Graph([("ann", "bob"), ("bob", "cid")]), tmp_path / "g.graphml")
    graph = as_graph(tmp_path / "g.graphml")
    assert edges_of(graph) == both_ways({("ann", "bob"): 1.0, ("bob", "cid"): 1.0})


@pytest.mark.parametrize("key", ["name", "label"])
def test_graphml_names_of_igraph(key: str, tmp_path: Path) -> None:
    source = nx.Graph([("n0", "n1")])
    source.nodes["n0"][key], source.nodes["n1"][key] = "ann", "bob"
    nx.write_graphml(source, tmp_path / "g.graphml")
    assert as_graph(tmp_path / "g.graphml").names == ("ann", "bob")


def test_graphml_names_that_repeat_are_not_used(tmp_path: Path) -> None:
    source = nx.Graph([("n0", "n1")])
    nx.set_node_attributes(source, "same", "name")
    nx.write_graphml(source, tmp_path / "g.graphml")
    assert as_graph(tmp_path / "g.graphml").names == ("n0", "n1")


@pytest.mark.parametrize(("writer", "suffix"), [(nx.write_graphml, "graphml"), (nx.write_gml, "gml")])
def test_weights_and_direction(writer: Callable[..., None], suffix: str, tmp_path: Path) -> None:
    source = nx.DiGraph()
    source.add_edge("a", "b", weight=2.5)
    writer(source, tmp_path / f"g.{suffix}")
    graph = as_graph(tmp_path / f"g.{suffix}")
    assert (graph.is_directed, graph.adjacency[0, 1], graph.names) == (True, 2.5, ("a", "b"))


def test_gml_coordinates_are_not_labels(tmp_path: Path) -> None:
    source = nx.Graph([("a", "b")])
    nx.set_node_attributes(source, 3, "y")
    nx.write_gml(source, tmp_path / "g.gml")
    assert as_graph(tmp_path / "g.gml").labels is None


GML_NODES = 'node [ id 3 label "ann" ] node [ id 5 label "bob" ]'


def test_gml_labels_are_names(write: Write) -> None:
    assert as_graph(write("g.gml", f"graph [ {GML_NODES} edge [ source 3 target 5 ] ]")).names == ("ann", "bob")


def test_gml_without_labels_uses_ids(write: Write) -> None:
    text = "graph [ node [ id 3 ] node [ id 5 ] edge [ source 3 target 5 ] ]"
    assert as_graph(write("g.gml", text)).names == (3, 5)


def test_gml_repeated_edges_need_no_announcement(write: Write) -> None:
    edge = "edge [ source 3 target 5 ]"
    path = write("g.gml", f'Creator "x"\ngraph\n[\n directed 1 {GML_NODES} {edge} {edge} ]')
    with pytest.warns(GraphWarning, match="1 repeated edge was merged"):
        graph = as_graph(path)
    assert (graph.is_directed, graph.num_edges) == (True, 1)


BAD = [
    ("g.gml", "graph [ node [ id 0 ] edge [ source 0 target 7 ] ]", "cannot be read as GML"),
    (
        "g.gml",
        'graph [ node [ id 0 label "a" label "b" ] ]',
        "expected one label for every node, got several for the node 0",
    ),
    ("g.gml", "hello", "cannot be read as GML"),
    ("g.graphml", "<graphml><node></graphml>", "cannot be read as GraphML"),
    ("g.graphml", "<html></html>", "cannot be read as GraphML"),
    ("g.gml.gz", "", "cannot be read as GML"),
]


@pytest.mark.parametrize(("name", "text", "message"), BAD)
def test_bad_files(name: str, text: str, message: str, write: Write) -> None:
    with pytest.raises(ValueError, match=message):
        as_graph(write(name, text))


def test_gml_with_many_blank_lines_is_read_at_once(write: Write) -> None:
    edge = "edge [ source 3 target 5 ]"
    begun = time.process_time()
    with pytest.warns(GraphWarning, match="1 repeated edge was merged"):
        as_graph(write("g.gml", f"graph [ {GML_NODES}" + "\n" * 60_000 + f"{edge} {edge} ]"))
    assert time.process_time() - begun < 2  # a quadratic expression took 5 s


def test_what_is_nested_too_deeply(write: Write) -> None:
    with pytest.raises(ValueError, match=r"g\.gml: cannot be read as GML, it is nested too deeply"):
        as_graph(write("g.gml", "graph [ " + "a [ " * 20_000))


def test_a_negative_weight_names_the_file(write: Write) -> None:
    with pytest.raises(ValueError, match=r"g\.gml: weights: expected numbers ≥ 0, got -1"):
        as_graph(write("g.gml", f"graph [ {GML_NODES} edge [ source 3 target 5 weight -1 ] ]"))


def test_a_type_that_is_not_declared_is_noted(write: Write) -> None:
    text = (
        "<graphml xmlns='http://graphml.graphdrawing.org/xmlns'><key id='d0' for='node' attr.name='name'/>"
        "<graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>"
    )
    assert "No key type for id d0. Using string" in as_graph(write("g.graphml", text)).notes


def test_gexf_as_networkx_writes_it(tmp_path: Path) -> None:
    graph = nx.les_miserables_graph()
    nx.write_gexf(graph, tmp_path / "g.gexf")
    found, expected = as_graph(tmp_path / "g.gexf"), as_graph(graph)
    assert found.names == expected.names
    assert (found.adjacency != expected.adjacency).nnz == 0
    (tmp_path / "g.gexf").write_bytes((tmp_path / "g.gexf").read_bytes()[:900])
    with pytest.raises(ValueError, match=r"g\.gexf: cannot be read as GEXF"):
        as_graph(tmp_path / "g.gexf")
