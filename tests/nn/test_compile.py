"""What works: export of a fixed-shape dense model as one graph; compile of anything, with one break per edge list."""

from __future__ import annotations

import logging
import warnings

import pytest
import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data

from hoscpool.nn import GCN, AddMotifs, HoscPool, motifs_of
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


class Classifier(nn.Module):
    """Two pools: the first reads an edge list with motifs counted before, the second the coarsened graphs."""

    def __init__(self) -> None:
        super().__init__()
        self.encode = nn.ModuleList([GCN(4, 6), GCN(6, 6)])
        self.pool = nn.ModuleList([HoscPool(6, 4), HoscPool(6, 3)])

    def forward(self, batch: Batch, motifs: dict[str, tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
        x = self.encode[0](batch.x, batch.edge_index).relu()
        first = self.pool[0](x, batch.edge_index, batch=batch.batch, motifs=motifs)
        second = self.pool[1](self.encode[1](first.x, **first.graph).relu(), **first.graph)
        return second.x, first.loss + second.loss


def batch_of(*sizes: int) -> tuple[Batch, dict[str, tuple[Tensor, Tensor]]]:
    generator, add = torch.Generator().manual_seed(0), AddMotifs(["triangle"])
    graphs = []
    for size in sizes:
        half = (torch.rand(size, size, generator=generator) < 0.4).triu(1)
        edges = (half | half.t()).nonzero().t().contiguous()
        graphs.append(add(Data(x=torch.randn(size, 4, generator=generator), edge_index=edges)))
    batch = Batch.from_data_list(graphs)
    return batch, motifs_of(batch)


def double_batch_of(*sizes: int) -> tuple[Batch, dict[str, tuple[Tensor, Tensor]]]:
    batch, motifs = batch_of(*sizes)
    batch.x = batch.x.double()
    return batch, {name: (pairs, weights.double()) for name, (pairs, weights) in motifs.items()}


@pytest.mark.slow
def test_an_edge_list_costs_one_break_and_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dynamo's own
        found = torch._dynamo.explain(Classifier())(*batch_of(9, 7, 8))
    assert found.graph_break_count == 1
    assert "reads an edge list" in str(found.break_reasons[0].reason)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.slow
def test_compiled_at_any_size_with_its_gradient() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Classifier().double()  # compiled sums run in another order, which float32 shows in the gradients
    compiled = torch.compile(model, backend="aot_eager", dynamic=True)
    parameters = list(model.parameters())
    for sizes in [(9, 7, 8), (5, 12), (6, 6, 6, 9)]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # dynamo's own
            found = compiled(*double_batch_of(*sizes))
        expected = model(*double_batch_of(*sizes))
        torch.testing.assert_close(found, expected)
        gradients = [torch.autograd.grad(out[0].square().sum() + out[1], parameters) for out in (found, expected)]
        torch.testing.assert_close(gradients[0], gradients[1])
