from __future__ import annotations

import gc
from collections.abc import Callable

import torch

from hoscpool.nn.batch import edge_cache as cache


def counter() -> Callable[[], int]:
    calls: list[None] = []

    def build() -> int:
        calls.append(None)
        return len(calls)

    return build


def test_the_same_tensor_is_worked_out_once() -> None:
    edges, build = torch.tensor([[0], [1]]), counter()
    assert [cache.cached("key", edges, None, build) for _ in range(3)] == [1, 1, 1]
    assert cache.cached("other key", edges, None, build) == 2


def test_an_equal_tensor_is_another_tensor() -> None:
    edges, build = torch.tensor([[0], [1]]), counter()
    assert cache.cached("key", edges, None, build) == 1
    assert cache.cached("key", edges.clone(), None, build) == 2


def test_a_change_in_place_is_seen() -> None:
    edges, weight, build = torch.tensor([[0], [1]]), torch.ones(1), counter()
    assert cache.cached("key", edges, weight, build) == 1
    edges[0] = 2
    assert cache.cached("key", edges, weight, build) == 2
    weight.mul_(2)
    assert cache.cached("key", edges, weight, build) == 3
    assert cache.cached("key", edges, weight, build) == 3


def test_other_weights_are_seen() -> None:
    edges, weight, build = torch.tensor([[0], [1]]), torch.ones(1), counter()
    assert cache.cached("key", edges, weight, build) == 1
    assert cache.cached("key", edges, weight.clone(), build) == 2
    assert cache.cached("key", edges, None, build) == 3


def test_entries_go_with_their_tensor() -> None:
    gc.collect()
    before = len(cache._STORE)
    edges = torch.tensor([[0], [1]])
    cache.cached("key", edges, None, lambda: 1)
    assert len(cache._STORE) == before + 1
    del edges
    gc.collect()
    assert len(cache._STORE) == before


def test_one_tensor_keeps_a_bounded_number() -> None:
    edges = torch.tensor([[0], [1]])
    for key in range(100):
        cache.cached(key, edges, None, lambda: 1)
    assert len(cache._STORE[edges]) <= cache._LIMIT


def test_weights_with_a_gradient_are_not_kept() -> None:
    edges, weight, build = torch.tensor([[0], [1]]), torch.ones(1, requires_grad=True), counter()
    assert cache.cached("key", edges, weight, build) == 1
    assert cache.cached("key", edges, weight, build) == 2


def test_inference_tensors_have_no_version_and_are_not_kept() -> None:
    build = counter()
    with torch.inference_mode():
        edges = torch.tensor([[0], [1]])
        assert cache.cached("key", edges, None, build) == 1
        assert cache.cached("key", edges, None, build) == 2
