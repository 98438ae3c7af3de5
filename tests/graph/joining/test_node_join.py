"""Tables about nodes: joined by name, in any order, with a list of what was used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from hoscpool import as_graph
from hoscpool.support.errors import GraphWarning

PEOPLE = """id,full name,age,city,team,joined_id,same,bio
c,Cid Cole,40,Rome,red,7,x,likes tea
a,Ann Lee,20,Oslo,blue,9,x,likes jam
zoe,Zoe Zed,99,Oslo,red,1,x,none here
d,Dan Do,,Rome,blue,2,x,a b
b,Ann Lee,30,Oslo,red,3,x,b c
"""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def path_graph() -> nx.Graph:
    return nx.path_graph(["a", "b", "c", "d"])


def test_numbers_are_scaled_and_categories_become_columns(people: Path) -> None:
    graph: Any = as_graph(path_graph(), nodes=people)
    assert graph.feature_names == ("age", "city=Oslo", "city=Rome", "team=blue", "team=red")
    scale = float(np.std([20, 30, 40]))
    np.testing.assert_allclose(graph.features[:, 0], [-10 / scale, 0, 10 / scale, 0], rtol=1e-6)
    np.testing.assert_array_equal(graph.features[:, 1:], [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1], [0, 1, 1, 0]])
    assert graph.titles == ("Ann Lee", "Ann Lee", "Cid Cole", "Dan Do")
    assert graph.notes[-1] == (
        f"{people}: features from 'age' (numbers), 'city' (categories), 'team' (categories); titles from 'full name'; "
        "not used: 'joined_id' (ids), 'same' (the same for all), 'bio' (text)"
    )
    assert f"{people}: 1 row about no node of the graph" in graph.notes


def test_every_source_gives_the_same(people: Path, tmp_path: Path) -> None:
    expected: Any = as_graph(path_graph(), nodes=people)
    frame = pd.read_csv(people)
    frame.to_excel(tmp_path / "people.xlsx", index=False)
    frame.to_parquet(tmp_path / "people.parquet")
    frame.set_index("id").T.to_json(tmp_path / "people.json")
    (tmp_path / "people.psv").write_text(PEOPLE.replace(",", "|"))
    sources: list[Any] = [tmp_path / f"people.{ending}" for ending in ("xlsx", "parquet", "json", "psv")]
    for source in [*sources, frame, frame.set_index("id"), frame.set_index("id").T.to_dict()]:
        found: Any = as_graph(path_graph(), nodes=source)
        np.testing.assert_allclose(found.features, expected.features, rtol=1e-6)
        assert (found.feature_names, found.titles) == (expected.feature_names, expected.titles)


def test_rows_may_be_missing_and_this_is_said(people: Path) -> None:
    graph = nx.path_graph(["a", "b", "x", "y"])
    with pytest.warns(GraphWarning, match=r"people\.csv: no row for 2 nodes of 4 \('x', 'y'\); their features are 0"):
        found: Any = as_graph(graph, nodes=people)
    assert not found.features[2:].any()
    assert found.titles == ("Ann Lee", "Ann Lee", "x", "y")


def test_classes_are_no_features(people: Path) -> None:
    found: Any = as_graph(path_graph(), nodes=people, labels=f"{people}:team")
    assert "team=red" not in found.feature_names
    assert "'team' (classes)" in found.notes[-1]
    assert found.labels.tolist() == [0, 1, 1, 0]
    people.write_text("node,class,x\na,1,1\nb,2,2\nc,1,1\nd,2,5\n")
    assert as_graph(path_graph(), nodes=people).feature_names == ("x",)


def test_features_of_the_graph_stay(people: Path) -> None:
    found: Any = as_graph(path_graph(), features=np.eye(4), nodes=people)
    assert found.features.shape == (4, 9)
    assert found.feature_names[:5] == ("feature 0", "feature 1", "feature 2", "feature 3", "age")


def test_whole_numbers_as_ids_and_a_table_without_features(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("page,label\n2,Two\n0,Zero\n1,One\n")
    found: Any = as_graph(nx.path_graph(3), nodes=path)
    assert (found.titles, found.features, found.feature_names) == (("Zero", "One", "Two"), None, None)
    assert "no features; titles from 'label'" in found.notes[-1]
    assert found.subgraph([2, 0]).titles == ("Two", "Zero")
    assert found.to_networkx().nodes[2]["title"] == "Two"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,x\na,1\na,2\nb,1\n", "line 3: expected one row for every node, got another one for 'a'"),
        ("id,x\nq,1\nr,2\n", "expected a column with the names of the nodes, such as 'a', 'b', 'c'"),
        ("id,id\na,1\n", "line 1: expected every column once"),
        ("id\na\n", "expected a header with at least two columns"),
        ("id,x\na\n", "line 2: expected 2 cells"),
        ("id,x\n", "and rows below it"),
    ],
)
def test_wrong_tables(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as error:
        as_graph(path_graph(), nodes=path)
    assert "bad.csv" in str(error.value)


def test_wrong_objects(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="nodes: expected the path of a table"):
        as_graph(path_graph(), nodes=7)
    with pytest.raises(ValueError, match="expected for every node a dict"):
        as_graph(path_graph(), nodes={"a": 1})
    (tmp_path / "n.doc").write_text("x")
    with pytest.raises(ValueError, match=r"extension '\.doc' is not known"):
        as_graph(path_graph(), nodes=tmp_path / "n.doc")
    (tmp_path / "n.json").write_text("[1]")
    with pytest.raises(ValueError, match="got a list"):
        as_graph(path_graph(), nodes=tmp_path / "n.json")
    with pytest.raises(FileNotFoundError):
        as_graph(path_graph(), nodes=tmp_path / "missing.csv")
