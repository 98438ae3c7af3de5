"""A checkpoint holds the end of an epoch, whatever the training does meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau

from hoscpool.training.checkpoint import Checkpoint


@dataclass
class Counted:
    epoch: int = 0
    history: dict[str, list[float]] = field(default_factory=dict)


class Descent:
    """The parameters of a line go down the square of its values."""

    def __init__(self) -> None:
        with torch.random.fork_rng():
            torch.manual_seed(0)
            self.network = torch.nn.Linear(3, 1)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=0.1)
        self.scheduler = ReduceLROnPlateau(self.optimizer, factor=0.5, patience=0, threshold=1.0)
        self.best: dict[str, torch.Tensor] = {}
        self.progress = Counted()

    def epoch(self) -> None:
        self.optimizer.zero_grad()
        loss = self.network(torch.eye(3)).square().sum()
        loss.backward()
        self.optimizer.step()
        value = float(loss.detach())
        self.scheduler.step(value)
        self.progress.history.setdefault("loss", []).append(value)
        self.progress.epoch += 1


def test_it_goes_on_from_the_end_of_the_last_epoch_that_was_kept(tmp_path: Path) -> None:
    whole, run, resumed = Descent(), Descent(), Descent()
    checkpoint = Checkpoint(tmp_path, "fit")
    for _ in range(4):
        run.epoch()
    checkpoint.keep(run)
    run.epoch()  # cut short: nobody keeps it
    assert list(tmp_path.iterdir()) == []  # the interval is not over
    checkpoint.flush()
    assert Checkpoint(tmp_path, "fit").restore(resumed)
    assert resumed.progress.epoch == 4
    for _ in range(8):
        whole.epoch()
    for _ in range(4):
        resumed.epoch()
    assert resumed.progress == whole.progress
    assert torch.equal(resumed.network.weight, whole.network.weight)
    assert resumed.optimizer.param_groups[0]["lr"] == whole.optimizer.param_groups[0]["lr"] < 0.1


def test_it_is_written_when_the_interval_is_over(tmp_path: Path) -> None:
    Checkpoint(tmp_path, "fit", 0.0, name="run").keep(Descent())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run.json", "run.safetensors"]


def test_without_an_epoch_or_a_folder_nothing_is_written(tmp_path: Path) -> None:
    run, checkpoint = Descent(), Checkpoint(tmp_path, "fit")
    checkpoint.flush()
    assert not checkpoint.restore(run)
    assert list(tmp_path.iterdir()) == []
    nowhere = Checkpoint(None)
    nowhere.keep(run)
    nowhere.flush()
    assert not nowhere.restore(run)


def test_that_of_another_fit_is_refused(tmp_path: Path) -> None:
    Checkpoint(tmp_path, "fit", 0.0).keep(Descent())
    with pytest.raises(ValueError, match="holds a fit of other data or parameters; name another folder"):
        Checkpoint(tmp_path, "another").restore(Descent())
