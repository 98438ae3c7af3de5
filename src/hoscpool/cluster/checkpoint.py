"""The unfinished runs of a fit on disk, one pair of files each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hoscpool.nn.checkpoint import Checkpoint
from hoscpool.nn.files import read


@dataclass(frozen=True)
class Checkpoints:
    """Where the runs of a fit are kept; nowhere without a folder.

    Attributes:
        folder: Where to write, or ``None``.
        key: What the fit depends on besides the seeds: data and parameters.
        seeds: Its seeds, which the files hold too.
    """

    folder: Any
    key: str
    seeds: Sequence[int]

    def of_run(self, number: int) -> Checkpoint:
        """The checkpoint of one run."""
        seeds = list(self.seeds)
        return Checkpoint(self.folder, repr((self.key, seeds)), name=_name(number), note={"seeds": seeds})


def begun_seeds(folder: Any, random_state: Any, drawn: list[int]) -> list[int]:
    """The seeds with which the fit in a folder was begun, or those drawn where there is none.

    A whole number as ``random_state`` stands for its seeds: it must be the same one again. ``None`` and generators give
    others every time, so that the fit could not go on.
    """
    if folder is None or isinstance(random_state, int | np.integer):
        return drawn
    first = Path(folder) / _name(0)
    if not first.with_suffix(".json").exists():
        return drawn
    seeds: list[int] = read(first)[1].get("seeds", drawn)
    return seeds


def _name(number: int) -> str:
    return f"run-{number:03d}"
