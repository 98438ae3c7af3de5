from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp

from hoscpool import Graph, as_graph


def path_and_triangle(**data: Any) -> Graph:
    """Nodes 0–1 joined, 2–3–4 a triangle, 5 alone."""
    dense = np.zeros((6, 6))
    for u, v in [(0, 1), (2, 3), (3, 4), (2, 4)]:
        dense[u, v] = dense[v, u] = 1 + u
    return as_graph(dense, **data)


def test_counts_and_degrees() -> None:
    graph = path_and_triangle(features=np.ones((6, 2)), labels=[0, 0, 1, 1, 1, 2], name="toy")
    assert (graph.num_nodes, graph.num_edges, graph.num_features, graph.is_weighted) == (6, 4, 2, True)
    assert graph.degree.tolist() == [1, 1, 2, 2, 2, 0]
    assert repr(graph) == "Graph('toy': 6 nodes, 4 edges, undirected, weighted, 2 features, 3 classes)"


def test_repr_of_a_bare_graph() -> None:
    assert repr(as_graph(np.zeros((2, 2)))) == "Graph(2 nodes, 0 edges, undirected)"


@pytest.mark.parametrize("attribute", ["indptr", "indices", "weights", "labels", "features"])
def test_arrays_cannot_be_written(attribute: str) -> None:
    graph = path_and_triangle(features=np.ones((6, 2)), labels=np.zeros(6))
    array: npt.NDArray[Any] = getattr(graph, attribute)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_attributes_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        path_and_triangle().name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("weight", [1.0, 2.0])
def test_the_adjacency_cannot_be_written(weight: float) -> None:
    graph = as_graph(np.array([[0, weight], [weight, 0]]))
    with pytest.raises(ValueError, match="read-only"):
        graph.adjacency.data[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        graph.adjacency.indices[0] = 0
    np.testing.assert_array_equal((graph.adjacency @ graph.adjacency).toarray(), np.eye(2) * weight**2)


@pytest.mark.filterwarnings("ignore:Changing the sparsity structure")
def test_methods_that_exchange_the_arrays_of_a_matrix_leave_the_graph_alone() -> None:
    graph = as_graph(np.array([[0, 1], [1, 0]]))
    matrix = graph.adjacency
    matrix.setdiag(1)
    assert matrix.nnz == 4
    assert graph.adjacency.nnz == 2


def test_sparse_features_cannot_be_written_but_used() -> None:
    features = sp.csr_array(np.eye(2))
    graph = as_graph(np.array([[0, 1], [1, 0]]), features=features)
    assert graph.features is not None
    with pytest.raises(ValueError, match="read-only"):
        graph.features.data[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        graph.features.indices[0] = 1
    np.testing.assert_array_equal(graph.features @ np.ones(2), [1, 1])
    features.data[:] = 9  # the caller's own stays writable and apart
    assert graph.features[0, 0] == 1


def test_constructor_leaves_the_callers_arrays_writable() -> None:
    indptr, indices = np.array([0, 1, 2]), np.array([1, 0], dtype=np.int32)
    Graph(indptr, indices)
    indices[0] = 0


def test_undirected_joins_arcs() -> None:
    graph = as_graph(np.array([[0, 1, 0], [3, 0, 2], [0, 0, 0]]), directed=True)
    joined = graph.undirected()
    np.testing.assert_array_equal(joined.adjacency.toarray(), [[0, 3, 0], [3, 0, 2], [0, 2, 0]])
    assert not joined.is_directed
    assert joined.undirected() is joined
    assert joined.notes[-1] == "directed edges were made undirected"


@pytest.mark.parametrize("nodes", [[4, 2, 0], np.array([4, 2, 0])])
def test_subgraph_in_the_order_asked_for(nodes: Any) -> None:
    graph = path_and_triangle(features=np.arange(6.0)[:, None], labels=range(6), node_names="abcdef")
    part = graph.subgraph(nodes)
    np.testing.assert_array_equal(part.adjacency.toarray(), [[0, 3, 0], [3, 0, 0], [0, 0, 0]])
    assert (tuple(part.names), part.labels is not None and part.labels.tolist()) == (("e", "c", "a"), [4, 2, 0])
    assert part.features is not None
    assert part.features[:, 0].tolist() == [4, 2, 0]


def test_subgraph_by_mask_keeps_the_old_indices_as_names() -> None:
    part = path_and_triangle().subgraph(np.array([0, 0, 1, 1, 0, 0], dtype=bool))
    assert (tuple(part.names), part.num_edges) == ((2, 3), 1)


def test_subgraph_of_nothing() -> None:
    assert path_and_triangle().subgraph([]).num_nodes == 0


def test_subgraph_refuses_a_node_twice() -> None:
    with pytest.raises(ValueError, match="at most once"):
        path_and_triangle().subgraph([1, 1])


def test_largest_component() -> None:
    assert tuple(path_and_triangle().largest_component().names) == (2, 3, 4)
    assert as_graph(np.zeros((0, 0))).largest_component().num_nodes == 0


def test_largest_component_of_a_directed_graph_is_weak() -> None:
    graph = as_graph(np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]), directed=True)
    assert tuple(graph.largest_component().names) == (0, 1, 2)


COPIES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda graph: pickle.loads(pickle.dumps(graph))]


@pytest.mark.parametrize("make_copy", COPIES)
@pytest.mark.parametrize("features", [np.ones((6, 2)), sp.csr_array(np.eye(6))])
def test_copies_are_equal_and_read_only(make_copy: Callable[[Any], Any], features: Any) -> None:
    graph = path_and_triangle(features=features, labels=np.zeros(6), node_names=list("abcdef"))
    assert graph.adjacency.nnz  # what is made when needed is not copied
    found = make_copy(graph)
    assert found == graph
    assert hash(found) == hash(graph)
    values = found.features.data if sp.issparse(found.features) else found.features
    arrays = [found.indptr, found.indices, found.weights, found.labels, values, found.adjacency.data]
    assert not any(array.flags.writeable for array in arrays)


def test_graphs_that_differ_in_one_field_are_not_equal() -> None:
    graph = path_and_triangle(features=np.ones((6, 2)))
    others = [
        path_and_triangle(),
        path_and_triangle(features=np.eye(6)),
        path_and_triangle(features=sp.csr_array(np.ones((6, 2)))),
        path_and_triangle(features=np.ones((6, 2)), labels=np.zeros(6)),
        path_and_triangle(features=np.ones((6, 2)), name="another"),
        path_and_triangle(features=np.ones((6, 2))).subgraph(range(5)),
    ]
    assert graph == path_and_triangle(features=np.ones((6, 2)))
    assert all(graph != other for other in others)
    assert graph != "graph"


def test_the_fingerprint_sees_every_part() -> None:
    path = np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)
    x = np.arange(8.0).reshape(4, 2)
    variants = [path, 2 * path, np.ones((4, 4)) - np.eye(4), np.zeros((4, 4)), np.zeros((5, 5))]
    prints = {as_graph(adjacency).fingerprint for adjacency in variants}
    prints |= {as_graph(path, features=table).fingerprint for table in (x, x + 1, sp.csr_array(x))}
    assert len(prints) == 8
    assert pickle.loads(pickle.dumps(as_graph(path))).fingerprint in prints
