from __future__ import annotations

import pytest
import torch

from hoscpool.nn.sums.coarsen import normalize_symmetric, zero_diagonal


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
