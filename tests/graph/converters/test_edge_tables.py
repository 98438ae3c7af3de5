"""Data frames, lists and dicts against the same edges by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import hoscpool as hp
from hoscpool.support.errors import GraphWarning

BANK = pd.DataFrame(
    {"from_account": ["a", "b", "c"], "to_account": ["b", "c", "a"], "year": [1999, 2000, 2001], "amount": [1, 2.5, 3]}
)


def edges(graph: hp.Graph) -> dict[tuple[Any, Any], float]:
    found = graph.adjacency.tocoo()
    names = list(graph.names)
    return {(names[i], names[j]): float(w) for i, j, w in zip(found.row, found.col, found.data, strict=True)}


def test_columns_by_name() -> None:
    graph = hp.as_graph(BANK, source="from_account", target="to_account", weight="amount", directed=True)
    assert edges(graph) == {("a", "b"): 1, ("b", "c"): 2.5, ("c", "a"): 3}
    assert graph.notes == (
        "columns: 'from_account' and 'to_account' are the ends of an edge, 'amount' its weight; 'year' is not used",
    )
    other = BANK.rename(columns={"amount": "year"})  # no column is called a weight
    assert not hp.as_graph(other, source="from_account", target="to_account").is_weighted


def test_a_column_that_is_called_a_weight_is_one_unless_the_user_says_no() -> None:
    frame = pd.DataFrame({"Weight": [2, 3], "source": [10, 3], "target": [3, 7], "time": ["x", "y"]})
    graph = hp.as_graph(frame)
    assert list(graph.names) == [3, 7, 10]
    assert edges(graph)[10, 3] == 2
    assert not hp.as_graph(frame, weight=None).is_weighted


def test_an_adjacency_with_names() -> None:
    names = ["x", "y", "z"]
    frame = pd.DataFrame([[0, 2, 0], [2, 0, 1], [0, 1, 0]], index=names, columns=names)
    graph = hp.as_graph(frame)
    assert list(graph.names) == names
    assert edges(graph) == {("x", "y"): 2, ("y", "x"): 2, ("y", "z"): 1, ("z", "y"): 1}
    frame.loc["x", "y"] = np.nan
    with pytest.raises(ValueError, match="expected a number in every cell of the adjacency"):
        hp.as_graph(frame)


def test_names_of_many_kinds_and_isolated_nodes() -> None:
    graph = hp.as_graph({"a": ["b", 3], "b": [], (1, 2): ["a"], "alone": []})
    assert list(graph.names) == ["a", "b", (1, 2), "alone", 3]
    assert graph.num_edges == 3


@pytest.mark.parametrize("missing", [None, "", float("nan"), pd.NA, pd.NaT])
def test_incomplete_rows_are_named_or_skipped_and_counted(missing: Any) -> None:
    frame = pd.DataFrame({"source": ["a", missing, "c"], "target": ["b", "c", "a"]}, index=[10, 11, 12], dtype=object)
    with pytest.raises(ValueError, match="row 11 has an empty cell; expected two ends"):
        hp.as_graph(frame)
    with pytest.warns(GraphWarning, match="1 row with an empty cell was skipped"):
        graph = hp.as_graph(frame, on_bad_rows="skip")
    assert set(edges(graph)) == {("a", "b"), ("b", "a"), ("c", "a"), ("a", "c")}


def test_an_empty_weight_makes_a_row_incomplete() -> None:
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.5, np.nan]})
    with pytest.raises(ValueError, match="row 1 has an empty cell; expected two ends and a weight"):
        hp.as_graph(frame)


def test_lists_and_dicts_agree_with_networkx() -> None:
    graph = nx.gnp_random_graph(12, 0.3, seed=1)
    nx.set_edge_attributes(graph, {edge: 1 + sum(edge) for edge in graph.edges}, "weight")
    expected = edges(hp.as_graph(graph))
    triples = [(a, b, data["weight"]) for a, b, data in graph.edges(data=True)]
    assert edges(hp.as_graph(triples, weight=2)) == expected
    assert edges(hp.as_graph(list(graph.edges(data=True)))) == expected
    assert edges(hp.as_graph(nx.to_dict_of_dicts(graph), directed=True)) == expected
    assert edges(hp.as_graph(nx.to_pandas_edgelist(graph))) == expected
    assert edges(hp.as_graph(nx.to_pandas_adjacency(graph))) == expected
    plain = set(edges(hp.as_graph(nx.Graph(list(graph.edges)))))
    assert set(edges(hp.as_graph(list(graph.edges)))) == plain
    assert set(edges(hp.as_graph(nx.to_dict_of_lists(graph), directed=True))) == plain


def test_anything_that_yields_edges_is_a_list_of_edges() -> None:
    pairs = [("a", "b"), ("b", "c"), ("c", "a")]
    expected = set(edges(hp.as_graph(pairs)))
    for obj in (set(pairs), iter(pairs), nx.Graph(pairs).edges(), nx.Graph(pairs).edges):
        assert set(edges(hp.as_graph(obj))) == expected
    assert edges(hp.as_graph(nx.Graph([("a", "b", {"weight": 2})]).edges(data=True))) == {("a", "b"): 2, ("b", "a"): 2}


def test_a_frame_of_two_or_three_columns_begins_with_the_ends_as_a_file_does(tmp_path: Path) -> None:
    frame = pd.DataFrame({"writer": ["a", "b"], "reader": ["b", "c"], "year": [1999, 2000]})
    frame.to_csv(tmp_path / "letters.csv", index=False)
    graph = hp.as_graph(frame)
    with pytest.warns(GraphWarning, match="the header line 'writer,reader,year' was skipped"):
        assert edges(graph) == edges(hp.as_graph(tmp_path / "letters.csv"))
    assert not graph.is_weighted
    assert "columns: 'writer' and 'reader' are the ends of an edge, without weights; 'year' is not used" in graph.notes
    named = pd.DataFrame({"date": ["May", "June"], "receiver": ["b", "c"], "sender": ["a", "b"]})
    assert set(edges(hp.as_graph(named, directed=True))) == {("a", "b"), ("b", "c")}


def test_a_third_entry_may_be_a_time() -> None:
    with pytest.warns(GraphWarning, match="third entry of 2 edges was not used; pass weight=2"):
        graph = hp.as_graph([("a", "b", 1999), ("b", "c", 2000)])
    assert not graph.is_weighted
    assert not hp.as_graph([("a", "b", 1999), ("b", "c", 2000)], weight=None).is_weighted  # says nothing


def test_nothing_at_all() -> None:
    assert hp.as_graph([]).num_nodes == 0
    assert hp.as_graph({}).num_nodes == 0
    assert hp.as_graph({1: [], 2: []}).num_nodes == 2


@pytest.mark.parametrize(
    ("obj", "options", "message"),
    [
        (BANK, {}, "expected columns that are known as the ends of an edge"),
        (BANK, {"source": "from_account"}, "source, target: expected both or neither"),
        (BANK, {"source": "from", "target": "to_account"}, "source: there is no column 'from'; expected one of"),
        (BANK, {"source": "from_account", "target": "to_account", "weight": "w"}, "weight: there is no column 'w'"),
        (BANK.astype(str), {"source": "from_account", "target": "to_account", "weight": "year"}, "expected numbers"),
        (BANK, {"on_bad_rows": "ignore"}, "on_bad_rows: expected 'error' or 'skip'"),
        ([(1, 2), 3], {}, r"expected a list of tuples .*, got 3 at place 1"),
        ([(1, 2, 3, 4)], {}, "expected a list of tuples"),
        ({0, 1}, {}, "expected a list of tuples .*, got 0 at place 0"),
        ([[0, 1], [1, 0]], {}, "for a matrix pass a NumPy array"),
        ({"a": 3}, {}, "expected a list of neighbours for the node 'a', got 3"),
        ({"a": "bc"}, {}, "expected a list of neighbours for the node 'a', got 'bc'"),
        (np.eye(3), {"source": "a", "target": "b"}, "source, target: expected a table of edges, got ndarray"),
        ([([1], 2)], {}, "graph: expected ends of edges that can be compared, such as text or numbers"),
        ({"a": [["b"]]}, {}, "graph: expected ends of edges that can be compared"),
        (pd.DataFrame({"source": [{}], "target": [1]}), {}, "graph: expected ends of edges that can be compared"),
        ([("a", "b", 10**400)], {"weight": 2}, "weights: expected numbers within 64-bit floats"),
        ({"a": {"b": 10**400}}, {}, "weights: expected numbers within 64-bit floats"),
        (pd.DataFrame(index=range(3)), {}, "got no columns"),
        (np.eye(3), {"weight": "w"}, "weight: ndarray has no columns or attributes"),
    ],
)
def test_what_is_refused(obj: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hp.as_graph(obj, **options)


def test_weights_are_ignored_on_request_wherever_they_come_from() -> None:
    matrix = np.array([[0, 2.0], [2.0, 0]])
    for obj in (matrix, hp.as_graph(matrix), nx.from_numpy_array(matrix)):
        assert hp.as_graph(obj).is_weighted
        assert not hp.as_graph(obj, weight=None).is_weighted
    graph = nx.Graph()
    graph.add_edge("a", "b", amount=7)
    with_amount = hp.as_graph(graph, weight="amount")
    assert edges(with_amount) == {("a", "b"): 7, ("b", "a"): 7}
