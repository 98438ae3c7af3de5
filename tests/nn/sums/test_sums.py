"""The sums over nodes are the textbook matrix products, with their gradients, whatever the graphs and the way."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from hoscpool.nn import HoscPool
from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.motif_matrices import motif_matrix
from hoscpool.nn.batch.read_graphs import read_graphs
from hoscpool.nn.sums import segments, small
from hoscpool.nn.sums.dense import sum_dense
from hoscpool.nn.sums.result import NodeSums
from hoscpool.nn.sums.small import sum_small
from hoscpool.nn.sums.sparse import sum_sparse
from hoscpool.objectives import as_adjacency
from hoscpool.objectives.cuts import VOLUMES, Volume
from nn.cases import Case, degenerate_case, random_case

CASES = {
    "random": random_case(),
    "weighted": random_case(seed=3, weighted=True),
    "one node": random_case(sizes=(1,)),
    "degenerate": degenerate_case(),
}
NAMES = ("association", "volume", "total", "squares", "adjacency", "x")


def read(case: Case) -> GraphBatch:
    arguments = {**case.arguments, "adjacency": None, "mask": None}
    return read_graphs(case.x.clone().requires_grad_(), **arguments, in_channels=case.x.size(1))


def dense_batch(size: int = 5) -> GraphBatch:
    generator = torch.Generator().manual_seed(0)
    half = torch.rand(3, size, size, generator=generator, dtype=torch.float64)
    x = torch.randn(3, size, 4, generator=generator, dtype=torch.float64).requires_grad_()
    return read_graphs(x, None, None, None, (half + half.mT).requires_grad_(), None, in_channels=4)


def assignment(graph: GraphBatch, k: int) -> Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.rand(graph.x.size(0), k, generator=generator, dtype=torch.float64).softmax(1).requires_grad_()


def textbook(graph: GraphBatch, s: Tensor, edge: Tensor, dense: Sequence[Tensor], volume: Volume) -> NodeSums:
    """One graph at a time, with diagonals of whole matrices."""
    parts = []
    for start, end in zip(graph.ptr[:-1], graph.ptr[1:], strict=True):
        S, X = s[start:end], graph.x[start:end]
        W = torch.stack([matrix[start:end, start:end] for matrix in dense])
        inside, degree = S.T @ W @ S, W.sum(-1)
        touched = degree @ (S if volume == "soft" else S**2)
        pooled = S.T @ edge[start:end, start:end] @ S
        parts.append((inside.diagonal(dim1=1, dim2=2), touched, degree.sum(1), (S**2).sum(0), pooled, S.T @ X))
    stacked = [torch.stack(list(values), dim=1 if i < 3 else 0) for i, values in enumerate(zip(*parts, strict=True))]
    return NodeSums(*stacked)


def check(found: NodeSums | None, expected: NodeSums, inputs: list[Tensor]) -> None:
    assert found is not None
    generator = torch.Generator().manual_seed(2)
    totals = []
    for name in NAMES:
        torch.testing.assert_close(getattr(found, name), getattr(expected, name))
        if name != "total":
            weight = torch.randn(getattr(found, name).shape, generator=generator, dtype=torch.float64)
            totals.append([(weight * getattr(sums, name)).sum() for sums in (found, expected)])
    for own, other in [*totals, [sum(column) for column in zip(*totals, strict=True)]]:
        gradients = [torch.autograd.grad(loss, inputs, retain_graph=True, allow_unused=True) for loss in (own, other)]
        for one, two, like in zip(*gradients, inputs, strict=True):
            zero = torch.zeros_like(like)
            torch.testing.assert_close(zero if one is None else one, zero if two is None else two)


@pytest.mark.parametrize("motifs", [("edge", "triangle"), ("triangle",), ("triangle", "wedge", "edge")])
@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("k", [1, 3, 17])
@pytest.mark.parametrize("name", list(CASES))
@pytest.mark.parametrize("way", ["small", "sparse", "sparse, graph by graph"])
def test_sums_and_gradients_on_edge_lists(
    way: str, name: str, k: int, volume: Volume, motifs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "by graph" in way:
        monkeypatch.setattr(segments, "MOST_PADDING", 0)
    graph = read(CASES[name])
    s = assignment(graph, k)
    matrices = [motif_matrix(graph, motif, None, on_edges=True) for motif in motifs]
    edge, *dense = (matrix.multiply(torch.eye(len(s), dtype=s.dtype)) for matrix in (graph.adjacency, *matrices))
    found = (sum_small if way == "small" else sum_sparse)(graph, s, matrices, volume)
    check(found, textbook(graph, s, edge, dense, volume), [s, graph.x])


@pytest.mark.parametrize("motifs", [("edge", "triangle"), ("triangle",), ("triangle", "wedge", "edge")])
@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("k", [1, 3, 9])
@pytest.mark.parametrize("way", [sum_small, sum_dense])
def test_sums_and_gradients_on_dense_graphs_reach_the_matrix(
    way: Callable[..., NodeSums | None], k: int, volume: Volume, motifs: tuple[str, ...]
) -> None:
    graph = dense_batch()
    s = assignment(graph, k)
    matrices = [motif_matrix(graph, motif, None, on_edges=True) for motif in motifs]
    edge, *dense = (torch.block_diag(*matrix.tensor) for matrix in (graph.adjacency, *matrices))  # type: ignore[attr-defined, no-untyped-call]
    assert graph.dense is not None
    check(way(graph, s, matrices, volume), textbook(graph, s, edge, dense, volume), [s, graph.x, graph.dense])


def test_a_constant_dense_matrix_has_no_gradient() -> None:
    graph = dense_batch()
    assert graph.dense is not None
    constant = replace(graph, dense=graph.dense.detach())
    s = assignment(graph, 3)
    gradients = []
    for batch in (graph, constant):
        sums = sum_dense(batch, s, [batch.adjacency])
        assert sums is not None
        gradients.append(torch.autograd.grad(sums.adjacency.sin().sum() + sums.association.sum(), s))
    torch.testing.assert_close(*gradients)


@pytest.mark.parametrize("limit", [small.SMALL, 0], ids=["small", "large"])
@pytest.mark.parametrize("storage", ["edges", "dense"])
def test_a_batch_is_gone_when_its_step_is_over(storage: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # the collector does not see what the gradient holds: a circle through it would be a leak
    monkeypatch.setattr(small, "SMALL", limit)
    graph = read(CASES["random"]) if storage == "edges" else dense_batch()
    watched = weakref.ref(graph)
    pool = HoscPool(graph.x.size(1), 3).double()
    torch.autograd.grad(pool.pool(graph, None).loss, list(pool.parameters()))
    del graph
    assert watched() is None


@pytest.mark.parametrize("motifs", [{"triangle": 1.0}, {"triangle": 0.3, "edge": 0.7}, {"edge": 1.0}])
@pytest.mark.parametrize("name", ["random", "weighted", "degenerate", "dense"])
@pytest.mark.filterwarnings("ignore:motifs")
def test_a_layer_is_the_same_with_and_without_loops(
    name: str, motifs: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = []
    for limit in (small.SMALL, 0):
        monkeypatch.setattr(small, "SMALL", limit)
        graph = dense_batch() if name == "dense" else read(CASES[name])
        pool = HoscPool(graph.x.size(1), 4, motifs).double()
        with torch.no_grad():
            for number, parameter in enumerate(pool.parameters()):
                parameter.copy_(torch.sin(torch.arange(parameter.numel()) + number).view_as(parameter))
        assert (sum_small(graph, pool.select(graph), ()) is None) == (limit == 0)
        out = pool.pool(graph, None)
        assert out.adjacency is not None
        value = out.loss + out.x.sin().sum() + out.adjacency.cos().sum()
        gradients = torch.autograd.grad(value, [graph.x, *pool.parameters()])
        outputs.append([out.loss, *out.losses.values(), out.x, out.adjacency, *gradients])
    torch.testing.assert_close(outputs[0], outputs[1])


def test_what_kernels_are_not_made_for_is_left_to_tensors() -> None:
    case = random_case()
    graph = read(case)
    assert sum_small(graph, assignment(graph, 3).half(), ()) is None
    x, adjacency = torch.randn(1, 3, 4), torch.ones(1, 3, 3)
    masked = read_graphs(x, None, None, None, adjacency, torch.tensor([[True, True, False]]), in_channels=4)
    assert sum_small(masked, torch.rand(2, 2), ()) is None


def test_a_large_batch_is_left_to_matrix_products() -> None:
    case = random_case(sizes=(400,), density=0.02)
    graph = read(case)
    assert sum_small(graph, assignment(graph, 3), ()) is not None
    assert sum_small(graph, assignment(graph, 90), ()) is None
    assert np.array_equal(graph.ptr, [0, 400])


def test_sparse_and_dense_matrices_side_by_side_take_the_other_path() -> None:
    graph = read(CASES["one node"])
    s, dense = assignment(graph, 2), as_adjacency(torch.zeros(1, 1, 1, dtype=torch.float64))
    assert sum_small(graph, s, [graph.adjacency]) is not None
    assert sum_small(graph, s, [graph.adjacency, dense]) is None
