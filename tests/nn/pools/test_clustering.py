"""Sizes that the first batch decides, and the names of the arguments."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import nn

import hoscpool.nn
from hoscpool.nn import HoscPool, MinCutPool, make_pool
from nn.cases import padded, random_case

LEARNED = ["hosc", "hp-1", "hp-2", "mincut", "dmon", "just-balance"]


@pytest.mark.parametrize("hidden", [(), (5,)])
@pytest.mark.parametrize("name", LEARNED)
def test_the_first_batch_decides_width_and_number_of_clusters(name: str, hidden: tuple[int, ...]) -> None:
    case = random_case()  # 24 nodes in three graphs
    pool = make_pool(name, in_channels=-1, ratio=0.3, hidden=hidden)
    assert "-1, ratio=0.3" in repr(pool)
    optimiser = torch.optim.SGD(pool.parameters(), lr=0.1)  # may be built before the first batch
    out = pool.double()(case.x, **case.arguments)
    assert (pool.in_channels, pool.out_channels) == (6, 6)
    assert pool.num_clusters == 3  # ⌈0.3 · 8⌉
    assert out.x.shape == (3, 3, 6)
    assert "6, num_clusters=3" in repr(pool)
    (out.loss + out.x.sum()).backward()
    before = [part.detach().clone() for part in pool.parameters()]
    optimiser.step()
    assert any(not torch.equal(a, b) for a, b in zip(before, pool.parameters(), strict=True))


def test_later_batches_keep_the_size() -> None:
    case, pool = random_case(), HoscPool(-1, ratio=0.3).double()
    pool(case.x, **case.arguments)
    whole = pool(case.x[:8], case.edge_index[:, (case.edge_index < 8).all(dim=0)])
    assert whole.x.shape == (1, 3, 6)
    with pytest.raises(ValueError, match="expected in_channels = 6"):
        pool(case.x[:, :4], **case.arguments)


def test_a_saved_state_brings_its_sizes() -> None:
    case, pool = random_case(), HoscPool(-1, ratio=0.3, hidden=5).double()
    expected = pool(case.x, **case.arguments)
    other = HoscPool(-1, ratio=0.9, hidden=5).double()
    other.load_state_dict(pool.state_dict())
    assert other.num_clusters == 0
    found = other(case.x, **case.arguments)
    assert other.num_clusters == 3
    torch.testing.assert_close(found.x, expected.x)


def test_a_lazy_pool_is_the_pool_of_these_sizes() -> None:
    case, lazy = random_case(), HoscPool(-1, ratio=0.3).double()
    expected = lazy(case.x, **case.arguments)
    plain = HoscPool(6, 3).double()
    plain.load_state_dict(lazy.state_dict())
    torch.testing.assert_close(plain(case.x, **case.arguments).adjacency, expected.adjacency)
    torch.testing.assert_close(copy.deepcopy(lazy)(case.x, **case.arguments).x, expected.x)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "num_clusters, ratio: expected exactly one of them, got neither"),
        ({"num_clusters": 3, "ratio": 0.5}, "num_clusters, ratio: expected exactly one of them, got both"),
        ({"ratio": 0}, r"ratio: expected a share in \(0, 1\], got 0"),
        ({"ratio": float("nan")}, "ratio: expected a share"),
        ({"ratio": 3}, "num_clusters sets a number of clusters"),
        ({"ratio": True}, "ratio: expected a share"),
        ({"ratio": "half"}, "ratio: expected a share"),
    ],
)
def test_sizes_that_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        HoscPool(6, **arguments)


def test_pools_that_are_not_lazy_say_so() -> None:
    with pytest.raises(ValueError, match="in_channels: expected an integer of at least 1, got -1"):
        make_pool("diffpool", in_channels=-1, num_clusters=3)
    with pytest.raises(ValueError, match="num_clusters: expected an integer because 'diffpool' forms clusters"):
        make_pool("diffpool", in_channels=6, ratio=0.5)
    with pytest.raises(ValueError, match="num_clusters: expected an integer, or a ratio, because 'hosc' forms"):
        make_pool("hosc", in_channels=6)


def test_adj_is_another_name_of_adjacency() -> None:
    case, pool = random_case(), MinCutPool(6, 3).double()
    x, adjacency, mask = padded(case)
    torch.testing.assert_close(pool(x, adj=adjacency, mask=mask).x, pool(x, adjacency=adjacency, mask=mask).x)
    with pytest.raises(ValueError, match="adjacency, adj: expected exactly one of them, got both"):
        pool(x, adjacency=adjacency, adj=adjacency)


def test_dir_shows_what_is_public() -> None:
    assert dir(hoscpool.nn) == sorted(hoscpool.nn.__all__)


def test_lazy_layers_do_not_warn_and_turn_into_plain_ones() -> None:
    case, pool = random_case(), HoscPool(-1, ratio=0.3).double()
    pool(case.x, **case.arguments)
    assert type(pool.mlp[-1]) is nn.Linear
