"""Unfinished training on disk. An interrupted fit continues where it stopped and gives the same result."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from hoscpool.training.persistence import part, read, refusing, write

if TYPE_CHECKING:
    from hoscpool.training.loop import Loop

INTERVAL = 30.0
"""Seconds between two writes."""


class Checkpoint:
    """Saves the state of a run in a folder: of a training at the end of an epoch. Does nothing without a folder.

    Args:
        folder: Where to write, or ``None``.
        key: What the fit depends on: data, parameters, seeds. A checkpoint of another fit is refused.
        interval: Seconds between two writes.
        name: Name of the files, without their endings.
        note: Further content of the JSON file.
    """

    def __init__(
        self,
        folder: Any = None,
        key: str = "",
        interval: float = INTERVAL,
        *,
        name: str = "training",
        note: Mapping[str, Any] | None = None,
    ) -> None:
        self.path = None if folder is None else Path(folder) / name
        self.key = sha256(key.encode()).hexdigest()
        self.interval, self.note = interval, note or {}
        self._written = time.monotonic()
        self._kept: tuple[dict[str, Tensor], dict[str, Any]] | None = None

    def keep(self, run: Loop) -> None:
        """Remember the state at the end of an epoch. Write it to disk when ``interval`` has passed."""
        if self.path is None:
            return
        self.remember(*snapshot(run))
        if time.monotonic() - self._written >= self.interval:
            self.flush()

    def remember(self, tensors: dict[str, Tensor], content: Mapping[str, Any]) -> None:
        """Take this as the state that `flush` writes."""
        self._kept = tensors, {**self.note, "key": self.key, **content}

    def flush(self) -> None:
        """Write the last state that was remembered. An epoch that was cut short is repeated later.

        If it cannot be written, as on a full disk, there is a warning and the training goes on. The state that was
        written before stays.
        """
        if self.path is None or self._kept is None:
            return
        self._written = time.monotonic()
        try:
            write(self.path, *self._kept)
        except OSError as error:
            message = f"checkpoint: {self.path.parent} cannot be written ({error.strerror or error}); the fit goes on"
            warnings.warn(f"{message}, but an interruption would lose its last epochs", UserWarning, stacklevel=2)

    def restore(self, run: Loop) -> bool:
        """Restore a training from the files. Returns whether there were any.

        Raises:
            ValueError: The files were changed, or belong to another fit.
        """
        if (found := self.find()) is None:
            return False
        tensors, content = found
        assert self.path is not None
        with refusing(self.path.with_suffix(".json")):
            resume(run, tensors, content)
        return True

    def find(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """What the files hold, or ``None`` if there are none.

        Raises:
            ValueError: The files were changed, or belong to another fit.
        """
        if self.path is None or not self.path.with_suffix(".json").exists():
            return None
        tensors, content = read(self.path)
        if content.get("key") != self.key:
            raise ValueError(
                f"checkpoint: {self.path.parent} holds a fit of other data or parameters; "
                "use another folder, or delete this one to start again"
            )
        return tensors, content


@dataclass(frozen=True)
class Checkpoints:
    """The checkpoints of all runs of a fit. Without a folder nothing is saved.

    Attributes:
        folder: Where to write, or ``None``.
        key: What the fit depends on besides the seeds: data and parameters.
        seeds: The seeds of the fit; the files hold them too.
    """

    folder: Any
    key: str
    seeds: Sequence[int]

    def of_run(self, number: int) -> Checkpoint:
        """The checkpoint of one run."""
        seeds = list(self.seeds)
        return Checkpoint(self.folder, repr((self.key, seeds)), name=_name(number), note={"seeds": seeds})


def begun_seeds(folder: Any, random_state: Any, drawn: list[int]) -> list[int]:
    """The seeds of the unfinished fit in a folder; the drawn seeds if there is no such fit.

    A whole number as ``random_state`` always gives the same seeds, so the drawn ones are right. ``None`` and generators
    give other seeds every time. A fit could not continue with those.
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


def snapshot(run: Loop) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The state of a training: tensors and plain values."""
    history = {name: list(values) for name, values in run.progress.history.items()}
    rates = [group["lr"] for group in run.optimizer.param_groups]
    values = {"progress": {**vars(run.progress), "history": history}, "rates": rates}
    return _pack(run), {**values, "scheduler": run.scheduler.state_dict()}


def resume(run: Loop, tensors: dict[str, Tensor], content: Mapping[str, Any]) -> None:
    """Put a training into the state of a `snapshot`."""
    progress, scheduler = dict(content["progress"]), dict(content["scheduler"])
    history = dict(progress.pop("history"))
    _check_kinds(progress, vars(run.progress))
    _check_kinds(scheduler, run.scheduler.state_dict())  # its attributes are replaced, whatever their names
    if not 0 <= progress["best_epoch"] <= progress["epoch"]:
        raise ValueError("the epochs do not fit together")
    if not all(_are_numbers(values) and len(values) == progress["epoch"] for values in history.values()):
        raise ValueError("the history does not have a number for every epoch")
    _unpack(run, tensors, content["rates"])
    run.scheduler.load_state_dict(scheduler)
    run.progress = type(run.progress)(**progress, history=history)


def _check_kinds(found: Mapping[Any, Any], present: Mapping[Any, Any]) -> None:
    """Check values that take the place of present ones: whole numbers, numbers, text, and lists of numbers."""
    for name, value in found.items():
        expected = present[name]
        if isinstance(expected, list):
            is_good = _are_numbers(value)
        elif isinstance(expected, float) and type(value) in (int, float):
            is_good = not math.isnan(value)
        else:
            is_good = type(value) is type(expected)
        if not is_good:
            raise ValueError(f"{name} is of another kind")


def _are_numbers(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) in (int, float) for value in values)


def _pack(run: Loop) -> dict[str, Tensor]:
    """Copies of all tensors under the names ``now.…``, ``best.…`` and ``adam.…``."""
    tensors = {f"now.{name}": value.detach().clone() for name, value in run.network.state_dict().items()}
    tensors |= {f"best.{name}": value for name, value in run.best.items()}
    for number, moments in run.optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{number}.{name}": value.clone() for name, value in moments.items()}
    return tensors


def _unpack(run: Loop, tensors: dict[str, Tensor], rates: list[float]) -> None:
    """Restore the tensors of `_pack` and the learning rates."""
    run.network.load_state_dict(part(tensors, "now."))
    run.best = part(tensors, "best.")
    state: dict[int, dict[str, Tensor]] = {}
    for name, value in part(tensors, "adam.").items():
        number, moment = name.split(".")
        state.setdefault(int(number), {})[moment] = value
    with torch.no_grad():
        groups = run.optimizer.state_dict()["param_groups"]
        run.optimizer.load_state_dict({"state": state, "param_groups": groups})
    for group, rate in zip(run.optimizer.param_groups, rates, strict=True):
        group["lr"] = rate
