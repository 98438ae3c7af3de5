"""Saved models are the same models; interrupted fits go on to the same result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.training import Run
from hoscpool.graph import Graph

QUICK: dict[str, Any] = {"n_clusters": 3, "max_epochs": 120, "random_state": 0, "n_init": 1}


@pytest.mark.parametrize("options", [{"preset": "paper"}, {"starts": "smooth-2"}, {"levels": (6,)}])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_saved_model_is_the_same(cliques: Graph, tmp_path: Path, options: dict[str, Any]) -> None:
    model = HoscClustering(**{**QUICK, "max_epochs": 10}, motifs={"edge": 0.3, "triangle": 0.7}, **options).fit(cliques)
    model.save(tmp_path / "model")
    loaded = HoscClustering.load(tmp_path / "model")
    assert loaded.get_params() == model.get_params()
    assert (loaded.history_, loaded.objective_, loaded.runs_) == (model.history_, model.objective_, model.runs_)
    np.testing.assert_array_equal(loaded.labels_, model.labels_)
    np.testing.assert_array_equal(loaded.predict_proba(cliques), model.assignment_)
    other = cliques.subgraph(np.arange(16))
    if model.start_ in ("raw", "smooth-2"):
        np.testing.assert_array_equal(loaded.predict_proba(other), model.predict_proba(other))
    np.testing.assert_array_equal(loaded.hierarchy([2])[0].labels, model.hierarchy([2])[0].labels)


def test_the_curve_over_k_is_saved(cliques: Graph, tmp_path: Path) -> None:
    options: dict[str, Any] = {"k_range": (2, 3), "starts": "smooth-2", "n_init": 1, "max_epochs": 3}
    model = HoscClustering("auto", random_state=0, **options).fit(cliques)
    model.save(tmp_path)
    assert HoscClustering.load(tmp_path).selection_ == model.selection_


def test_nothing_is_pickled(cliques: Graph, tmp_path: Path) -> None:
    HoscClustering(**{**QUICK, "max_epochs": 2}).fit(cliques).save(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model.json", "model.safetensors"]


def test_what_cannot_be_saved_or_loaded(cliques: Graph, tmp_path: Path) -> None:
    model = HoscClustering(**{**QUICK, "max_epochs": 2}, schedule=lambda p: 1 - p).fit(cliques)
    with pytest.raises(ValueError, match="schedule: a function cannot be saved"):
        model.save(tmp_path)
    with pytest.raises(FileNotFoundError):
        HoscClustering.load(tmp_path)
    HoscClustering(**{**QUICK, "max_epochs": 2}).fit(cliques).save(tmp_path)
    file = tmp_path / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(ValueError, match="truncated or altered"):
        HoscClustering.load(tmp_path)


@pytest.mark.parametrize("preset", ["paper", "robust"])
@pytest.mark.parametrize("at", [(0, 60), (0, 100), (1, 7)])
def test_an_interrupted_fit_goes_on_to_the_same_result(
    cliques: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, preset: str, at: tuple[int, int]
) -> None:
    options = {**QUICK, "preset": preset, "n_init": 2, "schedule": "adaptive"}
    if preset == "robust":
        options["starts"] = "smooth-2"
    whole = HoscClustering(**options).fit(cliques)
    begun, step = [], Run._step

    def interrupt(run: Run) -> None:
        if run.progress.epoch == 0:
            begun.append(run)
        if (len(begun) - 1, run.progress.epoch) == at:
            raise RuntimeError("killed")
        step(run)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "_step", interrupt)
        with pytest.raises(RuntimeError, match="killed"):
            HoscClustering(**options, checkpoint=tmp_path).fit(cliques)
    resumed = HoscClustering(**options, checkpoint=tmp_path).fit(cliques)
    np.testing.assert_array_equal(resumed.assignment_, whole.assignment_)
    assert resumed.history_ == whole.history_
    assert resumed.runs_ == whole.runs_


def test_after_ctrl_c_the_fit_goes_on(cliques: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, step = HoscClustering(**QUICK).fit(cliques), Run._step

    def interrupt(run: Run) -> None:
        if run.progress.epoch == 33:
            raise KeyboardInterrupt
        step(run)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "_step", interrupt)
        with pytest.warns(ConvergenceWarning):
            HoscClustering(**QUICK, checkpoint=tmp_path).fit(cliques)
    resumed = HoscClustering(**QUICK, checkpoint=tmp_path).fit(cliques)
    np.testing.assert_array_equal(resumed.assignment_, whole.assignment_)


def test_a_checkpoint_of_another_fit_is_refused(cliques: Graph, bare: Graph, tmp_path: Path) -> None:
    HoscClustering(**QUICK, checkpoint=tmp_path).fit(cliques)
    with pytest.raises(ValueError, match="other data or parameters"):
        HoscClustering(**QUICK, checkpoint=tmp_path).fit(bare)
    with pytest.raises(ValueError, match="other data or parameters"):
        HoscClustering(**{**QUICK, "mu": 0.5}, checkpoint=tmp_path).fit(cliques)
