"""The state of a training as flat tensors, for checkpoints: parameters now and at their best, and Adam's averages."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor, nn


class Training(Protocol):
    """What is packed and put back."""

    best: dict[str, Tensor]

    @property
    def network(self) -> nn.Module:
        """What is trained."""

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """By what it is trained."""


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
