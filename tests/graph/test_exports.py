"""Out to another library and back again gives the same graph."""

from __future__ import annotations

import sys

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.graph.exports import to_networkx
from hoscpool.support.errors import MissingDependencyError


def graphs() -> list[hp.Graph]:
    rng = np.random.default_rng(0)
    A = np.triu(rng.random((7, 7)) < 0.5, 1) * rng.uniform(1, 3, (7, 7))
    names = [f"n{i}" for i in range(7)]
    features = rng.normal(size=(7, 3)).astype(np.float32)
    return [
        hp.as_graph(nx.karate_club_graph(), weight=None),
        hp.as_graph(A + A.T, node_names=names, features=features, labels=rng.integers(3, size=7)),
        hp.as_graph(A, directed=True, node_names=names),
        hp.as_graph(sp.csr_array((4, 4))),
        hp.as_graph(sp.csr_array((0, 0))),
    ]


@pytest.mark.parametrize("number", range(5))
def test_and_back_again(number: int) -> None:
    pytest.importorskip("igraph")
    graph = graphs()[number]
    for made in (graph.to_networkx(), graph.to_igraph(), graph.to_pyg()):
        back = hp.as_graph(made, directed=graph.is_directed)
        np.testing.assert_allclose(back.adjacency.toarray(), graph.adjacency.toarray(), rtol=1e-6)
    for made in (graph.to_networkx(), graph.to_igraph()):
        assert list(hp.as_graph(made).names) == list(graph.names)
    assert graph.to_networkx().is_directed() == graph.to_igraph().is_directed() == graph.is_directed
    back = hp.as_graph(graph.to_networkx())
    assert (back.labels is None) == (graph.labels is None)
    if graph.features is not None:
        assert np.array_equal(np.asarray(back.features), np.asarray(graph.features))
        assert np.array_equal(np.asarray(hp.as_graph(graph.to_pyg()).features), np.asarray(graph.features))


@pytest.mark.parametrize("number", range(3))
def test_a_data_frame_lists_every_edge_once(number: int) -> None:
    graph = graphs()[number]
    frame = graph.to_pandas()
    assert len(frame) == graph.num_edges
    assert list(frame.columns) == ["source", "target"] + ["weight"] * graph.is_weighted
    back = hp.as_graph(frame, directed=graph.is_directed)
    assert set(back.names) <= set(graph.names)
    assert back.num_edges == graph.num_edges
    assert back.adjacency.sum() == pytest.approx(graph.adjacency.sum())


def test_half_a_character_in_a_name_is_kept() -> None:
    """Text that was cut inside an emoji, as in JSON, does not fit into the text type of pandas."""
    edges = [("\ud83d", "b"), ("b", "c"), ("c", "\ud83d")]
    graph = hp.as_graph(edges)
    assert set(graph.to_pandas().itertuples(index=False, name=None)) == {("\ud83d", "b"), ("b", "c"), ("\ud83d", "c")}
    assert list(hp.node_motif_counts(graph, ["triangle"]).index) == ["\ud83d", "b", "c"]
    assert hp.HoscClustering(1).fit(graph).to_frame()["node"].tolist() == ["\ud83d", "b", "c"]


def test_attributes_of_the_nodes_go_with_them() -> None:
    graph = graphs()[1]
    made = to_networkx(graph, {"cluster": np.arange(7)})
    assert made.nodes["n3"]["cluster"] == 3
    assert isinstance(made.nodes["n3"]["cluster"], int)


@pytest.mark.parametrize("weight", ["heavy", 1j, 10**400])
def test_weights_of_igraph_that_are_no_numbers(weight: object) -> None:
    made = pytest.importorskip("igraph").Graph(edges=[(0, 1)])
    made.es["weight"] = [weight]
    with pytest.raises(ValueError, match="weights: expected a number within 64-bit floats on every edge"):
        hp.as_graph(made)


def test_igraph_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingDependencyError, match=r"pip install igraph$"):
        graphs()[0].to_igraph()
