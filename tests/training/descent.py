"""The smallest training: the parameters of a line go down the square of its values."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from hoscpool.training.loop import Loop, Progress, copy_state


@dataclass
class Lowest(Progress):
    lowest: float = float("inf")


@dataclass(frozen=True)
class Limits:
    max_epochs: int = 20
    patience: int = 20
    decay_patience: int = 0


LIMITS = Limits()


class Descent(Loop):
    """One step an epoch; what it sees before the step counts, as in a clustering."""

    progress: Lowest

    def __init__(self, limits: Limits = LIMITS, lr: float = 0.1) -> None:
        with torch.random.fork_rng():
            torch.manual_seed(0)
            network = torch.nn.Linear(3, 1)
        super().__init__(network, torch.optim.Adam(network.parameters(), lr=lr), limits, Lowest())
        self.begun = 0

    def begin(self) -> None:
        self.begun += 1

    def loss(self) -> torch.Tensor:
        values: torch.Tensor = self.network(torch.eye(3))
        return values.square().sum()

    def describe(self) -> str:
        return f"loss {self.progress.history['loss'][-1]:.1f}"

    def _epoch(self) -> None:
        self.optimizer.zero_grad()
        loss = self.loss()
        value, p = float(loss.detach()), self.progress
        better = copy_state(self.network) if value < p.lowest else None
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self._end_epoch(value, {"loss": value, "share": self.share}, better, lowest=value, best_epoch=p.epoch)
