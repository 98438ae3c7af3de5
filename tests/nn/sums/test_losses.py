"""The compiled losses are those of the objectives, with their gradients, also where there is nothing to divide by."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from hoscpool.nn.sums.losses import hosc_terms
from hoscpool.nn.sums.node_sums import Statistics
from hoscpool.objectives.equations import cut_of, orthogonality_of


def sums(k: int, dtype: torch.dtype = torch.float64) -> tuple[Statistics, Tensor]:
    """Two matrices and three graphs, the last without nodes; the second graph has an empty cluster."""
    generator = torch.Generator().manual_seed(k)
    volume = torch.rand(2, 3, k, generator=generator, dtype=dtype)
    association = volume * torch.rand(2, 3, k, generator=generator, dtype=dtype)
    squares = torch.rand(3, k, generator=generator, dtype=dtype)
    volume[:, 1, 0] = association[:, 1, 0] = squares[1, 0] = 0
    volume[:, 2] = association[:, 2] = squares[2] = 0
    parts = [part.requires_grad_() for part in (association, volume, squares)]
    total = volume.detach().sum(-1, keepdim=True)
    return Statistics(parts[0], parts[1], total, parts[2]), torch.tensor([4.0, 7.0, 0.0], dtype=dtype)


def plain(found: Statistics, size: Tensor) -> Tensor:
    cuts = cut_of(found.association, found.volume, found.total)
    return torch.stack([*cuts.mean(1), orthogonality_of(found.squares, size).mean()])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_values_and_gradients_are_those_of_the_objectives(k: int, dtype: torch.dtype) -> None:
    found, size = sums(k, dtype)
    torch.testing.assert_close(hosc_terms(found, size), plain(found, size))
    inputs = [found.association, found.volume, found.squares]
    for term in range(3):
        own, other = (torch.autograd.grad(terms(found, size)[term], inputs, allow_unused=True, materialize_grads=True)
                      for terms in (hosc_terms, plain))  # fmt: skip
        torch.testing.assert_close(own, other)


def test_an_underflow_counts_as_nothing() -> None:
    found, size = sums(3, torch.float32)
    with torch.no_grad():
        found.volume[0, 0, 0] = 1e-17
    assert torch.autograd.grad(hosc_terms(found, size).sum(), found.volume)[0].isfinite().all()
    torch.testing.assert_close(hosc_terms(found, size), plain(found, size))


def test_nan_is_not_hidden() -> None:
    found, size = sums(3)
    with torch.no_grad():
        found.volume[1, 0, 0] = found.squares[0, 1] = torch.nan
    assert hosc_terms(found, size).isnan().tolist() == [False, True, True]
