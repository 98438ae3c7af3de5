"""Saved models are the same models; interrupted fits go on to the same result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from sklearn.exceptions import ConvergenceWarning

from hoscpool import as_graph
from hoscpool.cluster import HoscClustering
from hoscpool.cluster.run import Run
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


def test_numpys_numbers_are_saved(cliques: Graph, tmp_path: Path) -> None:
    numbers: dict[str, Any] = {"n_clusters": np.int64(3), "mu": np.float32(0.25), "max_epochs": np.int32(2),
                               "motifs": {"edge": np.float32(0.5), "triangle": np.float64(0.5)}, "n_init": np.int8(1),
                               "learning_rate": np.float32(0.5), "levels": (np.int64(6),), "consensus": np.bool_(False),
                               "random_state": np.int64(4), "starts": "smooth-2"}  # fmt: skip
    model = HoscClustering(**numbers).fit(cliques)
    model.save(tmp_path)
    loaded = HoscClustering.load(tmp_path)
    assert loaded.get_params() == model.get_params()
    assert (type(loaded.n_clusters), type(loaded.mu), loaded.random_state) == (int, float, 4)
    plain = {**numbers, "n_clusters": 3, "mu": 0.25, "max_epochs": 2, "motifs": None, "n_init": 1, "learning_rate": 0.5}
    np.testing.assert_array_equal(HoscClustering(**plain).fit(cliques).assignment_, loaded.assignment_)


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
    monkeypatch.setattr("hoscpool.training.checkpoint.Checkpoint.__init__.__defaults__", (None, "", 0.0))
    options = {**QUICK, "preset": preset, "n_init": 2, "schedule": "adaptive"}
    if preset == "robust":
        options["starts"] = "smooth-2"
    whole = HoscClustering(**options).fit(cliques)
    begun, step = [], Run._epoch

    def interrupt(run: Run) -> None:
        if run.progress.epoch == 0:
            begun.append(run)
        if (len(begun) - 1, run.progress.epoch) == at:
            raise RuntimeError("killed")
        step(run)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "_epoch", interrupt)
        with pytest.raises(RuntimeError, match="killed"):
            HoscClustering(**options, checkpoint=tmp_path).fit(cliques)
    assert (tmp_path / f"run-{at[0]:03d}.json").exists()
    resumed = HoscClustering(**options, checkpoint=tmp_path).fit(cliques)
    np.testing.assert_array_equal(resumed.assignment_, whole.assignment_)
    assert resumed.history_ == whole.history_
    assert resumed.runs_ == whole.runs_


def press_ctrl_c(patch: pytest.MonkeyPatch, function: str, call: int) -> None:
    """Interrupt at that call of a function, before it does anything."""
    owner, _, name = function.rpartition(".")
    owners = {"": Run, "optimizer": torch.optim.Adam, "scheduler": torch.optim.lr_scheduler.ReduceLROnPlateau,
              "clip": torch.nn.utils}  # fmt: skip
    original, calls = getattr(owners[owner], name), []

    def interrupt(*args: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) == call:
            raise KeyboardInterrupt
        return original(*args, **more)

    patch.setattr(owners[owner], name, interrupt)


SHORT: dict[str, Any] = {**QUICK, "max_epochs": 20, "starts": ("smooth-2", "spectral")}
WITHIN = [("_epoch", 8), ("_end_epoch", 8), ("clip.clip_grad_norm_", 8), ("scheduler.step", 8), ("scheduler.step", 25),
          ("optimizer.step", 108)]  # fmt: skip
WARMING = [("warm_up", 1), ("optimizer.step", 50), ("_objective", 1)]
"""Before the end of the first epoch of the first run."""
LATER = [("warm_up", 2), ("optimizer.step", 170)]
"""While the second run warms up."""


@pytest.mark.parametrize(("function", "call"), WARMING)
def test_ctrl_c_before_the_first_epoch_gives_no_untrained_clusters(
    cliques: Graph, monkeypatch: pytest.MonkeyPatch, function: str, call: int
) -> None:
    press_ctrl_c(monkeypatch, function, call)
    with pytest.raises(KeyboardInterrupt):
        HoscClustering(**SHORT).fit(cliques)


@pytest.mark.parametrize(("function", "call"), WITHIN + LATER)
def test_after_ctrl_c_the_fit_goes_on_to_the_same_result(
    cliques: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str, call: int
) -> None:
    whole = HoscClustering(**SHORT).fit(cliques)
    with monkeypatch.context() as patch:
        press_ctrl_c(patch, function, call)
        with pytest.warns(ConvergenceWarning, match="interrupted"):
            cut = HoscClustering(**SHORT, checkpoint=tmp_path).fit(cliques)
    assert cut.interrupted_
    assert len(cut.history_.get("loss", [])) == cut.n_iter_
    assert (tmp_path / "run-000.json").exists()
    assert all(run["epochs"] for run in cut.runs_)  # nothing untrained is compared
    assert not (tmp_path / "run-001.json").exists() or (function, call) == ("scheduler.step", 25)
    resumed = HoscClustering(**SHORT, checkpoint=tmp_path).fit(cliques)
    np.testing.assert_array_equal(resumed.assignment_, whole.assignment_)
    assert (resumed.history_, resumed.runs_) == (whole.history_, whole.runs_)
    assert not resumed.interrupted_


def share(progress: float) -> float:
    return 1 - progress


@pytest.mark.parametrize("make", [lambda: None, lambda: np.random.default_rng(7), lambda: np.random.RandomState(7)])
def test_a_fit_without_a_seed_goes_on_with_its_own(
    cliques: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any
) -> None:
    options: dict[str, Any] = {**SHORT, "schedule": share, "checkpoint": tmp_path}
    model = HoscClustering(**{**options, "random_state": make()})
    with monkeypatch.context() as patch:
        press_ctrl_c(patch, "_epoch", 30)
        with pytest.warns(ConvergenceWarning, match="interrupted at run 2"):
            model.fit(cliques)
    first = model.runs_[0]
    for again in (model, HoscClustering(**{**options, "random_state": make()})):
        assert again.fit(cliques).runs_[0] == first
    with pytest.raises(ValueError, match="other data or parameters"):
        HoscClustering(**{**options, "random_state": 8}).fit(cliques)
    with pytest.raises(ValueError, match="other data or parameters"):
        HoscClustering(**{**options, "random_state": None, "schedule": lambda p: 1 - p / 2}).fit(cliques)


def test_a_checkpoint_of_another_fit_is_refused(cliques: Graph, bare: Graph, tmp_path: Path) -> None:
    HoscClustering(**QUICK, checkpoint=tmp_path).fit(cliques)
    with pytest.raises(ValueError, match="other data or parameters"):
        HoscClustering(**QUICK, checkpoint=tmp_path).fit(bare)
    with pytest.raises(ValueError, match="other data or parameters"):
        HoscClustering(**{**QUICK, "mu": 0.5}, checkpoint=tmp_path).fit(cliques)


def test_a_model_of_version_0_1_0_is_read(tmp_path: Path) -> None:
    """The files were written by the code of that version, for three cliques whose features say the clique."""
    ring = nx.to_scipy_sparse_array(nx.ring_of_cliques(3, 6))
    x = np.repeat(np.eye(3), 6, axis=0) + np.random.default_rng(0).normal(0, 0.3, (18, 3))
    model = HoscClustering.load(Path(__file__).parent / "saved_by_0_1_0")
    expected = np.repeat([2, 1, 0], 6)
    np.testing.assert_array_equal(model.labels_, expected)
    np.testing.assert_array_equal(model.predict(as_graph(ring, features=x.astype(np.float32))), expected)
    np.testing.assert_array_equal(model.predict(as_graph(ring, features=(x + 0.01).astype(np.float32))), expected)
    assert len(np.unique(model.hierarchy([2])[0].labels)) == 2
    assert (model.solver_, model.start_, model.communities_) == ("network", "smooth-2", [])
    model.save(tmp_path)
    np.testing.assert_array_equal(HoscClustering.load(tmp_path).labels_, expected)
