"""Whether this process is one of several that torchrun started, and how they find each other."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any

import torch.distributed as dist

from hoscpool.distributed.training.ranks import TIMEOUT, RankError, Ranks

_JOINED: list[Ranks] = []
"""The ranks of this process, once it has joined. A process belongs to one run."""


def join(timeout: float | None = None) -> Ranks | None:
    """The processes of this run; ``None`` if torchrun started only this one, or did not start it.

    Args:
        timeout: Seconds after which a rank that does not answer counts as lost. Default: the environment variable
            ``HOSCPOOL_RANK_TIMEOUT``, or 300.

    Raises:
        RankError: The other processes cannot be reached.
    """
    if _JOINED:
        return _JOINED[0]
    if not dist.is_initialized():
        if int(os.environ.get("WORLD_SIZE", "1")) < 2 or "RANK" not in os.environ:
            return None
        seconds = _timeout() if timeout is None else timeout
        try:
            dist.init_process_group("gloo", timeout=timedelta(seconds=seconds))
        except (RuntimeError, ValueError) as error:
            raise RankError(
                f"ranks: rank {os.environ['RANK']} cannot reach the others at {os.environ.get('MASTER_ADDR')}: "
                f"{str(error).splitlines()[0]}; check the addresses that torchrun was given"
            ) from error
    if dist.get_world_size() < 2:
        return None
    seconds = _timeout() if timeout is None else timeout
    _JOINED.append(Ranks(dist.get_rank(), dist.get_world_size(), _store(), seconds))
    return _JOINED[0]


def part_ways() -> None:
    """End the run of this process in good order."""
    while _JOINED:
        _JOINED.pop().close()
    if dist.is_initialized():
        dist.destroy_process_group()


def _timeout() -> float:
    text = os.environ.get("HOSCPOOL_RANK_TIMEOUT", str(TIMEOUT))
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ValueError(f"HOSCPOOL_RANK_TIMEOUT: expected a number of seconds above 0, got {text!r}")
    return seconds


def _store() -> Any:
    return dist.distributed_c10d._get_default_store()
