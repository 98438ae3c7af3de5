"""The sums are the textbook's matrix products, and the losses of a pool those of the objectives, in every storage."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from hoscpool.nn import HoscPool
from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.motif_matrices import motif_matrix
from hoscpool.nn.batch.read_graphs import read_graphs
from hoscpool.nn.sums import node_sums as sums_module
from hoscpool.nn.sums._small_sums import sum_small
from hoscpool.nn.sums.node_sums import cut_sums, node_sums, normalize_symmetric, zero_diagonal
from hoscpool.nn.sums.plain_sums import Request
from hoscpool.objectives import as_adjacency, motif_cut_loss, orthogonality_loss
from hoscpool.objectives.assignment import VOLUMES, Volume
from nn.cases import Case, degenerate_case, random_case

MOTIFS = {"edge": 0.3, "triangle": 0.7, "wedge": 1.0}
CASES = {
    "random": random_case(),
    "weighted": random_case(seed=3, weighted=True),
    "one node": random_case(sizes=(1,)),
    "degenerate": degenerate_case(),
}
WAYS = {"small": ("small", "sparse"), "sparse": ("sparse",), "plain": ()}


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which backends are asked."""
    chosen = tuple(backend for backend in sums_module.FAST if backend.__name__[4:] in WAYS[request.param])
    monkeypatch.setattr(sums_module, "FAST", chosen)
    return str(request.param)


def read(case: Case) -> GraphBatch:
    arguments = {**case.arguments, "adjacency": None, "mask": None}
    return read_graphs(case.x.clone().requires_grad_(), **arguments, in_channels=case.x.size(1))


def dense_batch(masked: bool = False) -> GraphBatch:
    generator = torch.Generator().manual_seed(0)
    half = torch.rand(3, 5, 5, generator=generator, dtype=torch.float64)
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0]]).bool() if masked else None
    x = torch.randn(3, 5, 6, generator=generator, dtype=torch.float64)
    return read_graphs(x.requires_grad_(), None, None, None, (half + half.mT).requires_grad_(), mask, in_channels=6)


def assignment(graph: GraphBatch, k: int) -> Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.rand(graph.x.size(0), k, generator=generator, dtype=torch.float64).softmax(1).requires_grad_()


def textbook(graph: GraphBatch, s: Tensor, edge: Tensor, dense: Sequence[Tensor], volume: Volume) -> dict[str, Tensor]:
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
    return dict(zip(("association", "volume", "total", "squares", "adjacency", "x"), stacked, strict=True))


@pytest.mark.parametrize("motifs", [("edge", "triangle"), ("triangle", "wedge")])
@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("k", [1, 17])
@pytest.mark.parametrize("name", [*CASES, "dense"])
@pytest.mark.usefixtures("way")
def test_sums_are_the_textbook_s(name: str, k: int, volume: Volume, motifs: tuple[str, ...]) -> None:
    graph = dense_batch() if name == "dense" else read(CASES[name])
    s = assignment(graph, k)
    matrices = {motif: motif_matrix(graph, motif, None, on_edges=True) for motif in motifs}
    eye = torch.eye(len(s), dtype=s.dtype)
    edge, *dense = (matrix.multiply(eye) for matrix in (graph.adjacency, *matrices.values()))
    found, cuts = node_sums(graph, s, matrices, volume), cut_sums(graph, s, matrices, volume)
    expected = textbook(graph, s, edge, dense, volume)
    assert found.names == cuts.names == motifs
    for part, value in expected.items():
        torch.testing.assert_close(getattr(found, part), value)
        if part not in ("adjacency", "x"):
            torch.testing.assert_close(getattr(cuts, part), value)
    inputs = [s, graph.x] if graph.dense is None else [s, graph.x, graph.dense]
    own, other = (
        torch.autograd.grad(
            torch.stack([value.sin().sum() for value in values]).sum(), inputs, retain_graph=True, allow_unused=True
        )
        for values in ([getattr(found, part) for part in expected], list(expected.values()))
    )
    torch.testing.assert_close(own, other)


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("storage", ["edges", "dense", "masked"])
@pytest.mark.usefixtures("way")
def test_losses_and_gradients_are_those_of_the_objectives(volume: Volume, storage: str) -> None:
    graph = read(random_case()) if storage == "edges" else dense_batch(masked=storage == "masked")
    pool = HoscPool(6, 4, MOTIFS, volume=volume).double()
    s = pool.select(graph).detach().requires_grad_()
    matrices = {name: motif_matrix(graph, name, None, on_edges=True) for name in MOTIFS}
    ours = pool.losses(graph, s, node_sums(graph, s, matrices, volume))
    theirs = {name: motif_cut_loss(matrix, s, graph.batch, volume) for name, matrix in matrices.items()}
    theirs["orthogonality"] = orthogonality_loss(s, graph.batch)
    assert list(ours) == list(theirs)
    for name, other in theirs.items():
        torch.testing.assert_close(ours[name], other)
        gradients = [torch.autograd.grad(loss, s, retain_graph=True)[0] for loss in (ours[name], other)]
        torch.testing.assert_close(*gradients)


