"""What works: export of a fixed-shape dense model as one graph; compile of anything, with graph breaks."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch import Tensor, nn

from hoscpool.nn import GCN, HoscPool
from nn.cases import random_case


class TwoPools(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encode = nn.ModuleList([GCN(6, 6), GCN(6, 6)])
        self.pool = nn.ModuleList([HoscPool(6, 4), HoscPool(6, 3)])

    def forward(self, x: Tensor, adjacency: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        first = self.pool[0](self.encode[0](x, adjacency=adjacency).relu(), adjacency=adjacency)
        second = self.pool[1](self.encode[1](first.x, **first.graph).relu(), **first.graph)
        return second.x, second.adjacency, first.loss + second.loss


def example() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    half = torch.rand(2, 5, 5, generator=generator)
    return torch.randn(2, 5, 6, generator=generator), half + half.mT


def test_export_on_a_fixed_shape() -> None:
    model, arguments = TwoPools(), example()
    program = torch.export.export(model, arguments)
    for found, expected in zip(program.module()(*arguments), model(*arguments), strict=True):
        torch.testing.assert_close(found, expected)


@pytest.mark.slow
def test_compile_of_a_dense_model_with_its_gradient() -> None:
    model, arguments = TwoPools(), example()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dynamo's own
        found = torch.compile(model, backend="eager")(*arguments)
    expected = model(*arguments)
    torch.testing.assert_close(found, expected)
    parameters = list(model.parameters())
    gradients = [torch.autograd.grad(out[2], parameters) for out in (found, expected)]
    torch.testing.assert_close(gradients[0], gradients[1])


@pytest.mark.slow
def test_compile_on_an_edge_list() -> None:
    case, pool = random_case(), HoscPool(6, 3).double()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dynamo's own
        found = torch.compile(pool, backend="eager")(case.x, **case.arguments)
    expected = pool(case.x, **case.arguments)
    torch.testing.assert_close(found.loss, expected.loss)
    torch.testing.assert_close(found.adjacency, expected.adjacency)
