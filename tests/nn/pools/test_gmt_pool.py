"""GMT over flat nodes gives what PyG's operator gives over padded graphs."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch_geometric.nn.aggr import GraphMultisetTransformer

from hoscpool.nn import GMTPool, seed_parameters
from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools import gmt_pool
from hoscpool.nn.pools.gmt_pool import group_sizes

WIDTH = 12
BATCHES = [(5,), (1, 1), (4, 4, 4), (3, 200, 1, 40, 7, 40), (150, 2, 0, 9, 0, 1)]
OPTIONS = [{}, {"heads": 3}, {"layer_norm": True}, {"heads": 4, "layer_norm": True}]


def make_pool(num_clusters: int = 5, **options: Any) -> GMTPool:
    pool = GMTPool(WIDTH, num_clusters, **options).double()
    seed_parameters(pool, 0)
    return pool


def draw_nodes(sizes: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    x = torch.randn(sum(sizes), WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    return x.requires_grad_(), torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))


def with_gradients(out: Tensor, pool: GMTPool, x: Tensor) -> list[Tensor]:
    """The value, and the gradients of the nodes and of every parameter."""
    weights = torch.linspace(-1, 2, out.numel(), dtype=out.dtype).view_as(out)
    return [out, *torch.autograd.grad((weights * out).sum(), [x, *pool.parameters()])]


def check_same(found: list[Tensor], expected: list[Tensor]) -> None:
    for own, other in zip(found, expected, strict=True):
        torch.testing.assert_close(own, other, rtol=1e-9, atol=1e-11)


@pytest.fixture(params=["one group", "several groups", "every graph by itself"])
def _groups(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = {"one group": 10**9, "several groups": 10_000, "every graph by itself": -1}[request.param]
    monkeypatch.setattr(gmt_pool, "WORTH_A_GROUP", budget)


@pytest.mark.usefixtures("_groups")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("sizes", BATCHES, ids=str)
def test_same_as_pyg(sizes: tuple[int, ...], options: dict[str, Any]) -> None:
    pool, (x, batch) = make_pool(**options), draw_nodes(sizes)
    filled = torch.tensor(sizes).nonzero().view(-1)  # PyG's attention over an empty graph is NaN
    attended = pool.operator(x, torch.searchsorted(filled, batch))
    expected = x.new_zeros(len(sizes), WIDTH).index_copy(0, filled, attended)
    found = pool.pool(GraphBatch(x, batch, sizes), None).x.squeeze(1)
    check_same(with_gradients(found, pool, x), with_gradients(expected, pool, x))


@pytest.mark.usefixtures("_groups")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("sizes", BATCHES, ids=str)
def test_counts_are_nodes_repeated(sizes: tuple[int, ...], options: dict[str, Any]) -> None:
    pool, (x, batch) = make_pool(**options), draw_nodes(sizes)
    counts = torch.randint(1, 9, batch.shape, generator=torch.Generator().manual_seed(2))
    each = tuple(torch.zeros(len(sizes), dtype=torch.int64).index_add(0, batch, counts).tolist())
    repeated = GraphBatch(x.repeat_interleave(counts, dim=0), batch.repeat_interleave(counts), each)
    merged = pool.pool(GraphBatch(x, batch, sizes, counts=counts.double()), None)
    assert merged.assignment.shape == (sum(sizes), 1)
    assert merged.sizes == sizes
    check_same(with_gradients(merged.x, pool, x), with_gradients(pool.pool(repeated, None).x, pool, x))


def test_dropout_is_that_of_pyg() -> None:
    pool, (x, batch) = make_pool(dropout=0.4), draw_nodes((4, 4, 4))
    graph = GraphBatch(x, batch, (4, 4, 4))
    torch.manual_seed(3)
    expected = pool.operator(x, batch)
    torch.manual_seed(3)
    found = pool.pool(graph, None).x.squeeze(1)
    check_same(with_gradients(found, pool, x), with_gradients(expected, pool, x))
    assert not torch.allclose(found, pool.eval().pool(graph, None).x.squeeze(1))


def test_dropout_drops_merged_nodes_one_by_one() -> None:
    pool, (x, batch) = make_pool(dropout=0.4), draw_nodes((3, 1))
    counts = torch.tensor([2, 1, 4, 3])
    repeated = GraphBatch(x.repeat_interleave(counts, dim=0), batch.repeat_interleave(counts), (7, 3))
    results = []
    for graph in (GraphBatch(x, batch, (3, 1), counts=counts.double()), repeated):
        torch.manual_seed(3)
        results.append(with_gradients(pool.pool(graph, None).x, pool, x))
    check_same(*results)


def test_parameters_are_those_of_pyg() -> None:
    torch.manual_seed(0)
    expected = GraphMultisetTransformer(WIDTH, 5, heads=2, layer_norm=True).state_dict()
    torch.manual_seed(0)
    found = GMTPool(WIDTH, 5, heads=2, layer_norm=True).operator.state_dict()
    assert list(found) == list(expected)
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def test_graphs_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gmt_pool, "WORTH_A_GROUP", 100)
    assert group_sizes((1, 30, 28, 2, 30), work=10) == [[1, 4, 2], [3, 0]]
    assert group_sizes((1, 30, 28, 2, 30), work=1) == [[1, 4, 2, 3, 0]]
    assert group_sizes((7,), work=1000) == [[0]]
