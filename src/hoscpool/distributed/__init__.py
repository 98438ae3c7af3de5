"""Graphs beyond one memory or one machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoscpool.support.lazy import lazy_door

if TYPE_CHECKING:
    from hoscpool.distributed.blocks import BlockGraph as BlockGraph
    from hoscpool.distributed.blocks import build_blocks as build_blocks
    from hoscpool.distributed.blocks import is_blocks as is_blocks
    from hoscpool.distributed.blocks import open_blocks as open_blocks
    from hoscpool.distributed.counting import BlockedMatrix as BlockedMatrix
    from hoscpool.distributed.counting import EdgeCounts as EdgeCounts
    from hoscpool.distributed.counting import count_record as count_record
    from hoscpool.distributed.counting import countable as countable
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
    "BlockGraph": "blocks",
    "BlockedMatrix": "counting",
    "EdgeCounts": "counting",
    "build_blocks": "blocks",
    "count_record": "counting",
    "countable": "counting",
    "is_blocks": "blocks",
    "open_blocks": "blocks",
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

__all__ = ["BlockGraph", "BlockedMatrix", "EdgeCounts", "RankError", "build_blocks", "fit", "open_blocks"]

__getattr__ = lazy_door(__name__, _EXPORTS)


def __dir__() -> list[str]:
    return sorted(__all__)
