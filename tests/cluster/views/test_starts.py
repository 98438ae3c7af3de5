"""Starts: which of them a graph has, and what carries over to another graph."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.metrics import adjusted_rand_score
from torch import Tensor

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.inputs import motif_matrices
from hoscpool.cluster.sparse_features import SparseTable
from hoscpool.cluster.views.starts import Source, as_input, carry_over, parse_start
from hoscpool.datasets import planted_communities
from hoscpool.graph import Graph, as_graph

ALL = ("smooth-2", "spectral", "motif-spectral", "raw")


def make(graph: Graph) -> Source:
    return Source(graph, motif_matrices(graph, ("edge", "triangle")), 3, random_state=0)


def test_a_graph_has_the_starts_its_parts_allow(cliques: Graph, bare: Graph) -> None:
    assert make(cliques).available(ALL) == ALL
    assert make(bare).available(ALL) == ("spectral", "motif-spectral")
    assert make(bare).available(("raw", "smooth-2")) == ("spectral",)
    ring = as_graph(np.roll(np.eye(6), 1, axis=0) + np.roll(np.eye(6), -1, axis=0))
    assert make(ring).available(ALL) == ("spectral",)


def test_constant_features_are_no_start(bare: Graph) -> None:
    assert make(as_graph(bare, features=np.ones((24, 3)))).available(("smooth-2", "spectral")) == ("spectral",)


def test_every_start_is_a_finite_table(cliques: Graph) -> None:
    source = make(cliques)
    for start in ALL:
        table, _ = source.input(start)
        assert table.shape[0] == 24
        assert np.isfinite(table).all()
        assert source.input(start)[0] is table  # made once


def test_only_features_carry_over(cliques: Graph) -> None:
    source = make(cliques)
    view, fitted = source.input("smooth-2")
    np.testing.assert_allclose(carry_over("smooth-2", cliques, fitted), view, atol=1e-6)
    assert carry_over("raw", cliques, None) is cliques.features
    with pytest.raises(ValueError, match="coordinates of its own graph"):
        carry_over("spectral", cliques, None)


def test_sparse_tables_stay_sparse() -> None:
    assert isinstance(as_input(sp.csr_array(np.eye(9))), SparseTable)
    assert isinstance(as_input(np.eye(3)), Tensor)


@pytest.mark.parametrize("name", ["smooth", "smooth-x", "smooth-H", "Spectral"])
def test_unknown_start(name: str) -> None:
    with pytest.raises(ValueError, match="Valid starts: blend, raw, smooth-H"):
        parse_start(name)


@pytest.mark.parametrize(("filled", "kind"), [(2, SparseTable), (3, Tensor)])
def test_a_sparse_table_that_is_mostly_filled_becomes_dense(filled: int, kind: type) -> None:
    x = np.zeros((10, 6), dtype=np.float32)
    x[:, :filled] = 3
    found = as_input(sp.csr_array(x))
    assert isinstance(found, kind)
    product = found @ torch.eye(6)
    np.testing.assert_array_equal(product.numpy(), x)


def test_the_multilevel_start_is_the_memberships_of_the_engine() -> None:
    graph = planted_communities(300, 2_000, 3, random_state=100)
    source = Source(graph, motif_matrices(graph, ["edge", "triangle"]), 3, 0)
    assert source.available(("multilevel",)) == ("multilevel",)
    view, feature_map = source.input("multilevel")
    assert (view.shape, view.dtype, feature_map) == ((300, 3), np.float32, None)
    assert adjusted_rand_score(graph.labels, view.argmax(axis=1)) > 0.9
    model = HoscClustering(3, starts="multilevel", n_init=1, random_state=0).fit(graph)
    assert (model.solver_, model.start_) == ("network", "multilevel")
    assert adjusted_rand_score(graph.labels, model.labels_) > 0.9
    with pytest.raises(ValueError, match="mean nothing on another graph"):
        model.predict(graph.subgraph(np.arange(200)))
