"""What `fit` takes: every way of saying the same graph gives the same graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.base import BaseEstimator
from torch_geometric.data import Data

from hoscpool.cluster.inputs import resolve_graph
from hoscpool.graph import Graph, as_graph

PATH = nx.path_graph(4)
X = np.arange(8, dtype=np.float32).reshape(4, 2)


def fitted_on(width: int) -> Any:
    estimator = BaseEstimator()
    estimator.n_features_in_ = width
    return estimator


def resolve(x: Any = None, graph: Any = None, *, reset: bool = True, estimator: Any = None) -> Graph:
    return resolve_graph(estimator or BaseEstimator(), x, graph, n_neighbors=2, reset=reset)


def test_features_and_graph_apart_or_together() -> None:
    arcs = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])
    apart = resolve(X, PATH)
    together = [resolve(as_graph(PATH, features=X)), resolve(Data(x=torch.tensor(X), edge_index=arcs))]
    sparse = resolve(sp.csr_matrix(X), PATH)
    assert {graph.fingerprint for graph in together} == {apart.fingerprint}
    assert sp.issparse(sparse.features)
    table: Any = sparse.features
    np.testing.assert_array_equal(table.toarray(), apart.features)


def test_a_graph_alone_has_no_features() -> None:
    estimator = fitted_on(7)
    assert resolve(PATH, estimator=estimator).features is None
    assert not hasattr(estimator, "n_features_in_")


def test_a_file_is_a_graph(tmp_path: Path) -> None:
    file, table = tmp_path / "graph.csv", tmp_path / "x.csv"
    file.write_text("source,target\na,b\nb,c\n")
    table.write_text("node,f\nc,3\na,1\nb,2\n")
    assert resolve(str(file)).num_nodes == resolve(file).num_nodes == 3
    np.testing.assert_array_equal(resolve(table, file).features, [[1], [2], [3]])


def test_features_alone_are_joined_to_their_nearest() -> None:
    graph = resolve(np.array([[0.0], [1.0], [2.1], [10.0], [11.0], [12.1]]))
    assert graph.num_nodes == 6
    assert not graph.adjacency[:3][:, 3:].nnz
    assert graph.adjacency[0, 1] == 1


def test_a_square_table_is_features_not_an_adjacency() -> None:
    assert resolve(np.eye(4)).num_features == 4


@pytest.mark.parametrize(
    ("x", "graph", "message"),
    [
        (None, None, "got neither"),
        (X[:3], PATH, "expected 4 rows.*got 3"),
        (np.array([[np.nan]] * 4), PATH, "NaN"),
        (np.array([[1e300]] * 4), PATH, "within float32"),
        (X[:1], None, "minimum of 2"),
    ],
)
def test_bad_input(x: Any, graph: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        resolve(x, graph)


def test_predict_wants_the_features_of_the_fit() -> None:
    fitted = fitted_on(2)
    with pytest.raises(ValueError, match="expected 2 features"):
        resolve(PATH, reset=False, estimator=fitted)
    with pytest.raises(ValueError, match="expected no features"):
        resolve(X, PATH, reset=False)
