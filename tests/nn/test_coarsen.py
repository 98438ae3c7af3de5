from __future__ import annotations

import torch

from hoscpool.nn.coarsen import normalize_symmetric


def test_a_supernode_without_edges_keeps_zeros_and_a_finite_gradient() -> None:
    adjacency = torch.zeros(1, 3, 3, dtype=torch.float64)
    adjacency[0, 0, 1] = adjacency[0, 1, 0] = 4.0
    adjacency.requires_grad_()
    out = normalize_symmetric(adjacency)
    torch.testing.assert_close(out[0, 0, 1].detach(), torch.tensor(1.0, dtype=torch.float64))
    assert not bool(out[0, 2].any())
    (gradient,) = torch.autograd.grad(out.pow(2).sum(), adjacency)
    assert bool(gradient.isfinite().all())
