from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data, HeteroData

from hoscpool import as_graph
from hoscpool.support.errors import GraphWarning

BOTH = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])


def test_everything_it_carries() -> None:
    data = Data(x=torch.eye(4), y=torch.tensor([0, 1, 1, 0]), edge_index=BOTH, edge_weight=torch.tensor([2.0, 2, 3, 3]))
    graph = as_graph(data)
    assert repr(graph) == "Graph(4 nodes, 2 edges, undirected, weighted, 4 features, 2 classes)"
    assert graph.adjacency[1, 2] == 3
    assert graph.notes == ()


def test_no_gradient_or_memory_is_shared() -> None:
    x = torch.ones(3, 1, requires_grad=True)
    graph = as_graph(Data(x=x, edge_index=BOTH))
    with torch.no_grad():
        x[:] = 5
    assert graph.features is not None
    assert graph.features[0, 0] == 1


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (Data(edge_index=BOTH), 3),
        (Data(edge_index=BOTH, num_nodes=7), 7),
        (Data(edge_index=BOTH, x=torch.ones(5, 1)), 5),
        (Data(edge_index=BOTH, pos=torch.ones(6, 2)), 6),
        (Data(x=torch.ones(5, 1), edge_index=torch.zeros((2, 0), dtype=torch.long)), 5),
    ],
)
def test_number_of_nodes(data: Data, expected: int) -> None:
    assert as_graph(data).num_nodes == expected


def test_weight_of_from_networkx_is_used_and_edge_attr_is_not() -> None:
    graph = as_graph(Data(edge_index=BOTH, weight=torch.tensor([2.0, 2, 3, 3]), num_nodes=3))
    assert graph.is_weighted
    graph = as_graph(Data(edge_index=BOTH, edge_attr=torch.full((4, 1), -2.0), num_nodes=3))
    assert not graph.is_weighted
    assert graph.notes == ("edge_attr was not used; to give the edges weights, set edge_weight",)


def test_a_single_column_of_weights() -> None:
    assert as_graph(Data(edge_index=BOTH, edge_weight=torch.full((4, 1), 2.0), num_nodes=3)).adjacency[0, 1] == 2


@pytest.mark.parametrize("y", [torch.tensor([1]), torch.ones(3, 4), torch.tensor([0.5, 1, 2])])
def test_y_that_is_not_a_class_for_every_node(y: Any) -> None:
    graph = as_graph(Data(edge_index=BOTH, y=y, num_nodes=3))
    assert graph.labels is None
    assert "y of shape" in graph.notes[0]


def test_labels_in_one_column() -> None:
    graph = as_graph(Data(edge_index=BOTH, y=torch.tensor([[3], [4], [5]]), num_nodes=3))
    np.testing.assert_array_equal(graph.labels, [3, 4, 5])


def test_asymmetric_edge_index_is_directed_and_reported() -> None:
    with pytest.warns(GraphWarning, match="not symmetric, so the graph was read as directed"):
        graph = as_graph(Data(edge_index=BOTH[:, :3], num_nodes=3))
    assert (graph.is_directed, graph.num_edges) == (True, 3)


def test_a_batch_is_one_graph_of_several_parts() -> None:
    part = Data(edge_index=BOTH, x=torch.ones(3, 2))
    graph = as_graph(Batch.from_data_list([part, part]))
    assert (graph.num_nodes, graph.num_edges) == (6, 4)


BAD = [
    (HeteroData(), "PyG HeteroData: expected a homogeneous Data"),
    (Data(x=torch.ones(2, 1)), r"PyG Data: expected edge_index of shape \(2, E\)"),
    (Data(edge_index=BOTH.float(), num_nodes=3), "edge_index: expected integers, got float32"),
    (Data(edge_index=BOTH.T, num_nodes=3), r"edge_index: expected shape \(2, E\), got \(4, 2\); transpose it"),
    (Data(edge_index=BOTH, x=torch.ones(2, 1)), "node index 2 of edge 3 is out of range"),
    (Data(edge_index=BOTH, edge_weight=torch.ones(3), num_nodes=3), "weights: expected 4 numbers"),
    (Data(edge_index=BOTH, edge_weight=torch.ones(4, 2), num_nodes=3), "weights: expected one number for every edge"),
    (Data(edge_index=BOTH, x=torch.full((3, 1), torch.nan)), "features: expected finite numbers"),
]


@pytest.mark.parametrize(("data", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_bad_data(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        as_graph(data)
