"""A slice of the collated set is the same graphs as PyG's own batch of them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.utils import to_dense_adj, to_undirected

from classify.conftest import make_graphs
from hoscpool.classify import collate
from hoscpool.classify.data.disjoint_union import structural_features
from hoscpool.classify.data.graph_set import mixed_batches, sorted_batches
from hoscpool.graph import as_graph
from hoscpool.nn import HoscPool
from hoscpool.objectives import Adjacency
from hoscpool.support.errors import GraphWarning


def dense(matrix: Adjacency) -> torch.Tensor:
    return matrix @ torch.eye(matrix.num_nodes)


@pytest.mark.parametrize("places", [[3], [5, 0, 17], list(range(40))])
def test_a_batch_is_the_graphs_side_by_side(graphs: list[Data], places: list[int]) -> None:
    batch = collate(graphs)[5:][::-1].batch(np.array([p % 35 for p in places]), ("triangle",))
    expected = Batch.from_data_list([graphs[5:][::-1][p % 35] for p in places])
    adjacency = to_dense_adj(expected.edge_index, max_num_nodes=expected.num_nodes)[0]
    assert torch.equal(batch.x, expected.x)
    assert torch.equal(batch.batch, expected.batch)
    assert batch.sizes == tuple(expected.batch.bincount().tolist())
    assert batch.matrices is not None
    assert torch.equal(dense(batch.matrices["edge"]), adjacency)
    triangles = (adjacency @ adjacency) * adjacency
    assert torch.equal(dense(batch.matrices["triangle"]), triangles)
    assert torch.equal(batch.matrices["triangle"].degree, triangles.sum(dim=1))
    index, weight = batch.edges()
    assert weight is None
    assert torch.equal(to_dense_adj(index, max_num_nodes=len(adjacency))[0], adjacency)
    assert np.array_equal(
        next(batch.split()).to_scipy().toarray(), adjacency[: batch.sizes[0], : batch.sizes[0]].numpy()
    )


def test_weights_are_kept_and_triangles_weighted_by_their_product() -> None:
    edges, weight = to_undirected(torch.tensor([[0, 0, 1], [1, 2, 2]]), torch.tensor([2.0, 3.0, 5.0]))
    data = Data(edge_index=edges, edge_weight=weight, num_nodes=3)
    batch = collate([data, data]).batch(np.array([1]), ("triangle",))
    assert batch.matrices is not None
    assert dense(batch.matrices["edge"])[0].tolist() == [0, 2, 3]
    assert dense(batch.matrices["triangle"])[0].tolist() == [0, 30, 30]


def test_without_features_a_constant_stands_in() -> None:
    found = collate(make_graphs(4, width=0))
    assert found.num_features == 0
    assert torch.equal(found.batch(np.array([0]), ()).x, torch.ones(int(found.sizes[0]), 1))


def test_structural_features_stand_beside_the_others(graphs: list[Data]) -> None:
    x = collate(graphs).batch(np.array([7]), (), structural=True).x
    alone = structural_features(as_graph((graphs[7].edge_index, graphs[7].num_nodes)))
    assert torch.equal(x[:, :3], graphs[7].x)
    np.testing.assert_allclose(x[:, 3:].numpy(), alone, rtol=1e-6)


def test_changes_to_the_edges_are_said_once() -> None:
    loops = Data(edge_index=torch.tensor([[0, 0, 1], [0, 1, 2]]), num_nodes=3)
    with pytest.warns(GraphWarning, match="self-loop") as found:
        collate([loops, loops])
    assert len(found) == 1


def test_sets_are_cut_without_copying(graphs: list[Data]) -> None:
    found = collate(graphs)
    assert collate(found) is found
    part = found[np.array([4, 2])]
    assert part.union is found.union
    assert len(part) == len(list(part)) == 2
    assert part.labels is not None
    assert found[1].sizes.tolist() == [graphs[1].num_nodes]
    assert "2 graphs" in repr(part)


def test_batches_hold_every_graph_once_and_alike_ones_together() -> None:
    sizes = np.random.default_rng(0).integers(1, 100, size=1000)
    first, second = (mixed_batches(sizes, 16, np.random.RandomState(s)) for s in (0, 1))
    assert sorted(np.concatenate(first)) == sorted(np.concatenate(second)) == list(range(1000))
    assert not np.array_equal(first[0], second[0])
    assert max(map(len, first)) == 16
    padded = sum(len(batch) * sizes[batch].max() for batch in first)
    assert padded < 1.25 * sizes.sum()
    plain = sorted_batches(sizes, 16)
    assert np.array_equal(sizes[np.concatenate(plain)], np.sort(sizes))


BAD = {
    "no graphs": ([], "expected at least one graph, got none"),
    "one graph": (Data(edge_index=torch.zeros(2, 0, dtype=torch.int64), num_nodes=2), "list of Data, got a Data"),
    "not a graph": ([3], r"graphs\[0\]: expected a PyG Data, got a int"),
    "no nodes": ([Data(num_nodes=0)], r"graphs\[0\]: expected at least one node"),
    "widths": ([Data(x=torch.ones(2, 3)), Data(x=torch.ones(2, 4))], r"graphs\[1\].x: expected 3 features .* got 4"),
    "some without": ([Data(x=torch.ones(2, 3)), Data(num_nodes=2)], r"graphs\[1\].x: expected all graphs or none"),
    "NaN": ([Data(x=torch.ones(2, 1)), Data(x=torch.tensor([[torch.nan]]))], r"graphs\[1\].x: expected finite"),
    "flat": ([Data(x=torch.ones(2), num_nodes=2)], r"graphs\[0\].x: expected shape \[2, F\]"),
    "range": ([Data(edge_index=torch.tensor([[0], [9]]), num_nodes=2)], r"edge_index: expected nodes 0 to 1"),
    "edges": ([Data(edge_index=torch.zeros(3, 1), num_nodes=2)], r"edge_index: expected integers of shape \[2, E\]"),
    "two labels": ([Data(num_nodes=1, y=torch.tensor([0, 1]))], r"graphs\[0\].y: expected one class"),
    "real label": ([Data(num_nodes=1, y=0.5)], r"graphs\[0\].y: expected one class"),
    "some labels": ([Data(num_nodes=1, y=1), Data(num_nodes=1)], r"graphs\[1\].y: expected one class.* got none"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_graphs_are_named(case: str) -> None:
    graphs, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        collate(graphs)


@pytest.mark.parametrize("scale", [1e-30, 1e-14, 5e12, 1e36])
def test_losses_do_not_depend_on_the_scale_of_the_weights(scale: float) -> None:
    edges = (torch.ones(6, 6) - torch.eye(6)).nonzero().t()
    weight = 1 + (edges[0] * edges[1]) / 30
    x = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
    pool, losses = HoscPool(4, 3), []
    for factor in (1.0, scale):
        batch = collate([Data(x=x, edge_index=edges, edge_weight=weight * factor, y=0)]).batch(
            np.arange(1), ("triangle",)
        )
        losses.append([loss.item() for loss in pool.pool(batch, None).losses.values()])
    assert losses[1] == pytest.approx(losses[0], rel=1e-5)
