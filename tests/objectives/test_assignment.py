from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hoscpool.objectives import as_adjacency, association, mincut_orthogonality_loss, motif_cut_loss, volume
from hoscpool.objectives.assignment import Assignment, as_assignment, ratio, root, weighted_sum
from hoscpool.objectives.operators.storage import Adjacency, SparseAdjacency
from hoscpool.support.machine import PeakMemory
from objectives_table import NAMES, compute

PAIR = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
BAD: dict[str, tuple[Any, Any, str]] = {
    "integers": (
        torch.ones(2, 2, dtype=torch.int64),
        None,
        "assignment: expected a floating-point tensor .* torch.int64",
    ),
    "no tensor": ([[1.0], [1.0]], None, "assignment: expected a floating-point tensor .* got list"),
    "one dimension": (torch.ones(2), None, r"assignment: expected shape \[N, K\] or \[B, N, K\], got \[2\]"),
    "no cluster": (torch.ones(2, 0), None, r"assignment: expected at least one cluster, got shape \[2, 0\]"),
    "rows": (torch.ones(3, 2), None, "assignment: expected 2 rows, one for every node of the adjacency, got 3"),
    "batch too long": (torch.ones(2, 2), torch.zeros(3, dtype=torch.int64), r"batch: expected int64 of shape \[2\]"),
    "batch of floats": (torch.ones(2, 2), torch.zeros(2), "one graph number for every node, got torch.float32"),
    "batch negative": (torch.ones(2, 2), torch.tensor([0, -1]), "batch: expected graph numbers from 0, got -1"),
    "batch twice": (torch.ones(1, 2, 2), torch.zeros(2, dtype=torch.int64), "leave the batch out"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name: str) -> None:
    assignment, batch, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        motif_cut_loss(PAIR, assignment, batch)


@pytest.mark.parametrize("mask", [torch.ones(2), torch.ones(3, dtype=torch.bool)])
def test_bad_mask(mask: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="mask: expected bool, one value for each of the 2 rows"):
        mincut_orthogonality_loss(torch.ones(2, 2), mask=mask)


def test_gram_of_graphs_in_any_order(draw: Any) -> None:
    batch = torch.tensor([2, 0, 2, 0, 0])  # graph 1 has no nodes
    s = draw.assignment(5, 3)
    expected = torch.stack([s[batch == b].T @ s[batch == b] for b in range(3)])
    torch.testing.assert_close(as_assignment(s, batch).gram(), expected)


def test_counts_leave_padding_out() -> None:
    mask = torch.tensor([[True, True], [True, False]])
    flat = as_assignment(torch.ones(2, 2, 3), mask=mask)
    assert flat.num_nodes.tolist() == [2, 1]
    assert flat.s[3].tolist() == [0, 0, 0]
    assert as_assignment(torch.ones(4, 3), torch.tensor([1, 1, 0, 1])).num_nodes.tolist() == [1, 3]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", NAMES)
def test_half_precision_is_computed_in_single(name: str, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(0)
    s = torch.softmax(torch.randn(4000, 3, generator=generator), 1).to(dtype)
    ring = torch.arange(4000)
    A = (torch.stack([torch.cat([ring, ring.roll(1)]), torch.cat([ring.roll(1), ring])]), None, 4000)
    for batch in (None, torch.arange(4000) // 2000):
        loss = compute(name, A, s, batch)
        assert loss.dtype == torch.float32
        torch.testing.assert_close(loss, compute(name, A, s.float(), batch))


def test_single_precision_counts_beyond_its_whole_numbers() -> None:
    many = (1 << 24) + 9
    flat = Assignment(torch.empty(1, 1).expand(many, 1), torch.zeros(1, dtype=torch.int64).expand(many), 1)
    assert flat.num_nodes.item() == pytest.approx(many, abs=1)


def test_the_two_tensors(draw: Any) -> None:
    A, s = draw.adjacency(7), draw.assignment(7, 3)
    d = torch.from_numpy(A.sum(axis=1))
    inside = torch.diagonal(s.T @ torch.from_numpy(A) @ s)[None]
    torch.testing.assert_close(association(sp.csr_array(A), s), inside)
    torch.testing.assert_close(volume(sp.csr_array(A), s), (d @ s)[None])
    torch.testing.assert_close(volume(sp.csr_array(A), s, kind="diagonal"), (d @ s**2)[None])


def test_unknown_volume() -> None:
    with pytest.raises(ValueError, match="volume: expected one of 'soft', 'diagonal', got 'hard'"):
        motif_cut_loss(torch.eye(2), torch.eye(2), volume="hard")  # type: ignore[arg-type]


def test_the_backward_pass_needs_no_product(draw: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    adjacency = as_adjacency(sp.csr_array(draw.adjacency(7)), dtype=torch.float64)
    calls: list[Adjacency] = []
    original = SparseAdjacency.multiply

    def count(self: SparseAdjacency, s: torch.Tensor) -> torch.Tensor:
        calls.append(self)
        return original(self, s)

    monkeypatch.setattr(SparseAdjacency, "multiply", count)
    s = draw.assignment(7, 3).requires_grad_()
    loss = motif_cut_loss(adjacency, s)
    assert len(calls) == 1
    torch.autograd.backward(loss)
    assert len(calls) == 1


def test_gradients_of_gradients_are_refused(draw: Any) -> None:
    s = draw.assignment(7, 3).requires_grad_()
    loss = motif_cut_loss(sp.csr_array(draw.adjacency(7)), s)
    (slope,) = torch.autograd.grad(loss, s, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        torch.autograd.backward(slope.sum())


def test_the_input_is_not_touched(draw: Any) -> None:
    s = draw.assignment(7, 3).requires_grad_()
    before = s.detach().clone()
    torch.autograd.backward(motif_cut_loss(torch.eye(7).double(), s))
    assert torch.equal(s.detach(), before)


def test_memory_is_linear() -> None:
    size, clusters = 30_000, 8  # N × N single-precision numbers would be 3.6 GB
    nodes = torch.arange(size - 1)
    path = torch.stack([torch.cat([nodes, nodes + 1]), torch.cat([nodes + 1, nodes])])
    adjacency = as_adjacency((path, None, size))
    s = torch.full((size, clusters), 1 / clusters, requires_grad=True)
    torch.autograd.backward(motif_cut_loss(adjacency, s))
    with PeakMemory() as peak:
        torch.autograd.backward(motif_cut_loss(adjacency, s))
    assert peak.n_bytes < 20 * size * clusters * 4


def test_ratio_of_nothing_is_0_with_gradient_0() -> None:
    part, whole = torch.tensor([0.0, 1.0, 1e-30]), torch.tensor([0.0, 2.0, 1e-30])
    part.requires_grad_()
    whole.requires_grad_()
    result = ratio(part, whole, torch.tensor(3.0))
    torch.autograd.backward(result.sum())
    assert result.tolist() == [0, 0.5, 0]
    assert part.grad is not None
    assert whole.grad is not None
    assert part.grad.tolist() == [0, 0.5, 0]
    assert whole.grad.tolist() == [0, -0.25, 0]


def test_small_weights_are_not_nothing() -> None:
    tiny = 1e-30 * torch.tensor([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    assert motif_cut_loss(tiny, torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]])).item() == -1


def test_root_at_0() -> None:
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    torch.autograd.backward(root(x).sum())
    assert x.grad is not None
    assert x.grad.tolist() == [0, 0.25]


def test_float32_beside_a_hub_of_a_million_neighbours() -> None:
    leaves = 1_000_000
    pointers = np.concatenate([[0], np.arange(leaves, 2 * leaves + 1)])
    ends = np.concatenate([np.arange(1, leaves + 1), np.zeros(leaves)]).astype(np.int32)
    star = sp.csr_array((np.ones(2 * leaves), ends, pointers), shape=(leaves + 1, leaves + 1))
    exact = torch.randn(leaves + 1, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).softmax(-1)
    for measure in (volume, association):
        found = measure(as_adjacency(star, dtype=torch.float32), exact.float())
        torch.testing.assert_close(found.double(), measure(as_adjacency(star), exact), rtol=2e-4, atol=0)


def test_long_sums_are_the_same_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    weights, rows = torch.rand(1000, dtype=torch.float64), torch.rand(1000, 3, dtype=torch.float64, requires_grad=True)
    plain = weighted_sum(weights, rows)
    (slope,) = torch.autograd.grad(plain.square().sum(), rows)
    monkeypatch.setattr("hoscpool.objectives.assignment.LONG", 10)
    monkeypatch.setattr("hoscpool.objectives.assignment.BLOCK", 64)
    found = weighted_sum(weights, rows)
    torch.testing.assert_close(found, plain)
    torch.testing.assert_close(torch.autograd.grad(found.square().sum(), rows)[0], slope)
