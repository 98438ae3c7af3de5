"""One run: the network fitted to a cheap clustering, then to the objective, the best epoch kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

from hoscpool.cluster.assignment_net import AssignmentNet
from hoscpool.cluster.objective import Losses, Objective
from hoscpool.cluster.presets import Settings
from hoscpool.cluster.sparse_features import SparseTable
from hoscpool.objectives import Adjacency

WARM_RATE = 1e-2
DECAY = 0.5
State = dict[str, Tensor]


@dataclass
class Progress:
    """How far a run is; all that is needed to go on with it, besides the tensors.

    Attributes:
        epoch: Epochs done.
        best: The best constant-weight objective so far.
        best_epoch: Where it was.
        history: Every loss and the objective, a number an epoch.
    """

    epoch: int = 0
    best: float = float("inf")
    best_epoch: int = 0
    history: dict[str, list[float]] = field(default_factory=dict)


class Run:
    """A network in training.

    Epochs are compared on the constant-weight objective: under a schedule the loss itself is a moving target.

    Args:
        network: The network; it holds the parameters of the best epoch after `finish`.
        x: Its input.
        adjacency: A.
        objective: What is minimised, summed over the levels of the network.
        settings: Learning rate, epochs, patience.
    """

    def __init__(
        self,
        network: AssignmentNet,
        x: Tensor | SparseTable,
        adjacency: Adjacency,
        objective: Objective,
        settings: Settings,
    ) -> None:
        self.network, self.x, self.adjacency = network, x, adjacency
        self.objective, self.settings = objective, settings
        self.progress = Progress()
        self.optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
        self.scheduler = ReduceLROnPlateau(self.optimizer, factor=DECAY, patience=settings.decay_patience)
        self.best = _copy(network)

    def warm_up(self, targets: Sequence[Tensor]) -> None:
        """Fit the assignment of every level to labels by cross-entropy."""
        optimizer = torch.optim.Adam(self.network.parameters(), lr=WARM_RATE)
        for _ in range(self.settings.warm_epochs):
            optimizer.zero_grad()
            levels = self.network(self.x, self.adjacency)
            pairs = zip(levels, targets, strict=True)
            _sum(nn.functional.nll_loss(_log(s), target) for s, target in pairs).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        self.best = _copy(self.network)

    def train(self, after_epoch: Callable[[Run], None] = lambda _: None) -> None:
        """Go on until the epochs or the patience run out."""
        while not self.is_done:
            self._step()
            after_epoch(self)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        p, s = self.progress, self.settings
        return p.epoch >= s.max_epochs or p.epoch - p.best_epoch >= s.patience or self.objective.is_empty

    def finish(self) -> list[Tensor]:
        """Put the best epoch's parameters in place; the assignments of all levels.

        Without an epoch the start is the best there is, and its objective the best one.
        """
        self.network.load_state_dict(self.best)
        with torch.no_grad():
            levels: list[Tensor] = self.network(self.x, self.adjacency)
            if not self.progress.epoch:
                self.progress.best = self._objective([self.objective.losses(s) for s in levels])
        return levels

    def _step(self) -> None:
        p, limit = self.progress, max(self.settings.max_epochs - 1, 1)
        self.optimizer.zero_grad()
        levels = self.network(self.x, self.adjacency)
        losses = [self.objective.losses(s) for s in levels]
        loss = _sum(self.objective.total(part, p.epoch / limit) for part in losses)
        objective = self._objective(losses)
        before = _copy(self.network) if objective < p.best else None
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        self.optimizer.step()
        self.scheduler.step(objective)
        if before is not None:
            p.best, p.best_epoch, self.best = objective, p.epoch, before
        self._note(
            losses[-1], float(loss.detach()), objective
        )  # at the end: an epoch that is cut short leaves no trace
        p.epoch += 1

    def _objective(self, losses: Sequence[Losses]) -> float:
        """The constant-weight objective, summed over the levels."""
        return float(_sum(self.objective.total(part).detach() for part in losses))

    def _note(self, losses: Losses, loss: float, objective: float) -> None:
        values = {"loss": loss, "objective": objective, **{name: float(v.detach()) for name, v in losses.items()}}
        for name, value in values.items():
            self.progress.history.setdefault(name, []).append(value)


def _copy(network: nn.Module) -> State:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}


def _sum(values: Any) -> Tensor:
    return torch.stack(list(values)).sum()


def _log(s: Tensor) -> Tensor:
    return s.clamp(min=torch.finfo(s.dtype).tiny).log()
