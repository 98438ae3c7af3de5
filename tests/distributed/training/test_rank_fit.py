"""Several processes train one fit: loss, gradients and labels are those of one process."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from rank_processes import start_ranks

WORKER = Path(__file__).with_name("ranks_worker.py")
NEAR = 2e-5
"""Sums in another order differ by rounding."""


def start(kind: str, folder: Path, size: int) -> list[subprocess.CompletedProcess[str]]:
    """Run the worker in so many processes. The other kinds run code of "all" again, and coverage would slow them."""
    code = f"import runpy; runpy.run_path({str(WORKER)!r}, run_name='__main__')"
    return start_ranks(code, [kind, str(folder)], size, traced=kind == "all")


def found_by(kind: str, folder: Path, size: int) -> dict[str, Any]:
    """What rank 0 wrote."""
    for end in start(kind, folder, size):
        assert end.returncode == 0, end.stderr[-3000:]
    found: dict[str, Any] = json.loads((folder / "found.json").read_text())
    return found


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All checks with two ranks."""
    return found_by("all", tmp_path_factory.mktemp("two"), 2)


def check_epochs(found: dict[str, Any]) -> None:
    assert len(found["epochs"]) == 15
    assert {name: value for name, value in found["epochs"].items() if not value < NEAR} == {}


def test_loss_gradients_and_assignments_are_those_of_one_process(two: dict[str, Any]) -> None:
    check_epochs(two)


def test_fits_are_those_of_one_process_on_every_rank(two: dict[str, Any]) -> None:
    assert len(two["fits"]) == 6
    for name, found in two["fits"].items():
        assert found["labels"], name
        assert found["everywhere"], name
        assert found["difference"] < 1e-3, name


def test_a_classifier_learns_what_one_process_learns(two: dict[str, Any]) -> None:
    found = two["classifier"]
    assert found.pop("asap") == 1
    assert max(found.values()) < 1e-4


def test_blocks_give_the_fit_of_the_graph_in_memory(two: dict[str, Any]) -> None:
    found = two["blocks"]
    assert found["labels"]
    assert found["kept"]
    assert found["difference"] < 1e-3
    assert found["objective"] < NEAR
    assert found["coarse"] < 1e-3
    assert found["refused"].startswith("preset: a graph in blocks is trained with preset='paper'")
    leader, other = found["uncounted"]
    assert leader.startswith("ValueError: motif: star4 is not counted on blocks")
    assert other == leader.replace("ValueError", "RankError: ranks: rank 0 stopped")


def test_ranks_that_do_not_fit_together_are_refused(two: dict[str, Any]) -> None:
    errors = two["errors"]
    for what in ("parameters", "data"):
        sentence = f"ValueError: ranks: rank 1 has other {what} than rank 0; start all with the same {what}"
        assert errors[what] == [sentence, sentence]
    own, told = errors["leader"]
    assert own.startswith("ValueError: n_clusters: expected at most 60")
    assert told == f"RankError: ranks: rank 0 stopped: {own.removeprefix('ValueError: ')}"
    assert errors["schedule"][0].startswith("ValueError: schedule: with several ranks")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the nodes are in pieces, and a cluster stays empty
def test_another_number_of_ranks_goes_on_after_a_death(tmp_path: Path) -> None:
    dead = tmp_path / "saved"
    first, second, _ = start("die", dead, 3)
    assert second.returncode == 7
    said = json.loads(first.stdout)
    check_epochs(said)
    assert said["error"].startswith("ranks: another rank ended or did not answer for 60 seconds, so rank 0 of 3 stops")
    assert said["error"].endswith(f"unfinished work is in {dead}, any number of ranks can continue it")
    assert said["seconds"] < 20
    state = json.loads((dead / "run-000.json").read_text())
    assert state["progress"]["epoch"] == 5

    shutil.copytree(dead, tmp_path / "one")
    model, graph = _worker().resumed(tmp_path / "one")
    whole = clone(model).set_params(checkpoint=None).fit(graph)
    model.fit(graph)
    four = found_by("resume", tmp_path, 4)
    check_epochs(four)
    assert model.history_["loss"][:5] == four["history"][:5] == state["progress"]["history"]["loss"]
    np.testing.assert_allclose(four["history"], whole.history_["loss"], atol=1e-4)
    assert four["labels"] == whole.labels_.tolist()


@pytest.mark.slow
def test_a_rank_that_hangs_ends_the_run_in_bounded_time(tmp_path: Path) -> None:
    first, _ = start("hang", tmp_path, 2)
    said = json.loads(first.stdout)
    assert "did not answer for 3 seconds" in said["error"]
    assert said["seconds"] < 25


def _worker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ranks_worker", WORKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
