"""An unfinished training on disk, so that an interrupted fit goes on where it stopped, to the same result."""

from __future__ import annotations

import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

from hoscpool.training.persistence import read, write

INTERVAL = 30.0
"""Seconds between two writes."""


class Training(Protocol):
    """What is packed and put back."""

    best: dict[str, Tensor]

    @property
    def network(self) -> nn.Module:
        """What is trained."""

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """By what it is trained."""


class Resumable(Training, Protocol):
    """A training with its rate of learning and a dataclass ``progress``, whose ``history`` has a list a series."""

    progress: Any

    @property
    def scheduler(self) -> ReduceLROnPlateau:
        """What lowers the rate."""


class Checkpoint:
    """The state at the end of an epoch in a folder; does nothing without a folder.

    Args:
        folder: Where to write, or ``None``.
        key: What the fit depends on: data, parameters, seeds. A checkpoint of another fit is refused.
        interval: Seconds between two writes.
        name: Of the files, without their endings.
        note: What else is written down.
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

    def keep(self, run: Resumable) -> None:
        """Note where a training is at the end of an epoch, and write it down from time to time."""
        if self.path is None:
            return
        history = {name: list(values) for name, values in run.progress.history.items()}
        rates = [group["lr"] for group in run.optimizer.param_groups]
        content = {**self.note, "key": self.key, "progress": {**vars(run.progress), "history": history},
                   "rates": rates, "scheduler": run.scheduler.state_dict()}  # fmt: skip
        self._kept = pack_state(run), content
        if time.monotonic() - self._written >= self.interval:
            self.flush()

    def flush(self) -> None:
        """Write down the last epoch's end; an epoch that was cut short is done again."""
        if self.path is None or self._kept is None:
            return
        write(self.path, *self._kept)
        self._written = time.monotonic()

    def restore(self, run: Resumable) -> bool:
        """Put a training back where it was; whether there was anything to go on with.

        Raises:
            ValueError: The files are altered, or belong to another fit.
        """
        if self.path is None or not self.path.with_suffix(".json").exists():
            return False
        tensors, content = read(self.path)
        if content["key"] != self.key:
            raise ValueError(
                f"checkpoint: {self.path.parent} holds a fit of other data or parameters; "
                "name another folder, or delete it to begin anew"
            )
        unpack_state(run, tensors, content["rates"])
        run.scheduler.load_state_dict(content["scheduler"])
        run.progress = type(run.progress)(**content["progress"])
        return True


def pack_state(run: Training) -> dict[str, Tensor]:
    """Copies under the names ``now.…``, ``best.…`` and ``adam.…``."""
    tensors = {f"now.{name}": value.detach().clone() for name, value in run.network.state_dict().items()}
    tensors |= {f"best.{name}": value for name, value in run.best.items()}
    for number, moments in run.optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{number}.{name}": value.clone() for name, value in moments.items()}
    return tensors


def unpack_state(run: Training, tensors: dict[str, Tensor], rates: list[float]) -> None:
    """Put back what `pack_state` made, with the learning rates of that moment."""
    run.network.load_state_dict(_part(tensors, "now."))
    run.best = _part(tensors, "best.")
    state: dict[int, dict[str, Tensor]] = {}
    for name, value in _part(tensors, "adam.").items():
        number, moment = name.split(".")
        state.setdefault(int(number), {})[moment] = value
    with torch.no_grad():
        groups = run.optimizer.state_dict()["param_groups"]
        run.optimizer.load_state_dict({"state": state, "param_groups": groups})
    for group, rate in zip(run.optimizer.param_groups, rates, strict=True):
        group["lr"] = rate


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