@pytest.mark.parametrize("storage", ["edges", "dense"])
@pytest.mark.usefixtures("way")
def test_a_batch_is_gone_when_its_step_is_over(storage: str) -> None:
    # the collector does not see what the gradient holds: a circle through it would be a leak
    graph = read(CASES["random"]) if storage == "edges" else dense_batch()
    watched = weakref.ref(graph)
    pool = HoscPool(graph.x.size(1), 3).double()
    torch.autograd.grad(pool.pool(graph, None).loss, list(pool.parameters()))
    del graph
    assert watched() is None


def test_a_large_batch_is_left_to_matrix_products() -> None:
    graph = read(random_case(sizes=(400,), density=0.02))
    wanted = Request(graph, [graph.adjacency], 1, 0, True)
    assert sum_small(assignment(graph, 3), wanted) is not None
    assert sum_small(assignment(graph, 90), wanted) is None


def test_sparse_and_dense_matrices_side_by_side_take_the_other_path() -> None:
    graph = read(CASES["one node"])
    s, dense = assignment(graph, 2), as_adjacency(torch.zeros(1, 1, 1, dtype=torch.float64))
    assert sum_small(s, Request(graph, [graph.adjacency], 1, 0, True)) is not None
    assert sum_small(s, Request(graph, [graph.adjacency, dense], 2, 0, True)) is None


def test_a_supernode_without_edges_keeps_zeros_and_a_finite_gradient() -> None:
    adjacency = torch.zeros(1, 3, 3, dtype=torch.float64)
    adjacency[0, 0, 1] = adjacency[0, 1, 0] = 4.0
    adjacency.requires_grad_()
    out = normalize_symmetric(adjacency)
    torch.testing.assert_close(out[0, 0, 1].detach(), torch.tensor(1.0, dtype=torch.float64))
    assert not bool(out[0, 2].any())
    (gradient,) = torch.autograd.grad(out.pow(2).sum(), adjacency)
    assert bool(gradient.isfinite().all())


@pytest.mark.parametrize("size", [1, 2, 5])
def test_is_the_textbook_s(size: int) -> None:
    half = torch.rand(3, size, size, generator=torch.Generator().manual_seed(size), dtype=torch.float64)
    half[1, 0] = half[1, :, 0] = 0  # a supernode without edges
    half[2] = 0
    adjacency = half + half.mT
    for own, found in zip(adjacency, normalize_symmetric(zero_diagonal(adjacency)), strict=True):
        apart = own - own.diag().diag()
        scale = torch.diag(torch.tensor([d**-0.5 if d > 0 else 0.0 for d in apart.sum(1).tolist()]).double())
        torch.testing.assert_close(found, scale @ apart @ scale)


def test_cleaning_does_not_hide_nan() -> None:
    adjacency = torch.ones(1, 3, 3)
    adjacency[0, 0, 1] = torch.nan
    assert bool(normalize_symmetric(zero_diagonal(adjacency)).isnan().any())
