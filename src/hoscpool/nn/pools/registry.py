"""Pools by name. The decorator `register_pool` above a class registers it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from hoscpool.nn.pools.base import Pool
from hoscpool.support.names import Registry, build

Size = Literal["num_clusters", "ratio", "fixed"]
P = TypeVar("P", bound=type[Pool])


@dataclass(frozen=True)
class PoolInfo:
    """An entry of the registry.

    Attributes:
        name: The name that users pass.
        cls: The layer's class.
        size: The parameter that sets the coarsened size. ``"fixed"`` means that there is none.
        description: One line for tables and ``--help``.
        preset: Arguments that define this entry.
        is_global: Whether it returns one supernode per graph.
        title: Its name in tables. Default: ``name``.
    """

    name: str
    cls: type[Pool]
    size: Size
    description: str
    preset: Mapping[str, Any] = field(default_factory=dict)
    is_global: bool = False
    title: str = ""

    @property
    def label(self) -> str:
        """Its name in tables."""
        return self.title or self.name


POOLS: Registry[PoolInfo] = Registry("pool")


def register_pool(
    name: str,
    description: str = "",
    *,
    title: str = "",
    preset: Mapping[str, Any] | None = None,
    is_global: bool = False,
) -> Callable[[P], P]:
    """A class decorator that registers a pool, so that `make_pool`, `GraphClassifier` and the command line know it.

    The class's parameter ``num_clusters`` or ``ratio``, if it has one, sets the size of the coarsened graph.

    Args:
        name: The name that users pass.
        description: One line for tables.
        title: Its name in tables.
        preset: Arguments that define this entry. One class may have several entries.
        is_global: Whether it returns one supernode per graph.

    Returns:
        The decorator. It returns the class unchanged.

    Raises:
        ValueError: The name is taken.
    """

    def register(cls: P) -> P:
        POOLS.add(name, PoolInfo(name, cls, _size(cls), description, preset or {}, is_global, title))
        return cls

    return register


def _size(cls: type[Pool]) -> Size:
    parameters = inspect.signature(cls).parameters
    return "num_clusters" if "num_clusters" in parameters else "ratio" if "ratio" in parameters else "fixed"


def list_pools() -> list[str]:
    """The names of all registered pools.

    Examples:
        >>> list_pools()[:4]
        ['asap', 'diffpool', 'dmon', 'edge']
    """
    return sorted(POOLS)


def pool_info(name: str | PoolInfo | type[Pool]) -> PoolInfo:
    """The entry of a pool.

    Args:
        name: A name of `list_pools`, an entry, or a class. The class need not be registered.

    Raises:
        ValueError: There is no pool of that name. The message lists the valid names.
    """
    if isinstance(name, PoolInfo):
        return name
    if isinstance(name, type):
        return PoolInfo(name.__name__, name, _size(name), "")
    return POOLS.find(name)


def make_pool(
    name: str | PoolInfo | type[Pool],
    *,
    in_channels: int,
    num_clusters: int | None = None,
    ratio: float | int | None = None,
    **options: Any,
) -> Pool:
    """Build a pool.

    Args:
        name: A name of `list_pools`, an entry, or a class.
        in_channels: Width of the input features.
        num_clusters: K, for pools that form clusters. Other pools ignore it.
        ratio: Share of the nodes to keep, for pools that drop nodes; default 0.5. Pools with learned clusters take it
            instead of ``num_clusters``. Other pools ignore it.
        **options: Options of that pool's class.

    Returns:
        The layer. ``layer.out_channels`` is the width of its output.

    Raises:
        ValueError: The name or an option is unknown, or ``num_clusters`` is missing.

    Examples:
        >>> make_pool("topk", in_channels=32, ratio=0.25)
        TopKPool(
          32, ratio=0.25
          (operator): TopKPooling(32, ratio=0.25, multiplier=1.0)
        )
    """
    info = pool_info(name)
    given: dict[str, Any] = {}
    if info.size == "ratio":
        given = {"ratio": 0.5 if ratio is None else ratio}
    elif info.size == "num_clusters":
        takes_ratio = "ratio" in inspect.signature(info.cls).parameters
        given = {"ratio": ratio} if num_clusters is None and takes_ratio else {"num_clusters": num_clusters}
        if None in given.values():
            wanted = "an integer, or a ratio," if takes_ratio else "an integer"
            raise ValueError(f"num_clusters: expected {wanted} because {info.name!r} forms clusters, got None")
    return build(info.cls, info.name, {"in_channels": in_channels, **given, **info.preset}, options)
