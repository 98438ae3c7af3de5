"""One graph through every door: each converter and each format must give the same graph."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch_geometric.data import Data

from hoscpool import Graph, as_graph

Arcs = dict[tuple[int, int], float]
N = 6


def dense_of(arcs: Arcs) -> Any:
    dense = np.zeros((N, N))
    for (u, v), weight in arcs.items():
        dense[u, v] = weight
    return dense


def networkx_of(arcs: Arcs, directed: bool) -> Any:
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(N))
    graph.add_weighted_edges_from((u, v, weight) for (u, v), weight in arcs.items())
    return graph


def edge_index_of(arcs: Arcs) -> Any:
    return torch.tensor(list(arcs), dtype=torch.long).reshape(-1, 2).T


OBJECTS: dict[str, Callable[[Arcs, bool], Any]] = {
    "ndarray": lambda arcs, _: dense_of(arcs),
    "csr_matrix": lambda arcs, _: sp.csr_matrix(dense_of(arcs)),
    "csc_array": lambda arcs, _: sp.csc_array(dense_of(arcs)),
    "coo_array": lambda arcs, _: sp.coo_array(dense_of(arcs)),
    "lil_matrix": lambda arcs, _: sp.lil_matrix(dense_of(arcs)),
    "dok_array": lambda arcs, _: sp.dok_array(dense_of(arcs)),
    "dia_array": lambda arcs, _: sp.dia_array(dense_of(arcs)),
    "bsr_array": lambda arcs, _: sp.bsr_array(dense_of(arcs)),
    "networkx": networkx_of,
    "dense tensor": lambda arcs, _: torch.tensor(dense_of(arcs)),
    "torch COO": lambda arcs, _: torch.tensor(dense_of(arcs)).to_sparse(),
    "torch CSR": lambda arcs, _: torch.tensor(dense_of(arcs)).to_sparse_csr(),
    "torch CSC": lambda arcs, _: torch.tensor(dense_of(arcs)).to_sparse_csc(),
    "PyG": lambda arcs, _: Data(
        edge_index=edge_index_of(arcs), edge_weight=torch.tensor(list(arcs.values()), dtype=torch.double), num_nodes=N
    ),
    "PyG adj_t": lambda arcs, _: Data(adj_t=torch.tensor(dense_of(arcs)).T.to_sparse_csr()),
}


def write_edge_list(path: Path, arcs: Arcs, directed: bool, delimiter: str = ",") -> None:
    """All nodes are named by a self-loop, which the reader drops; undirected edges are written once."""
    kept = {(u, v): weight for (u, v), weight in arcs.items() if directed or u < v}
    lines = [f"{u}{delimiter}{v}{delimiter}{weight!r}" for (u, v), weight in kept.items()]
    header = delimiter.join(["source", "target", "weight"])
    path.write_text("\n".join([header, *(f"{u}{delimiter}{u}{delimiter}1" for u in range(N)), *lines]))


FILES: dict[str, Callable[[Path, Arcs, bool], Any]] = {
    "g.npz": lambda path, arcs, _: sp.save_npz(path, sp.csr_array(dense_of(arcs))),
    "coo.npz": lambda path, arcs, _: sp.save_npz(path, sp.coo_matrix(dense_of(arcs)), compressed=False),
    "g.mtx": lambda path, arcs, _: scipy.io.mmwrite(path, sp.coo_array(dense_of(arcs))),
    "dense.mtx": lambda path, arcs, _: scipy.io.mmwrite(path, dense_of(arcs)),
    "g.graphml": lambda path, arcs, directed: nx.write_graphml(networkx_of(arcs, directed), path),
    "g.graphml.gz": lambda path, arcs, directed: nx.write_graphml(networkx_of(arcs, directed), path),
    "g.gml": lambda path, arcs, directed: nx.write_gml(networkx_of(arcs, directed), path),
    "g.gml.gz": lambda path, arcs, directed: nx.write_gml(networkx_of(arcs, directed), path),
    "g.csv": write_edge_list,
    "g.tsv": lambda path, arcs, directed: write_edge_list(path, arcs, directed, "\t"),
    "g.txt": lambda path, arcs, directed: write_edge_list(path, arcs, directed, " "),
    "g.edges": lambda path, arcs, directed: write_edge_list(path, arcs, directed, ";"),
}

WEIGHTS = st.floats(0.125, 1e6, allow_nan=False)
DIRECTED = st.dictionaries(
    st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda e: e[0] != e[1]), WEIGHTS
)


def symmetric(arcs: Arcs) -> Arcs:
    return {**arcs, **{(v, u): weight for (u, v), weight in arcs.items() if u < v or (v, u) not in arcs}}


def assert_same(graph: Graph, arcs: Arcs, directed: bool) -> None:
    assert (graph.num_nodes, graph.is_directed) == (N, directed)
    assert [str(name) for name in graph.names] == [str(node) for node in range(N)]
    np.testing.assert_allclose(graph.adjacency.toarray(), dense_of(arcs), rtol=1e-12)


@pytest.mark.parametrize("source", OBJECTS)
@settings(max_examples=25, deadline=None)
@given(arcs=DIRECTED)
def test_every_object_gives_the_same_graph(source: str, arcs: Arcs) -> None:
    assert_same(as_graph(OBJECTS[source](arcs, True), directed=True), arcs, True)
    arcs = symmetric(arcs)
    assert_same(as_graph(OBJECTS[source](arcs, False)), arcs, False)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.filterwarnings("ignore:6 self-loops were dropped")
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arcs=DIRECTED)
def test_every_format_gives_the_same_graph(file: str, arcs: Arcs, tmp_path: Path) -> None:
    path = tmp_path / file
    FILES[file](path, arcs, True)
    assert_same(as_graph(path, directed=True), arcs, True)
    arcs = symmetric(arcs)
    FILES[file](path, arcs, False)
    graph = as_graph(str(path))
    assert_same(graph, arcs, False)
    assert graph.name == file


AMBIGUOUS: list[tuple[str, Any, int, int]] = [
    ("2 × 2 array is an adjacency", np.array([[0, 1], [1, 0]]), 2, 1),
    ("2 × 2 integer tensor is an edge_index", torch.tensor([[0, 2], [2, 0]]), 3, 1),
    ("2 × 2 float tensor is an adjacency", torch.tensor([[0.0, 2], [2, 0]]), 2, 1),
    ("2 × 4 array is an edge_index", np.array([[0, 1, 1, 4], [1, 0, 4, 1]]), 5, 2),
    ("pair is always an edge_index", (np.array([[0, 1], [1, 0]]), 7), 7, 1),
    ("pair of a tensor", (torch.tensor([[0, 1], [1, 0]]), np.int64(7)), 7, 1),
    ("empty edge_index", np.zeros((2, 0), dtype=np.int64), 0, 0),
    ("empty pair", (torch.zeros((2, 0), dtype=torch.long), 4), 4, 0),
    ("empty pair of floats", (np.zeros((2, 0)), 4), 4, 0),
    ("empty adjacency", np.zeros((0, 0)), 0, 0),
    ("bool adjacency", np.array([[False, True], [True, False]]), 2, 1),
    ("bool sparse", sp.csr_array(np.array([[False, True], [True, False]])), 2, 1),
    ("unsigned", np.array([[0, 1], [1, 0]], dtype=np.uint8), 2, 1),
    ("3 × 3 integer tensor", torch.tensor([[0, 1, 0], [1, 0, 0], [0, 0, 0]]), 3, 1),
]


@pytest.mark.parametrize(("obj", "nodes", "edges"), [case[1:] for case in AMBIGUOUS], ids=[c[0] for c in AMBIGUOUS])
def test_how_arrays_are_read(obj: Any, nodes: int, edges: int) -> None:
    graph = as_graph(obj)
    assert (graph.num_nodes, graph.num_edges, graph.is_directed) == (nodes, edges, False)


def test_num_nodes_adds_isolated_nodes_to_an_edge_index() -> None:
    assert as_graph(torch.tensor([[0, 1], [1, 0]]), num_nodes=9).num_nodes == 9
    assert as_graph(np.array([[0, 1, 0], [1, 0, 1]])[:, :2].repeat(2, 1)[:, ::2], num_nodes=2).num_nodes == 2
    assert "largest index" in as_graph(torch.tensor([[0, 1], [1, 0]])).notes[0]


def test_a_graph_comes_back_as_it_is() -> None:
    graph = as_graph(np.array([[0, 1], [1, 0]]))
    assert as_graph(graph) is as_graph(graph, directed=False, num_nodes=2) is graph


def test_a_graph_with_overrides() -> None:
    graph = as_graph(np.array([[0, 1], [0, 0]]), directed=True, name="old", labels=[0, 1])
    changed = as_graph(graph, directed=False, features=np.eye(2), node_names=["a", "b"], name="new")
    assert (changed.is_directed, changed.num_edges, changed.names, changed.name) == (False, 1, ("a", "b"), "new")
    assert changed.labels is graph.labels or np.array_equal(changed.labels, [0, 1])  # type: ignore[arg-type]
    assert (graph.is_directed, graph.features, graph.name) == (True, None, "old")
    again = as_graph(changed, directed=True)
    assert (again.is_directed, again.num_edges) == (True, 2)


def test_given_node_data_replace_those_of_the_source() -> None:
    data = Data(x=torch.ones(2, 3), y=torch.tensor([0, 1]), edge_index=torch.tensor([[0, 1], [1, 0]]))
    graph = as_graph(data, features=np.zeros((2, 5)), labels=["b", "a"], node_names=["u", "v"])
    assert (graph.num_features, graph.labels is not None and graph.labels.tolist(), graph.names) == (
        5,
        [1, 0],
        ("u", "v"),
    )


def test_tables_next_to_a_file_are_aligned_by_name(write: Callable[[str, str], Path]) -> None:
    edges = write("edges.csv", "ann,bob\nbob,cid\n")
    features = write("x.csv", "node,age\ncid,3\nann,1\nbob,2\n")
    graph = as_graph(edges, features=features, labels=str(write("y.csv", "bob,r\nann,l\ncid,l\n")))
    assert graph.names == ("ann", "bob", "cid")
    assert graph.features is not None
    assert graph.features[:, 0].tolist() == [1, 2, 3]
    assert graph.labels is not None
    assert graph.labels.tolist() == [0, 1, 0]


@pytest.mark.parametrize("obj", [None, 3, object(), b"edges.csv"])
def test_other_types_are_refused(obj: Any) -> None:
    with pytest.raises(TypeError, match=f"expected a SciPy sparse matrix.*got {type(obj).__name__}"):
        as_graph(obj)


def test_heavy_libraries_are_not_imported() -> None:
    code = (
        "import sys, numpy, scipy.sparse as sp, hoscpool; hoscpool.as_graph(sp.csr_array([[0, 1], [1, 0]]))\n"
        "print({'torch', 'networkx', 'numba', 'torch_geometric'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ})
    assert run.stdout.strip() == "set()"


def test_classes_keep_their_names(write: Callable[[str, str], Path]) -> None:
    table = write("people.csv", "person,team\nc,Sales\na,Legal\nb,Sales\n")
    edges = [("a", "b"), ("b", "c")]
    given = as_graph(edges, labels=["Legal", "Sales", "Sales"])
    for graph in (given, as_graph(edges, labels=f"{table}:team"), as_graph(given.to_networkx())):
        assert graph.labels is not None
        assert graph.labels.tolist() == [0, 1, 1]
        assert list(graph.class_names or ()) == ["Legal", "Sales"]
        assert list(graph.classes or ()) == ["Legal", "Sales", "Sales"]
        assert "2: Legal, Sales" in graph._repr_html_()
    assert [data["y"] for _, data in given.to_networkx().nodes(data=True)] == ["Legal", "Sales", "Sales"]
    assert given.subgraph([2]).classes == ["Sales"]
    numbered = as_graph(given, labels=[3, 4, 4])
    assert (numbered.class_names, numbered.classes) == (None, [3, 4, 4])
    assert as_graph(edges).classes is None
