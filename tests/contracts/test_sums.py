"""Every backend of `node_sums` gives the sums of the plain one, with their gradients, wherever it answers at all."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.motif_matrices import motif_matrix
from hoscpool.nn.batch.read_graphs import read_graphs
from hoscpool.nn.sums import _small_sums, segments
from hoscpool.nn.sums._small_sums import sum_small
from hoscpool.nn.sums._sparse_sums import sum_sparse
from hoscpool.nn.sums.node_sums import FAST
from hoscpool.nn.sums.plain_sums import Request, sum_plain
from nn.cases import degenerate_case, random_case

MOTIFS = [(), ("edge", "triangle"), ("triangle", "wedge")]
KINDS = [(torch.float32, True), (torch.float64, False)]
"""Precision, and whether the volume is the soft one."""
EDGE_LISTS = {
    "random": lambda dtype: random_case(dtype=dtype),
    "weighted": lambda dtype: random_case(seed=3, weighted=True, dtype=dtype),
    "one graph": lambda dtype: random_case(sizes=(9,), dtype=dtype),
    "one node": lambda dtype: random_case(sizes=(1,), dtype=dtype),
    "degenerate": lambda dtype: degenerate_case(dtype=dtype),
}


def read_edges(name: str, dtype: torch.dtype) -> GraphBatch:
    case = EDGE_LISTS[name](dtype)
    arguments = {**case.arguments, "adjacency": None, "mask": None}
    return read_graphs(case.x.clone().requires_grad_(), **arguments, in_channels=case.x.size(1))


def merged_rows(dtype: torch.dtype) -> GraphBatch:
    """Rows that stand for several nodes each; to the sums they are counts beside any symmetric matrices."""
    graph = read_edges("weighted", dtype)
    generator = torch.Generator().manual_seed(4)
    return replace(graph, counts=torch.randint(1, 5, (graph.x.size(0),), generator=generator).to(dtype))


def read_dense(name: str, dtype: torch.dtype) -> GraphBatch:
    graphs, size = {"batch": (3, 5), "one graph": (1, 6), "one node": (2, 1), "no edges": (2, 4)}[name]
    generator = torch.Generator().manual_seed(0)
    half = torch.rand(graphs, size, size, generator=generator, dtype=dtype) * (name != "no edges")
    x = torch.randn(graphs, size, 4, generator=generator, dtype=dtype).requires_grad_()
    return read_graphs(x, None, None, None, (half + half.mT).requires_grad_(), None, in_channels=4)


def assignment(graph: GraphBatch, k: int) -> Tensor:
    generator = torch.Generator().manual_seed(1)
    logits = torch.rand(graph.x.size(0), k, generator=generator, dtype=torch.float64)
    return logits.softmax(1).to(graph.x.dtype).requires_grad_()


def request(graph: GraphBatch, motifs: tuple[str, ...], soft: bool) -> Request:
    matrices = [motif_matrix(graph, motif, None, on_edges=True) for motif in motifs]
    every = matrices if "edge" in motifs else [*matrices, graph.adjacency]
    return Request(graph, every, len(motifs), motifs.index("edge") if "edge" in motifs else len(motifs), soft)


def check(backend: Callable[..., tuple[Tensor, ...] | None], s: Tensor, wanted: Request) -> None:
    """The same values, and the same gradients of every sum by itself and of all together."""
    found, expected = backend(s, wanted), sum_plain(s, wanted)
    assert found is not None
    inputs = [s, wanted.graph.x]
    if wanted.graph.is_learned and wanted.graph.dense is not None:
        inputs.append(wanted.graph.dense)
    generator = torch.Generator().manual_seed(2)
    totals = []
    assert len(found) == len(expected) == 6  # the tensors of NodeSums
    for own, other in zip(found, expected, strict=True):
        torch.testing.assert_close(own, other)
        weight = torch.randn(own.shape, generator=generator, dtype=torch.float64).to(own.dtype)
        if other.requires_grad:
            totals.append([(weight * own).sum(), (weight * other).sum()])
    for pair in [*totals, [torch.stack(column).sum() for column in zip(*totals, strict=True)]]:
        gradients = [
            torch.autograd.grad(loss, inputs, retain_graph=True, allow_unused=True, materialize_grads=True)
            for loss in pair
        ]
        torch.testing.assert_close(*gradients)


@pytest.mark.parametrize(("dtype", "soft"), KINDS)
@pytest.mark.parametrize("motifs", MOTIFS)
@pytest.mark.parametrize("k", [1, 17])
@pytest.mark.parametrize("name", [*EDGE_LISTS, "merged"])
@pytest.mark.parametrize("way", ["small", "sparse", "sparse, graph by graph"])
def test_edge_lists(
    way: str,
    name: str,
    k: int,
    soft: bool,
    motifs: tuple[str, ...],
    dtype: torch.dtype,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_small_sums, "SMALL", math.inf)
    graph = merged_rows(dtype) if name == "merged" else read_edges(name, dtype)
    wanted, s = request(graph, motifs, soft), assignment(graph, k)
    if way != "small" and not motifs:
        assert sum_sparse(s, wanted) is None
        return
    if "by graph" in way:
        monkeypatch.setattr(segments, "MOST_PADDING", 0)
    check(sum_small if way == "small" else sum_sparse, s, wanted)


@pytest.mark.parametrize(("dtype", "soft"), KINDS)
@pytest.mark.parametrize("motifs", MOTIFS)
@pytest.mark.parametrize("k", [1, 9])
@pytest.mark.parametrize("name", ["batch", "one graph", "one node", "no edges"])
@pytest.mark.parametrize("learned", [True, False])
def test_dense_graphs(
    learned: bool,
    name: str,
    k: int,
    soft: bool,
    motifs: tuple[str, ...],
    dtype: torch.dtype,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_small_sums, "SMALL", math.inf)
    graph = read_dense(name, dtype)
    assert graph.dense is not None
    if not learned:
        graph = replace(graph, dense=graph.dense.detach())
    check(sum_small, assignment(graph, k), request(graph, motifs, soft))


@pytest.mark.parametrize("backend", FAST)
def test_a_masked_batch_and_half_precision_are_left_to_the_plain_one(
    backend: Callable[..., tuple[Tensor, ...] | None],
) -> None:
    graph = read_edges("random", torch.float64)
    wanted = request(graph, ("edge", "triangle"), True)
    assert backend(assignment(graph, 3).half(), wanted) is None
    x, adjacency = torch.randn(1, 3, 4), torch.ones(1, 3, 3)
    masked = read_graphs(x, None, None, None, adjacency, torch.tensor([[True, True, False]]), in_channels=4)
    assert backend(torch.rand(2, 2), request(masked, ("edge",), True)) is None
