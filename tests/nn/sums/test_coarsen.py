from __future__ import annotations

from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from hoscpool.nn.batch.read_graphs import read_graphs
from hoscpool.nn.sums.coarsen import coarsen_adjacency, normalize_symmetric, zero_diagonal


def test_a_supernode_without_edges_keeps_zeros_and_a_finite_gradient() -> None:
    adjacency = torch.zeros(1, 3, 3, dtype=torch.float64)
    adjacency[0, 0, 1] = adjacency[0, 1, 0] = 4.0
    adjacency.requires_grad_()
    out = normalize_symmetric(adjacency)
    torch.testing.assert_close(out[0, 0, 1].detach(), torch.tensor(1.0, dtype=torch.float64))
    assert not bool(out[0, 2].any())
    (gradient,) = torch.autograd.grad(out.pow(2).sum(), adjacency)
    assert bool(gradient.isfinite().all())


class Coarse(NamedTuple):
    """A graph of K nodes and the assignment of each to itself: coarsening leaves the matrix as it is."""

    adjacency: Tensor

    def clean(self, remove_self_loops: bool) -> Tensor:
        graphs, size = self.adjacency.shape[:2]
        x = torch.zeros(graphs, size, 1, dtype=self.adjacency.dtype)
        graph = read_graphs(x, None, None, None, self.adjacency, None, in_channels=1)
        s = torch.eye(size, dtype=self.adjacency.dtype).repeat(graphs, 1)
        return coarsen_adjacency(graph, s, remove_self_loops=remove_self_loops)


@pytest.mark.parametrize("remove_self_loops", [True, False])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_cleaning_in_one_step_is_both_formulas(size: int, remove_self_loops: bool) -> None:
    generator = torch.Generator().manual_seed(size)
    half = torch.rand(3, size, size, generator=generator, dtype=torch.float64)
    half[1, 0] = half[1, :, 0] = 0  # a supernode without edges
    half[2] = 0
    adjacency, weight = (half + half.mT).requires_grad_(), torch.rand(3, size, size, generator=generator).double()
    found = Coarse(adjacency).clean(remove_self_loops)
    expected = normalize_symmetric(zero_diagonal(adjacency) if remove_self_loops else adjacency)
    torch.testing.assert_close(found, expected)
    gradients = [torch.autograd.grad((weight * out).sum(), adjacency)[0] for out in (found, expected)]
    torch.testing.assert_close(*gradients)


def test_cleaning_does_not_hide_nan() -> None:
    adjacency = torch.ones(1, 3, 3)
    s = torch.eye(3)
    s[0, 0] = torch.nan
    graph = read_graphs(torch.zeros(1, 3, 1), None, None, None, adjacency, None, in_channels=1)
    assert bool(coarsen_adjacency(graph, s).isnan().any())
