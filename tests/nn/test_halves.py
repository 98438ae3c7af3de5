"""Half precision and autocast: a pool stores in them and computes in float32."""

from __future__ import annotations

import pytest
import torch

from hoscpool.nn import Pool, list_encoders, list_pools, make_encoder, make_pool
from hoscpool.nn.batch.graph_batch import GraphBatch
from nn.cases import padded, random_case

HALVES = [torch.bfloat16, torch.float16]
CLUSTERING = ["hosc", "mincut", "dmon", "diffpool", "just-balance"]


def make(name: str) -> Pool:
    torch.manual_seed(0)
    return make_pool(name, in_channels=6, num_clusters=4)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", CLUSTERING)
def test_losses_of_many_nodes(name: str, dtype: torch.dtype) -> None:
    case, pool = random_case(sizes=(600, 300), density=0.02, dtype=torch.float32), make(name)
    x = case.x.to(dtype)
    pool.to(dtype)
    out = pool(x.requires_grad_(), **case.arguments)
    exact = pool.float()(x.detach().float(), **case.arguments)
    assert {out.x.dtype, out.adjacency.dtype, out.assignment.dtype} == {dtype}
    for key, loss in exact.losses.items():
        torch.testing.assert_close(out.losses[key], loss, rtol=5e-3, atol=5e-3)
    (out.loss + out.x.float().sum()).backward()
    assert x.grad is not None
    assert bool(x.grad.isfinite().all())
    out.lift(out.x)


@pytest.mark.parametrize("name", CLUSTERING)
def test_losses_under_autocast(name: str) -> None:
    case, pool = random_case(sizes=(600, 300), density=0.02, dtype=torch.float32), make(name)
    exact = pool(case.x, **case.arguments)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = pool(case.x, **case.arguments)
    assert out.x.dtype == torch.float32
    for key, loss in exact.losses.items():
        torch.testing.assert_close(out.losses[key], loss, rtol=5e-3, atol=5e-3)


@pytest.mark.parametrize("name", list_pools())
def test_layers_in_a_row_under_autocast(name: str) -> None:
    case = random_case(dtype=torch.float32)
    first = make(name)
    encoder = make_encoder("gcn", first.out_channels, 5)
    second = make_pool(name, in_channels=5, num_clusters=2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = first(make_encoder("sage", 6, 6)(case.x, **case.arguments), **case.arguments)
        last = second(encoder(out.x, **out.graph), **out.graph)
        total = out.loss + last.loss + last.x.float().sum()
    if total.requires_grad:
        total.backward()
    assert all(p.grad is None or bool(p.grad.isfinite().all()) for p in encoder.parameters())
    out.lift(out.x)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", list_encoders())
def test_encoders(name: str, dtype: torch.dtype) -> None:
    case, encoder = random_case(weighted=True, dtype=torch.float32), make_encoder(name, 6, 4)
    x, adjacency, mask = padded(case)
    exact = encoder(case.x, **case.arguments)
    with torch.autocast("cpu", dtype=dtype):
        found = [encoder(case.x, **case.arguments), encoder(x, adjacency=adjacency, mask=mask)[mask]]
    found[0].float().sum().backward()
    encoder.to(dtype)
    found += [encoder(case.x.to(dtype), **case.arguments), encoder(x.to(dtype), adjacency=adjacency, mask=mask)[mask]]
    assert {h.dtype for h in found[2:]} == {dtype}
    for h in found:
        torch.testing.assert_close(h.float(), exact, rtol=0.05, atol=0.05)


@pytest.mark.parametrize("dtype", HALVES)
def test_sums_count_beyond_what_the_type_can(dtype: torch.dtype) -> None:
    sizes = (1024, 4096)  # numbers that both types have, each beyond where one added to it is lost
    batch = torch.arange(2).repeat_interleave(torch.tensor(sizes))
    ones = torch.ones(sum(sizes), 1, dtype=dtype)
    assert GraphBatch(ones, batch, sizes).sum(ones).flatten().tolist() == list(sizes)


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", list_pools())
def test_every_pool_takes_half_precision(name: str, dtype: torch.dtype) -> None:
    case, pool = random_case(dtype=torch.float32), make(name).to(dtype)
    x = case.x.to(dtype).requires_grad_()
    out = pool(x, **case.arguments)
    assert out.x.dtype == dtype
    assert bool(out.x.isfinite().all())
    if out.x.requires_grad:
        out.x.float().sum().backward()
        assert all(p.grad is None or bool(p.grad.isfinite().all()) for p in pool.parameters())


def test_asap_with_dropout_under_autocast() -> None:
    case = random_case(dtype=torch.float32)
    pool = make_pool("asap", in_channels=6, num_clusters=4, dropout=0.3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = pool(case.x, **case.arguments)
    assert bool(out.x.isfinite().all())


@pytest.mark.parametrize("weight", [1e-30, 1e-8, 1.0, 1e6, 1e30])
def test_attention_over_weights_that_the_type_does_not_have(weight: float) -> None:
    torch.manual_seed(0)
    encoder, x = make_encoder("gat", 6, 4), torch.randn(1, 5, 6)
    adjacency = torch.full((1, 5, 5), weight) * (1 - torch.eye(5))
    exact = encoder(x, adjacency=adjacency, mask=torch.ones(1, 5, dtype=torch.bool))
    found = encoder.half()(x.half(), adjacency=adjacency, mask=torch.ones(1, 5, dtype=torch.bool))
    torch.testing.assert_close(found.float(), exact, rtol=0.02, atol=0.02)
