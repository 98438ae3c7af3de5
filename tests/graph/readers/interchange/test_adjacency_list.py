"""Adjacency lists, as NetworkX writes them."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from hoscpool import as_graph


@pytest.mark.parametrize("delimiter", [" ", ",", "\t"])
def test_what_networkx_writes(delimiter: str, tmp_path: Path) -> None:
    graph = nx.Graph(nx.karate_club_graph().edges)
    graph.add_node(99)
    nx.write_adjlist(graph, tmp_path / "g.adjlist", delimiter=delimiter)
    found = as_graph(tmp_path / "g.adjlist")
    assert list(found.names) == [*range(34), 99]
    assert {frozenset(edge) for edge in found.to_networkx().edges} == {frozenset(edge) for edge in graph.edges}


def test_names_and_directions(tmp_path: Path) -> None:
    path = tmp_path / "g.adjlist"
    path.write_text("# made by hand\nann bob cid\nbob cid\ndan\n")
    graph = as_graph(path)
    assert (list(graph.names), graph.num_edges) == (["ann", "bob", "dan", "cid"], 3)
    assert as_graph(path, directed=True).num_edges == 3
    with pytest.raises(ValueError, match="weight: this format has no names of columns"):
        as_graph(path, weight="x")
    with pytest.raises(ValueError, match="only tables of edges have columns"):
        as_graph(path, source="x", target="y")


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "g.adjlist"
    path.write_text("a,b\n,c\n")
    with pytest.raises(ValueError, match=r"g\.adjlist, line 2: expected the names of nodes, got an empty one"):
        as_graph(path)
    path.write_text("# nothing\n")
    with pytest.raises(ValueError, match="the file has no nodes"):
        as_graph(path)
