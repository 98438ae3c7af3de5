from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from hoscpool import as_graph
from hoscpool.support.errors import GraphWarning


def test_names_and_order_are_the_graphs_own(edges_of: Callable[..., Any], both_ways: Callable[..., Any]) -> None:
    source = nx.Graph([("c", "a"), ("a", ("t", 1))])
    source.add_node("alone")
    graph = as_graph(source)
    assert graph.names == ("c", "a", ("t", 1), "alone")
    assert edges_of(graph) == both_ways({("c", "a"): 1.0, ("a", ("t", 1)): 1.0})
    assert not graph.is_weighted


def test_plain_integers_need_no_names() -> None:
    assert as_graph(nx.path_graph(3)).node_names is None
    assert as_graph(nx.Graph([(1, 0)])).node_names == (1, 0)
    assert as_graph(nx.Graph([(False, True)])).node_names == (False, True)


def test_missing_weights_count_as_one(edges_of: Callable[..., Any], both_ways: Callable[..., Any]) -> None:
    source = nx.Graph()
    source.add_edge("a", "b", weight=2.5)
    source.add_edge("b", "c")
    assert edges_of(as_graph(source)) == both_ways({("a", "b"): 2.5, ("b", "c"): 1.0})


def test_digraphs_are_directed_without_a_warning(edges_of: Callable[..., Any]) -> None:
    graph = as_graph(nx.DiGraph([("a", "b"), ("b", "c")]))
    assert graph.is_directed
    assert edges_of(graph) == {("a", "b"): 1.0, ("b", "c"): 1.0}


def test_symmetric_digraphs_stay_directed() -> None:
    assert as_graph(nx.DiGraph([("a", "b"), ("b", "a")])).is_directed


@pytest.mark.parametrize(("weights", "expected"), [((2, 3), 5.0), ((None, None), 1.0)])
def test_parallel_edges_are_merged(weights: tuple[Any, Any], expected: float) -> None:
    source = nx.MultiGraph()
    for weight in weights:
        source.add_edge("a", "b", **({} if weight is None else {"weight": weight}))
    with pytest.warns(GraphWarning, match="1 repeated edge was merged"):
        graph = as_graph(source)
    assert graph.adjacency[0, 1] == graph.adjacency[1, 0] == expected


def test_multidigraph_and_self_loop() -> None:
    with pytest.warns(GraphWarning, match="1 self-loop was dropped"):
        graph = as_graph(nx.MultiDiGraph([("a", "b"), ("b", "b")]))
    assert (graph.is_directed, graph.num_edges) == (True, 1)


@pytest.mark.parametrize("weight", ["heavy", 1j, [1], "1_0"])
def test_weights_that_are_no_numbers(weight: Any) -> None:
    source = nx.Graph()
    source.add_edge("a", "b", weight=weight)
    with pytest.raises(ValueError, match="weights: the edge 'a' – 'b' has a weight that is not a real number"):
        as_graph(source)


@pytest.mark.parametrize(
    ("weight", "message"), [(-1, "≥ 0"), (float("nan"), "finite"), (10**400, "'a' – 'b'.*beyond 64-bit floats")]
)
def test_weights_out_of_range(weight: float, message: str) -> None:
    source = nx.Graph()
    source.add_edge("a", "b", weight=weight)
    with pytest.raises(ValueError, match=message):
        as_graph(source)


def test_attributes_x_and_y_become_features_and_labels() -> None:
    source = nx.path_graph(2)
    source.nodes[0].update(x=[1.0, 2.0], y="b")
    source.nodes[1].update(x=np.array([3, 4]), y="a")
    graph = as_graph(source)
    np.testing.assert_array_equal(graph.features, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(graph.labels, [1, 0])


def test_coordinates_called_x_and_y_are_not_mistaken_for_them() -> None:
    source = nx.path_graph(2)
    for node in source:
        source.nodes[node].update(x=0.5, y=1.5)
    graph = as_graph(source)
    assert graph.features is None
    assert graph.labels is None
    assert [note.split(":")[0] for note in graph.notes[:2]] == [
        "the node attribute 'x' was ignored",
        "the node attribute 'y' was ignored",
    ]


def test_partial_attributes_are_ignored_with_a_note() -> None:
    source = nx.path_graph(2)
    source.nodes[0]["y"] = 1
    graph = as_graph(source)
    assert graph.labels is None
    assert "'y' was ignored" in graph.notes[0]


@pytest.mark.parametrize("source", [nx.Graph(), nx.DiGraph(), nx.empty_graph(3)])
def test_graphs_without_edges(source: Any) -> None:
    assert as_graph(source).num_nodes == source.number_of_nodes()


def test_numbers_on_edges_that_are_not_called_weight_are_noted() -> None:
    graph = nx.Graph([("a", "b", {"value": 3, "kind": "friend"})])
    note = "the edge attributes 'value' were not used; weights are read from 'weight'"
    assert note in as_graph(graph).notes
    graph.edges["a", "b"]["weight"] = 2
    assert note not in as_graph(graph).notes
