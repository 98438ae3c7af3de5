from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from hoscpool.objectives import as_adjacency


def test_product_passes_gradcheck_twice(storage: Callable[..., Any], draw: Any) -> None:
    adjacency = as_adjacency(storage(draw.adjacency(6)), dtype=torch.float64)
    s = draw.assignment(6, 3).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: adjacency @ s, s)
    assert torch.autograd.gradgradcheck(lambda s: adjacency @ s, s)


def test_gradients_reach_a_dense_matrix(draw: Any) -> None:
    A = torch.from_numpy(draw.adjacency(5)).requires_grad_()
    s = draw.assignment(5, 2).requires_grad_()
    torch.autograd.backward((as_adjacency(A) @ s).square().sum())
    assert A.grad is not None
    assert A.grad.abs().sum() > 0
    assert s.grad is not None
    assert s.grad.abs().sum() > 0


def test_a_batch_is_multiplied_graph_by_graph(draw: Any) -> None:
    matrices = torch.stack([torch.from_numpy(draw.adjacency(4)) for _ in range(3)])
    s = torch.stack([draw.assignment(4, 2) for _ in range(3)])
    torch.testing.assert_close(as_adjacency(matrices) @ s.flatten(0, 1), (matrices @ s).flatten(0, 1))


def test_no_graphs_at_all() -> None:
    assert (as_adjacency(torch.zeros(0, 3, 3)) @ torch.zeros(0, 2)).shape == (0, 2)
