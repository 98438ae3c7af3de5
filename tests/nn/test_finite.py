"""Whatever the graph: a finite loss and a finite gradient, through two layers."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from hoscpool.nn import HoscPool, PoolingOutput, list_pools, make_pool
from hoscpool.objectives import as_adjacency
from hoscpool.support.errors import GraphWarning

MOTIFS = ["edge", "wedge", "triangle", "star4", "cycle4", "clique4"]


@st.composite
def batches(draw: st.DrawFn) -> dict[str, Any]:
    """Up to three graphs, some without nodes, with any edges: self-loops, repeats, one-way, and weights down to 0."""
    sizes = draw(st.lists(st.integers(0, 7), min_size=1, max_size=3))
    edges, start = [], 0
    for size in sizes:
        if size:
            node = st.integers(start, start + size - 1)
            edges += draw(st.lists(st.tuples(node, node), max_size=20))
        start += size
    weights = None
    if draw(st.booleans()):
        weight = st.just(0.0) | st.floats(2**-140, 2**10, width=32)
        drawn = draw(st.lists(weight, min_size=len(edges), max_size=len(edges)))
        weights = torch.tensor(drawn, dtype=torch.float32)
    return {
        "edge_index": torch.tensor(edges, dtype=torch.int64).reshape(-1, 2).t().contiguous(),
        "edge_weight": weights,
        "batch": torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes)) if sum(sizes) else None,
        "num_nodes": sum(sizes),
    }


def value(out: PoolingOutput) -> Tensor:
    total = out.loss + out.x.pow(2).sum()
    return total if out.adjacency is None else total + out.adjacency.pow(2).sum()


def features(graph: dict[str, Any], scale: float) -> Tensor:
    generator = torch.Generator().manual_seed(0)
    return (scale * torch.randn(graph.pop("num_nodes"), 4, generator=generator)).requires_grad_()


def check(total: Tensor, x: Tensor) -> None:
    assert bool(total.isfinite())
    (gradient,) = torch.autograd.grad(total + 0 * x.sum(), x)  # without nodes nothing else may depend on x
    assert bool(gradient.isfinite().all())


@settings(deadline=None, max_examples=150)
@given(
    batches(),
    st.integers(1, 5),
    st.integers(1, 4),
    st.sets(st.sampled_from(MOTIFS), min_size=1, max_size=3),
    st.sampled_from(["soft", "diagonal"]),
    st.booleans(),
    st.floats(0.1, 50.0),
)
def test_hosc(
    graph: dict[str, Any], first: int, second: int, motifs: set[str], volume: Any, loops: bool, scale: float
) -> None:
    x = features(graph, scale)
    weights = {name: 1 / len(motifs) for name in motifs}
    pools = [HoscPool(4, k, weights, 0.1, volume=volume, remove_self_loops=not loops) for k in (first, second)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)  # what was changed is reported; here only numbers count
        one = pools[0](x, **graph)
        two = pools[1](one.x, **one.graph)
    check(value(one) + value(two), x)
    for loss in (*one.losses.values(), *two.losses.values()):
        assert -1.0001 <= loss.item() <= 1.0001


@settings(deadline=None, max_examples=100)
@given(batches(), st.sampled_from(sorted(set(list_pools()) - {"hosc", "hp-1", "hp-2"})))
def test_siblings(graph: dict[str, Any], name: str) -> None:
    x = features(graph, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        out = make_pool(name, in_channels=4, num_clusters=3)(x, **graph)
    check(value(out), x)


def test_rounding_of_the_smallest_weights_is_not_a_direction() -> None:
    adjacency = torch.tensor([[[0.0, 7e-43, 0.0], [7.1e-43, 0.0, 7e-43], [0.0, 7e-43, 0.0]]])
    assert adjacency[0, 0, 1] != adjacency[0, 1, 0]
    x = torch.ones(1, 3, 4, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        as_adjacency(adjacency)
        check(value(HoscPool(4, 2, {"edge": 1})(x, adjacency=adjacency)), x)
    with pytest.raises(ValueError, match="expected a symmetric matrix"):
        HoscPool(4, 2)(x, adjacency=1e30 * adjacency)


@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_an_edge_of_the_smallest_weight_there_is(dtype: torch.dtype) -> None:
    x = torch.randn(3, 4, dtype=dtype, generator=torch.Generator().manual_seed(0)).requires_grad_()
    weight = torch.full((2,), 500 * torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps, dtype=dtype)
    assert bool((weight > 0).all())
    for seed in range(10):
        torch.manual_seed(seed)
        pools = [HoscPool(4, 2, {"edge": 1.0}).to(dtype) for _ in range(2)]
        one = pools[0](x, torch.tensor([[0, 1], [1, 0]]), weight)
        two = pools[1](one.x, **one.graph)
        check(value(one) + value(two), x)
        assert not bool(one.adjacency.any())


def test_attention_with_scores_that_float32_rounds_by_thousands() -> None:
    # sums over the neighbours of hubs, as of REDDIT-B after three encoders
    generator = torch.Generator().manual_seed(0)
    x = (1e6 * torch.rand(70, 32, generator=generator)).requires_grad_()
    batch = torch.repeat_interleave(torch.arange(2), torch.tensor([50, 20]))
    torch.manual_seed(0)
    pool = make_pool("gmt", in_channels=32, num_clusters=16)
    check(pool(x, torch.empty(2, 0, dtype=torch.int64), batch=batch).x.sum(), x)
