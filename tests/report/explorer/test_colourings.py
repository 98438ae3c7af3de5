"""By what the nodes of the map are coloured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np

import hoscpool as hp
from hoscpool.report.explorer.colourings import categories_of, colourable
from hoscpool.report.explorer.explorer_page import explorer_block

TABLE = "node,city,age\n0,Oslo,1\n1,Porto,2\n2,Oslo,9\n3,,4\n4,Lyon,5\n5,Porto,3\n6,Lyon,3\n"


def test_a_category_is_one_colouring_and_no_features(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(TABLE)
    graph = hp.as_graph(nx.path_graph(7), nodes=tmp_path / "people.csv")
    (city,) = categories_of(graph)
    assert (city.name, city.values) == ("city", ["Lyon", "Oslo", "Porto", "not known"])
    assert [city.values[code] for code in city.codes] == ["Oslo", "Porto", "Oslo", "not known", "Lyon", "Porto", "Lyon"]
    assert {(graph.feature_names or ())[at] for at in city.columns} == {"city=Lyon", "city=Oslo", "city=Porto"}


def test_columns_that_are_not_one_choice_of_several_are_features() -> None:
    table = np.array([[1, 1], [0, 1], [1, 0]])
    for features in (table, np.array([[0.5, 0], [0, 1], [1, 0]])):
        graph = hp.as_graph(nx.path_graph(3), features=features)
        assert categories_of(graph) == []
        assert categories_of(replace(graph, feature_names=("a=x", "a=y"))) == []


def test_features_that_set_nothing_apart_give_no_colouring() -> None:
    graph = hp.as_graph(nx.cycle_graph(8), features=np.tile([[1.0], [2.0]], (4, 1)))
    values, names, ranges = colourable(graph, {"": []}, None, frozenset())
    assert (values.shape, names, ranges) == ((0, 8), [], [])
    assert explorer_block(graph, {"": np.repeat([0, 1], 4)}).data
