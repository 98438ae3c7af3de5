"""What a forward pass in inference mode leaves behind does not stop training later."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from hoscpool.nn import list_encoders, list_pools, make_encoder, make_pool
from hoscpool.nn.batch import read_graphs as reading
from hoscpool.nn.batch.propagation import propagation
from hoscpool.nn.sums import _small_sums, node_sums, segments
from nn.cases import random_case


@pytest.fixture(autouse=True)
def _nothing_is_kept_yet() -> None:
    for kept in (node_sums._off_diagonal, reading._batch_of, segments._places):
        kept.cache_clear()


def train(model: nn.Module, loss: Tensor) -> None:
    if loss.requires_grad:
        loss.backward()  # type: ignore[no-untyped-call]
    reached = [parameter.grad is not None for parameter in model.parameters()]
    assert any(reached) or not reached


@pytest.mark.parametrize("limit", [_small_sums.SMALL, 0])
@pytest.mark.parametrize("name", list_pools())
def test_two_pools(name: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_small_sums, "SMALL", limit)
    case = random_case(sizes=(11, 13))
    first = make_pool(name, in_channels=6, num_clusters=5).double()
    second = make_pool(name, in_channels=first.out_channels, num_clusters=2).double()
    with torch.inference_mode():
        out = first(case.x, **case.arguments)
        second(out.x, **out.graph)
    x = case.x.clone().requires_grad_()
    out = first(x, **case.arguments)
    last = second(out.x, **out.graph)
    train(first, out.loss + last.loss + out.x.sum() + last.x.sum())
    assert x.grad is not None
    assert bool(x.grad.any())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", list_encoders())
def test_an_encoder(name: str, weighted: bool) -> None:
    case, encoder = random_case(weighted=weighted), make_encoder(name, 6, 4).double()
    with torch.inference_mode():
        inferred = encoder(case.x, **case.arguments)
    out = encoder(case.x.requires_grad_(), **case.arguments)
    train(encoder, out.pow(2).sum())
    torch.testing.assert_close(inferred.clone(), out)


def test_degrees() -> None:
    case = random_case()
    with torch.inference_mode():
        degree = propagation(case.x, case.edge_index, None, None).degree
    again = propagation(case.x, case.edge_index, None, None).degree
    assert again is degree
    (case.x.requires_grad_() / again).sum().backward()  # type: ignore[no-untyped-call]
    assert case.x.grad is not None
