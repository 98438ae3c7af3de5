"""Saved models are the same models; interrupted fits go on to the same result, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.exceptions import ConvergenceWarning
from torch_geometric.data import Data

from hoscpool.classify import GraphClassifier
from hoscpool.classify.epochs import Run

QUICK: dict[str, Any] = {"max_epochs": 4, "random_state": 0, "hidden": 8, "batch_size": 8}


def fit(graphs: list[Data], **options: Any) -> GraphClassifier:
    return GraphClassifier(**{**QUICK, **options}).fit(graphs[:20], validation=graphs[20:30])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"pooling": "random", "random_state": 3},
        {"pooling": "random", "random_state": None},
        {"pooling": "gmt"},
        {"structural_features": True, "motifs": {"edge": 1.0}},
    ],
)
def test_a_saved_model_is_the_same(graphs: list[Data], tmp_path: Path, options: dict[str, Any]) -> None:
    model = fit(graphs, **options)
    model.save(tmp_path / "model")
    assert sorted(file.name for file in (tmp_path / "model").iterdir()) == ["model.json", "model.safetensors"]
    loaded = GraphClassifier.load(tmp_path / "model")
    assert loaded.get_params() == model.get_params()
    assert (loaded.history_, loaded.n_clusters_, loaded.stopped_) == (model.history_, model.n_clusters_, model.stopped_)
    np.testing.assert_array_equal(loaded.predict_proba(graphs), model.predict_proba(graphs))


def test_parameters_of_numpy_are_saved(graphs: list[Data], tmp_path: Path) -> None:
    options = {"random_state": np.int64(3), "max_epochs": np.int32(1), "mu": np.float32(0.5), "hidden": np.int64(8)}
    model = fit(graphs, **options, motifs={"edge": np.float32(1)})
    model.save(tmp_path)
    loaded = GraphClassifier.load(tmp_path)
    assert type(loaded.random_state) is int
    np.testing.assert_array_equal(loaded.predict_proba(graphs), model.predict_proba(graphs))


def test_what_cannot_be_loaded(graphs: list[Data], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        GraphClassifier.load(tmp_path)
    fit(graphs).save(tmp_path)
    file = tmp_path / "model.safetensors"
    whole = file.read_bytes()
    file.write_bytes(whole[:-4])
    with pytest.raises(ValueError, match="truncated or altered"):
        GraphClassifier.load(tmp_path)
    file.write_bytes(whole)
    (tmp_path / "model.json").write_text((tmp_path / "model.json").read_text().replace("hosc", "none"))
    with pytest.raises(ValueError, match="altered"):
        GraphClassifier.load(tmp_path)


@pytest.mark.parametrize("pooling", ["hosc", "random", "sag"])
@pytest.mark.parametrize("at", [(0, 1), (2, 0), (2, 2)])
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_interrupted_fit_goes_on_to_the_same_result(
    graphs: list[Data],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pooling: str,
    at: tuple[int, int],
    error: type[BaseException],
) -> None:
    monkeypatch.setattr("hoscpool.training.checkpoint.Checkpoint.__init__.__defaults__", (None, "", 0.0))
    options = {"pooling": pooling, "decay_patience": 1, "learning_rate": 0.03}
    whole, step = fit(graphs, **options), Run._step

    def interrupt(run: Run, graph: Any, target: torch.Tensor, number: int) -> Any:
        if (run.progress.epoch, number) == at:
            raise error
        return step(run, graph, target, number)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "_step", interrupt)
        kept = error is KeyboardInterrupt and at[0] > 0  # before the end of the first epoch there is nothing to keep
        with pytest.warns(ConvergenceWarning) if kept else pytest.raises(error):
            fit(graphs, **options, checkpoint=tmp_path)
    assert (tmp_path / "training.json").exists() == (at[0] > 0)
    resumed = fit(graphs, **options, checkpoint=tmp_path)
    assert resumed.history_ == whole.history_
    np.testing.assert_array_equal(resumed.predict_proba(graphs), whole.predict_proba(graphs))


def test_the_learning_rate_goes_on_from_where_it_was(
    graphs: list[Data], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"max_epochs": 14, "decay_patience": 1, "learning_rate": 0.3}
    whole, epoch = fit(graphs, **options), Run._epoch
    assert whole.history_["learning_rate"][8] < 0.3, "the rate has fallen before the cut"

    def interrupt(run: Run) -> Any:
        if run.progress.epoch == 9:
            raise KeyboardInterrupt
        return epoch(run)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "_epoch", interrupt)
        with pytest.warns(ConvergenceWarning):
            fit(graphs, **options, checkpoint=tmp_path)
    assert fit(graphs, **options, checkpoint=tmp_path).history_ == whole.history_


def test_a_finished_fit_is_not_done_again(graphs: list[Data], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = fit(graphs, checkpoint=tmp_path)
    monkeypatch.setattr(Run, "_epoch", lambda _: pytest.fail("trained again"))
    np.testing.assert_array_equal(fit(graphs, checkpoint=tmp_path).predict(graphs), whole.predict(graphs))


def test_a_checkpoint_of_another_fit_is_refused(graphs: list[Data], tmp_path: Path) -> None:
    fit(graphs, checkpoint=tmp_path)
    with pytest.raises(ValueError, match="other data or parameters"):
        fit(graphs, checkpoint=tmp_path, mu=0.5)
    with pytest.raises(ValueError, match="other data or parameters"):
        GraphClassifier(**QUICK, checkpoint=tmp_path).fit(graphs[1:21], validation=graphs[20:30])
