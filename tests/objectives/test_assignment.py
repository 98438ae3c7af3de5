from __future__ import annotations

from typing import Any

import pytest
import torch

from hoscpool.objectives import mincut_orthogonality_loss, motif_cut_loss
from hoscpool.objectives.assignment import Assignment, as_assignment
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
