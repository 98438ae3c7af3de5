"""One run: the network learns a cheap clustering, then minimises the objective. The best epoch is kept."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from hoscpool.cluster.assignment_net import AssignmentNet
from hoscpool.cluster.objective import Losses, Objective
from hoscpool.cluster.presets import Settings
from hoscpool.cluster.sparse_features import SparseTable
from hoscpool.objectives import Adjacency
from hoscpool.training import Loop, Progress, copy_state

WARM_RATE = 1e-2


@dataclass
class ClusteringProgress(Progress):
    """How far a run is.

    Attributes:
        best: The best objective at constant motif weights so far.
    """

    best: float = float("inf")


class Run(Loop):
    """A network in training.

    Epochs are compared by the objective at constant motif weights. A schedule changes the loss from epoch to epoch.

    Args:
        network: The network. After `finish` it holds the parameters of the best epoch.
        x: Its input.
        adjacency: A.
        objective: The objective to minimise, summed over the levels of the network.
        settings: Learning rate, epochs, patience.
        warm_labels: Computes the labels of every level that `begin` fits the network to.
        stop: When this is set, the run ends as if Ctrl-C had come in this thread.
    """

    network: AssignmentNet
    settings: Settings
    progress: ClusteringProgress

    def __init__(
        self,
        network: AssignmentNet,
        x: Tensor | SparseTable,
        adjacency: Adjacency,
        objective: Objective,
        settings: Settings,
        warm_labels: Callable[[], Sequence[Tensor]] = tuple,
        stop: threading.Event | None = None,
    ) -> None:
        self.x, self.adjacency, self.objective, self.warm_labels = x, adjacency, objective, warm_labels
        self._stop = stop or threading.Event()
        optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
        super().__init__(network, optimizer, settings, ClusteringProgress())

    def begin(self) -> None:
        """Fit the network to a cheap clustering, if there is one."""
        if self.settings.warm_epochs and (targets := self.warm_labels()):
            self.warm_up(targets)

    def warm_up(self, targets: Sequence[Tensor]) -> None:
        """Fit the assignment of every level to labels by cross-entropy."""
        optimizer = torch.optim.Adam(self.network.parameters(), lr=WARM_RATE)
        for _ in range(self.settings.warm_epochs):
            self._check_stop()
            optimizer.zero_grad()
            levels = self.network(self.x, self.adjacency)
            pairs = zip(levels, targets, strict=True)
            _sum(self._misfit(s, target) for s, target in pairs).backward()  # type: ignore[no-untyped-call]
            self._complete_gradients()
            optimizer.step()
        self.best = copy_state(self.network)

    @property
    def is_done(self) -> bool:
        """Whether the run is complete."""
        return super().is_done or self.objective.is_empty

    def finish(self) -> None:
        """Restore the parameters of the best epoch; without any epoch keep the initial ones."""
        super().finish()
        if not self.progress.epoch:
            self.progress.best = self._objective([self.objective.losses(s) for s in self.assignments()])

    def result(self) -> list[Tensor]:
        """S of every level, for all nodes of the graph."""
        return self.assignments()

    def assignments(self) -> list[Tensor]:
        """S of every level."""
        with torch.no_grad():
            levels: list[Tensor] = self.network(self.x, self.adjacency)
        return levels

    def describe(self) -> str:
        """Loss and clusters in use, in words."""
        used = len(torch.unique(self.assignments()[-1].argmax(dim=1)))
        return f"loss {self.progress.history['loss'][-1]:+.4f}, {used} of {self.network.sizes[-1]} clusters in use"

    def _epoch(self) -> None:
        p = self.progress
        self._check_stop()
        self.optimizer.zero_grad()
        losses = [self.objective.losses(s) for s in self.network(self.x, self.adjacency)]
        loss = _sum(self.objective.total(level, self.share) for level in losses)
        objective = self._objective(losses)
        before = copy_state(self.network) if objective < p.best else None
        loss.backward()  # type: ignore[no-untyped-call]
        self._complete_gradients()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        self.optimizer.step()
        measures = {name: float(value.detach()) for name, value in losses[-1].items()}
        measures = {"loss": float(loss.detach()), "objective": objective, **measures}
        self._end_epoch(objective, measures, before, best=objective, best_epoch=p.epoch)

    def _misfit(self, s: Tensor, target: Tensor) -> Tensor:
        """Mean cross-entropy of an assignment to labels."""
        return nn.functional.nll_loss(log_of(s), target)

    def _complete_gradients(self) -> None:
        """Add what other processes know of the gradients. Here there are none."""

    def _check_stop(self) -> None:
        if self._stop.is_set():
            raise KeyboardInterrupt

    def _objective(self, losses: Sequence[Losses]) -> float:
        """The objective at constant motif weights, summed over the levels."""
        return float(_sum(self.objective.total(part).detach() for part in losses))


def _sum(values: Any) -> Tensor:
    return torch.stack(list(values)).sum()


def log_of(s: Tensor) -> Tensor:
    """The logarithm of memberships, finite at 0."""
    return s.clamp(min=torch.finfo(s.dtype).tiny).log()
