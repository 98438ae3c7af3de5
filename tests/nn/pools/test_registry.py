from __future__ import annotations

import pytest

from hoscpool.nn import HoscPool, list_pools, make_pool, pool_info


def test_the_names_of_the_design() -> None:
    names = "none random mincut diffpool dmon just-balance sag asap edge topk eigen gmt hosc hp-1 hp-2"
    assert set(list_pools()) == set(names.split())


def test_an_unknown_name_lists_the_valid_ones() -> None:
    with pytest.raises(
        ValueError, match=r"unknown pool 'mincutt'. Did you mean 'mincut'\? Valid pools: .*none, random"
    ):
        make_pool("mincutt", in_channels=6)
    with pytest.raises(ValueError, match=r"unknown pool 'xyz'. Valid pools: .*none"):
        pool_info("xyz")


def test_an_unknown_option_lists_the_valid_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown option 'motif' of 'hosc'. Did you mean 'motifs'\? Valid"):
        make_pool("hosc", in_channels=6, num_clusters=2, motif={})
    with pytest.raises(ValueError, match="unknown option 'motifs' of 'hp-1'"):
        make_pool("hp-1", in_channels=6, num_clusters=2, motifs={"triangle": 1.0})
    with pytest.raises(ValueError, match=r"unknown option 'heads' of 'none'. Valid options: none"):
        make_pool("none", in_channels=6, heads=2)


@pytest.mark.parametrize(("name", "motifs"), [("hp-1", {"edge": 1.0}), ("hp-2", {"triangle": 1.0})])
def test_presets(name: str, motifs: dict[str, float]) -> None:
    pool = make_pool(name, in_channels=6, num_clusters=2, mu=0.3)
    assert isinstance(pool, HoscPool)
    assert pool.motifs == motifs
    assert pool.mu == 0.3


def test_options_of_pools() -> None:
    with pytest.raises(ValueError, match="heads: expected a divisor of in_channels=6, got 4"):
        make_pool("gmt", in_channels=6, num_clusters=2, heads=4)
    with pytest.raises(ValueError, match="random_state: expected an integer of at least 0, got -1"):
        make_pool("random", in_channels=6, num_clusters=2, random_state=-1)
    assert make_pool("eigen", in_channels=6, num_clusters=2, num_modes=4).out_channels == 24
