"""The loop stops when it should, keeps its best epoch, and says how it ended."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from hoscpool.support.progress import FitBar
from hoscpool.training.checkpoint import Checkpoint
from hoscpool.training.loop import DivergenceError
from training.descent import Descent, Limits

NOWHERE = Checkpoint(None)


def complete(run: Descent, checkpoint: Checkpoint = NOWHERE) -> str:
    return run.complete(checkpoint, FitBar(0, run.settings.max_epochs)).reason


def now(run: Descent) -> float:
    """The loss of the parameters in place."""
    return float(run.loss().detach())


def test_it_ends_with_its_epochs_and_the_best_state() -> None:
    run = Descent(Limits(max_epochs=40, patience=40))
    assert complete(run) == "epochs"
    losses = run.progress.history["loss"]
    assert run.progress.epoch == len(losses) == 40
    assert now(run) == run.progress.lowest == min(losses) == losses[run.progress.best_epoch]
    assert run.progress.history["share"] == pytest.approx([epoch / 39 for epoch in range(40)])


def test_the_best_state_is_not_the_last_one() -> None:
    run = Descent(Limits(max_epochs=4, decay_patience=9), lr=3.0)  # every step goes too far
    assert complete(run) == "epochs"
    assert run.progress.best_epoch == 0
    assert now(run) == run.progress.history["loss"][0] < run.progress.history["loss"][-1]


def test_patience_ends_it() -> None:
    run = Descent(Limits(max_epochs=40, patience=3), lr=3.0)
    assert complete(run) == "patience"
    assert run.progress.epoch - run.progress.best_epoch == 3


def test_the_learning_rate_falls_on_a_plateau() -> None:
    run = Descent(Limits(max_epochs=4, decay_patience=1), lr=3.0)
    complete(run)
    assert run.optimizer.param_groups[0]["lr"] == 1.5


@pytest.mark.parametrize(
    ("error", "reason", "words"),
    [
        (KeyboardInterrupt(), "interrupted", "interrupted after epoch 5 of 20"),
        (DivergenceError("epoch 6: the loss is nan"), "diverged", "training diverged at epoch 6: the loss is nan"),
    ],
)
def test_an_early_end_keeps_the_best_epoch(
    error: BaseException, reason: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, loss = Descent(), Descent.loss

    def fail(run: Descent) -> torch.Tensor:
        if run.progress.epoch == 5:
            raise error
        return loss(run)

    with monkeypatch.context() as patch:
        patch.setattr(Descent, "loss", fail)
        ending = run.complete(NOWHERE, FitBar(0, 20))
    assert (ending.reason, ending.problem) == (reason, words)
    assert len(run.progress.history["loss"]) == run.progress.epoch == 5
    assert now(run) == run.progress.lowest


def test_a_resumed_training_does_not_begin_again_and_knows_its_time(tmp_path: Path) -> None:
    whole, first, second = Descent(), Descent(Limits(max_epochs=7)), Descent()
    complete(whole)
    ending = first.complete(Checkpoint(tmp_path, "fit"), FitBar(0, 20))
    assert (first.begun, ending.earlier.wall) == (1, 0.0)
    bar = FitBar(0, 20)
    ending = second.complete(Checkpoint(tmp_path, "fit"), bar)
    assert (second.begun, ending.reason, bar.done) == (0, "epochs", 20)
    assert ending.earlier.wall == first.progress.wall > 0
    assert second.progress.wall > first.progress.wall
    assert now(second) == now(whole)


def test_ctrl_c_before_the_first_epoch_is_not_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: Descent) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Descent, "begin", interrupt)
    with pytest.raises(KeyboardInterrupt):
        Descent().complete(NOWHERE, FitBar(0, 20))


def test_the_end_of_the_process_leaves_the_last_epoch_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, loss = Descent(), Descent.loss

    def terminate(run: Descent) -> torch.Tensor:
        if run.progress.epoch == 5:
            raise SystemExit(143)
        return loss(run)

    with monkeypatch.context() as patch:
        patch.setattr(Descent, "loss", terminate)
        with pytest.raises(SystemExit):
            run.complete(Checkpoint(tmp_path, "fit"), FitBar(0, 20))
    resumed, whole = Descent(), Descent()
    assert Checkpoint(tmp_path, "fit").restore(resumed)
    assert resumed.progress.epoch == 5
    complete(whole)
    complete(resumed)
    assert now(resumed) == now(whole)
