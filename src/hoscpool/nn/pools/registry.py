"""Pools by name: adding one is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hoscpool.nn.pools.asap.asap_pool import ASAPool
from hoscpool.nn.pools.base import Pool
from hoscpool.nn.pools.diffpool import DiffPool
from hoscpool.nn.pools.dmon import DMoNPool
from hoscpool.nn.pools.edge import EdgePool
from hoscpool.nn.pools.eigen.eigen_pool import EigenPool
from hoscpool.nn.pools.gmt.gmt_pool import GMTPool
from hoscpool.nn.pools.hosc import HoscPool
from hoscpool.nn.pools.just_balance import JustBalancePool
from hoscpool.nn.pools.mincut import MinCutPool
from hoscpool.nn.pools.none import NoPool
from hoscpool.nn.pools.random import RandomPool
from hoscpool.nn.pools.scoring import SAGPool, TopKPool
from hoscpool.support.names import build, lookup

Size = Literal["num_clusters", "ratio", "fixed"]


@dataclass(frozen=True)
class PoolInfo:
    """An entry of the registry.

    Attributes:
        name: The name to ask for it by.
        cls: The layer's class.
        size: What its coarsened size is given by; ``"fixed"``: it has no say.
        description: One line for tables and ``--help``.
        preset: Arguments that make the entry what it is.
        is_global: Whether it leaves one supernode a graph.
    """

    name: str
    cls: type[Pool]
    size: Size
    description: str
    preset: Mapping[str, Any] = field(default_factory=dict)
    is_global: bool = False


_POOLS = (
    PoolInfo("none", NoPool, "fixed", "no pooling"),
    PoolInfo("random", RandomPool, "num_clusters", "random clusters"),
    PoolInfo("mincut", MinCutPool, "num_clusters", "relaxed minimum cut (Bianchi et al. 2020)"),
    PoolInfo("diffpool", DiffPool, "num_clusters", "differentiable pooling (Ying et al. 2018)"),
    PoolInfo("dmon", DMoNPool, "num_clusters", "modularity (Tsitsulin et al. 2023)"),
    PoolInfo("just-balance", JustBalancePool, "num_clusters", "balanced clusters (Bianchi 2022)"),
    PoolInfo("sag", SAGPool, "ratio", "nodes that a GNN scores best (Lee et al. 2019)"),
    PoolInfo("asap", ASAPool, "ratio", "ego networks that score best (Ranjan et al. 2020)"),
    PoolInfo("edge", EdgePool, "fixed", "contracted edges (Diehl 2019)"),
    PoolInfo("topk", TopKPool, "ratio", "nodes whose projection scores best (Gao & Ji 2019)"),
    PoolInfo("eigen", EigenPool, "num_clusters", "spectral clusters and their Fourier modes (Ma et al. 2019)"),
    PoolInfo("gmt", GMTPool, "num_clusters", "graph multiset transformer (Baek et al. 2021)", is_global=True),
    PoolInfo("hosc", HoscPool, "num_clusters", "motif cuts of edges and triangles, or any motifs"),
    PoolInfo("hp-1", HoscPool, "num_clusters", "HoscPool on edges only", {"motifs": {"edge": 1.0}}),
    PoolInfo("hp-2", HoscPool, "num_clusters", "HoscPool on triangles only", {"motifs": {"triangle": 1.0}}),
)
POOLS = {info.name: info for info in _POOLS}


def list_pools() -> list[str]:
    """The names that `make_pool` knows.

    Examples:
        >>> list_pools()[:4]
        ['none', 'random', 'mincut', 'diffpool']
    """
    return list(POOLS)


def pool_info(name: str) -> PoolInfo:
    """The entry of that name.

    Raises:
        ValueError: There is none; the message lists the valid names.
    """
    return lookup(name, POOLS, "pool")


def make_pool(
    name: str, *, in_channels: int, num_clusters: int | None = None, ratio: float | int = 0.5, **options: Any
) -> Pool:
    """Build the pool of that name.

    Args:
        name: One of `list_pools`.
        in_channels: Width of the input features.
        num_clusters: K, for pools that form clusters; others do not look at it.
        ratio: Share of the nodes to keep, for pools that drop nodes; others do not look at it.
        **options: Options of that pool's class.

    Returns:
        The layer; ``layer.out_channels`` is the width of what it returns.

    Raises:
        ValueError: The name or an option is not known, or ``num_clusters`` is missing.

    Examples:
        >>> make_pool("topk", in_channels=32, ratio=0.25)
        TopKPool(
          32, ratio=0.25
          (operator): TopKPooling(32, ratio=0.25, multiplier=1.0)
        )
    """
    info = pool_info(name)
    if info.size == "num_clusters" and num_clusters is None:
        raise ValueError(f"num_clusters: expected an integer, since {name!r} forms clusters, got None")
    sizes = {"num_clusters": num_clusters, "ratio": ratio}
    given: dict[str, Any] = {key: value for key, value in sizes.items() if key == info.size}
    return build(info.cls, name, {"in_channels": in_channels, **given, **info.preset}, options)
