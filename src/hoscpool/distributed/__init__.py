"""Graphs beyond one memory or one machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoscpool.support.doors import lazy_door

if TYPE_CHECKING:
    from hoscpool.distributed.training import RankError as RankError
    from hoscpool.distributed.training import Ranks as Ranks
    from hoscpool.distributed.training import check_alike as check_alike
    from hoscpool.distributed.training import fit as fit
    from hoscpool.distributed.training import follow as follow
    from hoscpool.distributed.training import join as join
    from hoscpool.distributed.training import leading as leading
    from hoscpool.distributed.training import part_ways as part_ways
    from hoscpool.distributed.training import run_together as run_together

_EXPORTS = {
    "RankError": "training",
    "Ranks": "training",
    "check_alike": "training",
    "fit": "training",
    "follow": "training",
    "join": "training",
    "leading": "training",
    "part_ways": "training",
    "run_together": "training",
}

__all__ = ["RankError", "fit"]

__getattr__ = lazy_door(__name__, _EXPORTS)


def __dir__() -> list[str]:
    return sorted(__all__)
