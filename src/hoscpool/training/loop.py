"""The training loop: early stopping, a learning rate that falls on a plateau, the best epoch, and its processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

from hoscpool.support.progress import FitBar, Stopwatch
from hoscpool.training.checkpoint import Checkpoint

DECAY = 0.5
"""The learning rate is multiplied by this on a plateau."""

State = dict[str, Tensor]


class DivergenceError(ArithmeticError):
    """A loss or a gradient is not finite. The message says where, and what to do."""


class LoopSettings(Protocol):
    """The settings of an estimator that a loop reads."""

    @property
    def max_epochs(self) -> int:
        """Largest number of epochs."""

    @property
    def patience(self) -> int:
        """Training stops after this many epochs without a better one."""

    @property
    def decay_patience(self) -> int:
        """The learning rate falls after this many epochs without progress."""


@dataclass
class Progress:
    """How far a training is. With these values and the tensors a training can continue.

    Attributes:
        epoch: Epochs done.
        best_epoch: The best epoch.
        history: Losses and other measures, one number for every epoch.
        wall: Wall-clock seconds of the epochs.
        cpu: Processor seconds of the epochs.
    """

    epoch: int = 0
    best_epoch: int = 0
    history: dict[str, list[float]] = field(default_factory=dict)
    wall: float = 0.0
    cpu: float = 0.0

    @property
    def time(self) -> Stopwatch:
        """The time of the epochs."""
        return Stopwatch(self.wall, self.cpu)


@dataclass(frozen=True)
class Ending:
    """How a training ended.

    Attributes:
        reason: ``"epochs"``, ``"patience"``, ``"interrupted"`` or ``"diverged"``.
        problem: The reason in words if training ended early, otherwise empty.
        earlier: The time of the epochs that an earlier process did.
    """

    reason: str
    problem: str
    earlier: Stopwatch


class Loop:
    """A network in training.

    A subclass defines `_epoch`, which ends with `_end_epoch`, and `describe`. It may define `begin`.

    Args:
        network: The network. After `finish` it holds the parameters of the best epoch.
        optimizer: Its optimizer.
        settings: Epochs and patience.
        progress: How far the training is, with the fields by which the subclass compares epochs.
    """

    def __init__(
        self, network: nn.Module, optimizer: torch.optim.Optimizer, settings: LoopSettings, progress: Progress
    ) -> None:
        self.network, self.optimizer, self.settings, self.progress = network, optimizer, settings, progress
        self.scheduler = ReduceLROnPlateau(optimizer, factor=DECAY, patience=settings.decay_patience)
        self.best = copy_state(network)

    def complete(self, checkpoint: Checkpoint, bar: FitBar, name: str = "") -> Ending:
        """Train to the end, from the beginning or from the checkpoint, and restore the parameters of the best epoch.

        Ctrl-C and a divergence end the training early. The best epoch so far is kept.

        Args:
            checkpoint: Saves the training.
            bar: Shows the progress.
            name: Text that the bar shows before that of `describe`.

        Raises:
            ValueError: The checkpoint was changed, or belongs to another fit.
            KeyboardInterrupt: Ctrl-C before the end of the first epoch: there is nothing to keep.
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
            if not self.progress.epoch:
                raise
            reason = "interrupted"
            problem = f"interrupted after epoch {self.progress.epoch} of {self.settings.max_epochs}"
        except DivergenceError as error:
            reason, problem = "diverged", f"training diverged at {error}"
        except BaseException:  # such as the end of the process by SIGTERM
            checkpoint.flush()
            raise
        checkpoint.flush()
        self.finish()
        planned = "epochs" if self.progress.epoch >= self.settings.max_epochs else "patience"
        return Ending(reason or planned, problem, earlier)

    def begin(self) -> None:
        """Called before the first epoch. Does nothing unless a subclass defines it."""

    def train(self, after_epoch: Callable[[Self], None] = lambda _: None) -> None:
        """Train until the epochs or the patience run out.

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
        """Whether the training is complete."""
        p, s = self.progress, self.settings
        return p.epoch >= s.max_epochs or p.epoch - p.best_epoch >= s.patience

    @property
    def share(self) -> float:
        """The part of the training that is over: 0 in the first epoch, 1 in the last. Schedules use it."""
        return min(self.progress.epoch / max(self.settings.max_epochs - 1, 1), 1.0)

    def finish(self) -> None:
        """Restore the parameters of the best epoch."""
        self.network.load_state_dict(self.best)

    def describe(self) -> str:
        """The state of the training in words."""
        raise NotImplementedError

    def _epoch(self) -> None:
        """One epoch, which ends with `_end_epoch`."""
        raise NotImplementedError

    def _end_epoch(self, plateau: float, measures: Mapping[str, float], better: State | None, **reached: float) -> None:
        """Record an epoch. This is the last step, so an epoch that is cut short changes no record.

        Args:
            plateau: The learning rate falls when this value stops falling.
            measures: One number for every series of the history.
            better: The state to keep if the epoch is the best one so far, otherwise ``None``.
            reached: Fields of the progress that belong to that state, such as ``best_epoch``.
        """
        self.scheduler.step(plateau)
        if better is not None:
            self.best = better
            vars(self.progress).update(reached)
        for name, value in measures.items():
            self.progress.history.setdefault(name, []).append(value)
        self.progress.epoch += 1


def copy_state(network: nn.Module) -> State:
    """A copy of the parameters and buffers of a network."""
    return {name: value.detach().clone() for name, value in network.state_dict().items()}


class Team(Protocol):
    """What a fit hands over to a team. The process that leads it calls these methods; the others take part.

    Attributes:
        size: Number of processes.
    """

    size: int

    def clustering_run(self, *parts: Any) -> Any:
        """A `cluster.Run` that all processes train. Arguments as there."""

    def classifier_run(self, *parts: Any) -> Any:
        """A `classify.Run` that all processes train. Arguments as there."""

    def smooth(self, adjacency: Any, x: Any, hops: Any) -> Any:
        """The result of `cluster.views.smoothing.smooth`."""


_TEAM: ContextVar[Team | None] = ContextVar("team", default=None)


def current_team() -> Team | None:
    """The team that fits of this thread train with; ``None``: this process trains alone."""
    return _TEAM.get()


@contextmanager
def working_with(team: Team) -> Iterator[None]:
    """Inside the block, fits train with this team."""
    token = _TEAM.set(team)
    try:
        yield
    finally:
        _TEAM.reset(token)


def number_of_ranks() -> int:
    """How many processes train a fit of this thread together."""
    team = current_team()
    return 1 if team is None else team.size
