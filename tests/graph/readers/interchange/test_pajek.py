"""Pajek networks: what Pajek and NetworkX write, and damaged files."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from hoscpool import as_graph

SMALL = """% a comment
*Vertices 4
1 "Ann Lee" 0.1 0.2 ellipse
2 Bob
3 "Cid"
*Edges
1 2 2.5
2 3
*Arcs
3 1
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "g.net"
    path.write_text(text)
    return path


def test_labels_weights_and_arcs(tmp_path: Path) -> None:
    graph = as_graph(write(tmp_path, SMALL))
    assert graph.names == ("Ann Lee", "Bob", "Cid", "4")
    assert graph.is_directed
    assert graph.adjacency[0, 1] == 2.5
    assert graph.adjacency[2, 0] == 1
    assert not as_graph(write(tmp_path, SMALL), weight=None).is_weighted


def test_lists_and_a_matrix(tmp_path: Path) -> None:
    graph = as_graph(write(tmp_path, "*vertices 4\n*edgeslist\n1 2 3\n3 4\n"))
    assert (graph.num_nodes, graph.num_edges, graph.is_directed, graph.names) == (4, 3, False, ("1", "2", "3", "4"))
    matrix = as_graph(write(tmp_path, "*Vertices 2\n*Matrix\n0 3\n1 0\n"))
    np.testing.assert_array_equal(matrix.adjacency.toarray(), [[0, 3], [1, 0]])
    equal = as_graph(write(tmp_path, '*Vertices 2\n1 "x"\n2 "x"\n*Edges\n1 2\n'))
    assert equal.names == ("1", "2")


def test_what_networkx_writes(tmp_path: Path) -> None:
    graph = nx.les_miserables_graph()
    nx.write_pajek(graph, tmp_path / "g.net")
    found, expected = as_graph(tmp_path / "g.net"), as_graph(graph)
    assert found.names == expected.names
    np.testing.assert_allclose(found.adjacency.toarray(), expected.adjacency.toarray())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("*Vertices 2\n*Edges\n1 3\n", "line 3: expected a node from 1 to 2, got '3'"),
        ("*Vertices 2\n*Edges\n1 0\n", "line 3: expected a node from 1 to 2, got '0'"),
        ("*Vertices 2\n*Edges\n1\n", "line 3: expected two nodes"),
        ("*Vertices 2\n*Edges\n1 2 -1\n", "line 3: expected a weight"),
        ("*Vertices 2\nAnn\n", "line 2: expected a node such as"),
        ("*Vertices many\n", "line 1: expected one line"),
        ("*Vertices 2\n*Circles\n", "line 2: expected \\*Vertices, \\*Edges or \\*Arcs"),
        ("1 2\n2 3\n", "line 1: expected '\\*Vertices' first"),
        ("*Network x\n", "expected a line such as '\\*Vertices 10'"),
        ("*Vertices 2\n*Matrix\n0 1\n1 0\n1 1\n", "line 5: expected 2 rows"),
        ("*Vertices 900000000\n*Edges\n1 2\n", "claims to have 900,000,000 nodes"),
    ],
)
def test_damaged_files_name_the_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"g\.net.*{message}"):
        as_graph(write(tmp_path, text))
