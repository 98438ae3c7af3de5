"""A checkpoint holds the end of an epoch, whatever the training does meanwhile."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest
import torch

from hoscpool.training import persistence
from hoscpool.training.checkpoint import Checkpoint
from training.descent import Descent


def test_it_goes_on_from_the_end_of_the_last_epoch_that_was_kept(tmp_path: Path) -> None:
    whole, run, resumed = Descent(lr=3.0), Descent(lr=3.0), Descent(lr=3.0)  # too far: the rate falls
    checkpoint = Checkpoint(tmp_path, "fit")
    for _ in range(4):
        run._epoch()
    checkpoint.keep(run)
    run._epoch()  # cut short: nobody keeps it
    assert list(tmp_path.iterdir()) == []  # the interval is not over
    checkpoint.flush()
    assert Checkpoint(tmp_path, "fit").restore(resumed)
    assert resumed.progress.epoch == 4
    for _ in range(8):
        whole._epoch()
    for _ in range(4):
        resumed._epoch()
    assert resumed.progress == whole.progress
    for resumed_value, value in zip(resumed.network.parameters(), whole.network.parameters(), strict=True):
        assert torch.equal(resumed_value, value)
    assert resumed.optimizer.param_groups[0]["lr"] == whole.optimizer.param_groups[0]["lr"] < 3.0


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
    with pytest.raises(ValueError, match="holds a fit of other data or parameters; use another folder"):
        Checkpoint(tmp_path, "another").restore(Descent())


ALTERED: dict[str, dict[str, Any]] = {
    "an epoch that is no number": {"progress": {"epoch": {"a": 1}}},
    "an epoch that is a fraction": {"progress": {"epoch": 1.5}},
    "a best epoch to come": {"progress": {"best_epoch": 9}},
    "seconds that are NaN": {"progress": {"wall": float("nan")}},
    "seconds that are text": {"progress": {"wall": "1"}},
    "a history that is a number": {"progress": {"history": {"loss": 1}}},
    "a history of texts": {"progress": {"history": {"loss": ["1"]}}},
    "a history that is too long": {"progress": {"history": {"loss": [1.0, 2.0]}}},
    "a field of the future": {"progress": {"unheard_of": 1}},
    "a method is replaced": {"scheduler": {"step": "x"}},
    "a patience that is text": {"scheduler": {"patience": "x"}},
    "rates that are text": {"scheduler": {"min_lrs": ["x"]}},
    "rates that are a number": {"rates": 1},
}


@pytest.mark.parametrize("name", ALTERED)
def test_altered_values_are_refused(name: str, tmp_path: Path) -> None:
    """With the right checksums. They would end the training with a bare error, or stand in its result."""
    run, checkpoint = Descent(), Checkpoint(tmp_path, "fit")
    run._epoch()
    checkpoint.keep(run)
    checkpoint.flush()
    tensors, content = persistence.read(tmp_path / "training")
    for part, change in ALTERED[name].items():
        content[part] = {**content[part], **change} if isinstance(change, dict) else change
    body = {key: value for key, value in content.items() if "sha256" not in key}
    persistence.write(tmp_path / "training", tensors, body)
    with pytest.raises(ValueError, match=r"training\.json: the file was altered"):
        Checkpoint(tmp_path, "fit").restore(Descent())


@pytest.mark.parametrize("full_for", [".safetensors", ".json"])
def test_a_full_disk_does_not_end_the_training(full_for: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, checkpoint, replace = Descent(), Checkpoint(tmp_path, "fit", 0.0), persistence._replace
    run._epoch()
    checkpoint.keep(run)
    before = sorted(file.name for file in tmp_path.iterdir())

    def full(file: Path, raw: bytes) -> Any:
        if file.name.endswith(full_for):
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(file, raw)

    with monkeypatch.context() as patch:
        patch.setattr(persistence, "_replace", full)
        run._epoch()
        with pytest.warns(UserWarning, match="cannot be written .No space left on device.; the fit goes on"):
            checkpoint.keep(run)
    assert sorted(file.name for file in tmp_path.iterdir()) == before  # nothing half-written, nothing in the way
    resumed = Descent()
    assert Checkpoint(tmp_path, "fit").restore(resumed)
    assert resumed.progress.epoch == 1
