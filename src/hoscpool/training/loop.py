"""The training loop: epochs until patience ends, a learning rate that falls on a plateau, and the best epoch kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

from hoscpool.support.progress import FitBar
from hoscpool.support.timing import Stopwatch
from hoscpool.training.checkpoint import Checkpoint

DECAY = 0.5
"""The learning rate is multiplied by this on a plateau."""

State = dict[str, Tensor]


class DivergenceError(ArithmeticError):
    """A loss or a gradient is not finite; the message says where, and what to do."""


class LoopSettings(Protocol):
    """What a loop reads of an estimator's settings."""

    @property
    def max_epochs(self) -> int:
        """Most epochs."""

    @property
    def patience(self) -> int:
        """Epochs without a better one before training stops."""

    @property
    def decay_patience(self) -> int:
        """Epochs without progress before the learning rate falls."""


@dataclass
class Progress:
    """How far a training is. With the tensors, this is all that is needed to go on with it.

    Attributes:
        epoch: Epochs done.
        best_epoch: The best epoch.
        history: Losses and other measures, one number for every epoch.
        wall: Seconds on the clock that the epochs took.
        cpu: Seconds of the processor that the epochs took.
    """

    epoch: int = 0
    best_epoch: int = 0
    history: dict[str, list[float]] = field(default_factory=dict)
    wall: float = 0.0
    cpu: float = 0.0

    @property
    def time(self) -> Stopwatch:
        """What the epochs took."""
        return Stopwatch(self.wall, self.cpu)


@dataclass(frozen=True)
class Ending:
    """How a training ended.

    Attributes:
        reason: ``"epochs"``, ``"patience"``, ``"interrupted"`` or ``"diverged"``.
        problem: The same in words if training ended before its time, otherwise empty.
        earlier: What the epochs took that an earlier process had done.
    """

    reason: str
    problem: str
    earlier: Stopwatch


class Loop:
    """A network in training.

    An estimator's own loop defines `_epoch`, which ends with `_end_epoch`, and `describe`; it may define `begin`.

    Args:
        network: What is trained; it holds the parameters of the best epoch after `finish`.
        optimizer: What trains it.
        settings: Epochs and patience.
        progress: Where the training stands, with the fields by which the estimator compares epochs.
    """

    def __init__(
        self, network: nn.Module, optimizer: torch.optim.Optimizer, settings: LoopSettings, progress: Progress
    ) -> None:
        self.network, self.optimizer, self.settings, self.progress = network, optimizer, settings, progress
        self.scheduler = ReduceLROnPlateau(optimizer, factor=DECAY, patience=settings.decay_patience)
        self.best = copy_state(network)

    def complete(self, checkpoint: Checkpoint, bar: FitBar, name: str = "") -> Ending:
        """Train from the beginning, or from where the checkpoint stopped, to the end, and put the best epoch in place.

        Ctrl-C and a divergence end the training too; the best epoch so far is kept.

        Args:
            checkpoint: Where the training is kept.
            bar: Shows how far it is.
            name: What the bar says before the words of `describe`.

        Raises:
            ValueError: The checkpoint is altered, or belongs to another fit.
        """
        problem, reason, earlier = "", "", Stopwatch()

        def after_epoch(run: Self) -> None:
            bar.advance(lambda: name + run.describe())
            checkpoint.keep(run)

        try:
            if checkpoint.restore(self):
                earlier = self.progress.time
            else:
                self.begin()
            bar.done += self.progress.epoch
            self.train(after_epoch)
        except KeyboardInterrupt:
            reason = "interrupted"
            problem = f"interrupted after epoch {self.progress.epoch} of {self.settings.max_epochs}"
        except DivergenceError as error:
            reason, problem = "diverged", f"training diverged at {error}"
        checkpoint.flush()
        self.finish()
        planned = "epochs" if self.progress.epoch >= self.settings.max_epochs else "patience"
        return Ending(reason or planned, problem, earlier)

    def begin(self) -> None:
        """What comes before the first epoch; nothing unless an estimator says so."""

    def train(self, after_epoch: Callable[[Self], None] = lambda _: None) -> None:
        """Go on until the epochs or the patience run out.

        Raises:
            DivergenceError: A loss or a gradient is not finite.
        """
        while not self.is_done:
            with Stopwatch() as watch:
                self._epoch()
            self.progress.wall += watch.wall
            self.progress.cpu += watch.cpu
            after_epoch(self)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        p, s = self.progress, self.settings
        return p.epoch >= s.max_epochs or p.epoch - p.best_epoch >= s.patience

    @property
    def share(self) -> float:
        """How much of the training is over: 0 in the first epoch, 1 in the last; schedules follow it."""
        return min(self.progress.epoch / max(self.settings.max_epochs - 1, 1), 1.0)

    def finish(self) -> None:
        """Put the best epoch's parameters in place."""
        self.network.load_state_dict(self.best)

    def describe(self) -> str:
        """Where the training is, in words."""
        raise NotImplementedError

    def _epoch(self) -> None:
        """One epoch, which ends with `_end_epoch`."""
        raise NotImplementedError

    def _end_epoch(self, plateau: float, measures: Mapping[str, float], better: State | None, **reached: float) -> None:
        """Write an epoch down. This comes last: an epoch that is cut short leaves no trace.

        Args:
            plateau: The value on whose plateau the learning rate falls.
            measures: One number for every series of the history.
            better: The state to keep if the epoch is the best one so far, otherwise ``None``.
            reached: Fields of the progress that go with that state, ``best_epoch`` among them.
        """
        self.scheduler.step(plateau)
        if better is not None:
            self.best = better
            vars(self.progress).update(reached)
        for name, value in measures.items():
            self.progress.history.setdefault(name, []).append(value)
        self.progress.epoch += 1


def copy_state(network: nn.Module) -> State:
    """The parameters and buffers of a network, in memory of their own."""
    return {name: value.detach().clone() for name, value in network.state_dict().items()}
