"""A search that was interrupted goes on from its finished runs, and ends as if nothing had happened."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from hoscpool import HoscClustering, datasets
from hoscpool.cluster.engine import multilevel, single_run
from hoscpool.cluster.engine.single_run import SingleRun
from hoscpool.cluster.unfinished import SavedRuns
from hoscpool.graph import Graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    found = datasets.planted_communities(2200, 8_000, 5, mixing=0.3, random_state=1)
    return Graph(found.indptr, found.indices)


def search(folder: Path | None, seed: Any = 0, **parameters: Any) -> HoscClustering:
    return HoscClustering(
        5, solver="multilevel", n_init=3, random_state=seed, checkpoint=folder, **parameters
    )  # fmt: skip


def count_runs(monkeypatch: pytest.MonkeyPatch, stop_at: int = 0) -> list[int]:
    """The seeds of the runs that really ran; the given one is killed."""
    true, ran = SingleRun.go, list[int]()

    def go(run: SingleRun) -> None:
        ran.append(run.seed)
        if len(ran) == stop_at:
            raise SystemExit(143)
        true(run)

    monkeypatch.setattr(SingleRun, "go", go)
    return ran


@pytest.mark.parametrize("seed", [0, None])
def test_a_killed_search_goes_on(graph: Graph, tmp_path: Path, seed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        count_runs(patch, stop_at=3)
        with pytest.raises(SystemExit):
            search(tmp_path, seed).fit(graph)
    ran = count_runs(monkeypatch)
    model = search(tmp_path, seed).fit(graph)
    assert len(ran) == 1
    again = search(tmp_path, seed).fit(graph)
    assert len(ran) == 1, "all runs are known"
    for one in (again, search(None, 0).fit(graph)) if seed == 0 else (again,):
        np.testing.assert_array_equal(one.labels_, model.labels_)
        np.testing.assert_array_equal(one.assignment_, model.assignment_)
        assert [{**run, "seconds": 0} for run in one.runs_] == [{**run, "seconds": 0} for run in model.runs_]
        for finer, other in zip(one.communities_, model.communities_, strict=True):
            np.testing.assert_array_equal(finer, other)


@pytest.mark.parametrize("saves", [1, 2, 3])
def test_a_run_that_was_killed_goes_on_where_it_was(
    graph: Graph, tmp_path: Path, saves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run is saved after it has coarsened, after its search, and after every level that takes long."""
    truth, written, true = search(None).fit(graph), list[int](), SavedRuns.pause

    def pause(*given: Any) -> None:
        true(*given)
        written.append(given[2])
        if len(written) == saves:
            raise SystemExit(143)

    monkeypatch.setattr(single_run, "INTERVAL", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(SavedRuns, "pause", pause)
        with pytest.raises(SystemExit):
            search(tmp_path).fit(graph)
    searches, coarsened = counted(monkeypatch, single_run, "search"), counted(monkeypatch, multilevel, "coarsen")
    model = search(tmp_path).fit(graph)
    assert (len(searches), len(coarsened)) == {1: (3, 2), 2: (2, 2), 3: (2, 1)}[saves]
    np.testing.assert_array_equal(model.labels_, truth.labels_)
    assert [{**run, "seconds": 0} for run in model.runs_] == [{**run, "seconds": 0} for run in truth.runs_]


UNDER_WAY: dict[str, Any] = {
    "depth": 7,
    "random": 7,
    "labels": lambda labels: labels[:3].clone(),
    "clusters.inside": lambda inside: inside[:3].clone(),
    "clusters.volume": lambda volume: volume.float(),
    "clusters.mass": lambda mass: mass.half(),
    "clusters.counts": lambda counts: counts.flip(0) + 1,
    "clusters.scores": lambda scores: scores * float("nan"),
}


@pytest.mark.parametrize("change", UNDER_WAY)
def test_altered_runs_under_way_are_refused(
    graph: Graph, tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the right checksums. Numba cannot compile some types, and a NaN would end in the result."""

    from hoscpool.training.persistence import read, write

    monkeypatch.setattr(single_run, "INTERVAL", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(SavedRuns, "keep", lambda *_: sys.exit(143))
        with pytest.raises(SystemExit):
            search(tmp_path).fit(graph)
    tensors, content = read(tmp_path / "run-000")
    if change in tensors:
        tensors[change] = UNDER_WAY[change](tensors[change])
    else:
        content[change] = UNDER_WAY[change]
    write(tmp_path / "run-000", tensors, {name: value for name, value in content.items() if "sha256" not in name})
    with pytest.raises(ValueError, match=r"run-000\.json"):
        search(tmp_path).fit(graph)


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[int]:
    """Grows by one with every call of a function."""
    true, calls = getattr(module, name), list[int]()

    def count(*given: Any, **named: Any) -> Any:
        calls.append(1)
        return true(*given, **named)

    monkeypatch.setattr(module, name, count)
    return calls


def test_a_folder_of_another_fit_is_refused(graph: Graph, tmp_path: Path) -> None:
    search(tmp_path).fit(graph)
    for other in (search(tmp_path, mu=0.2), search(tmp_path, seed=1), search(tmp_path, calibrate=True)):
        with pytest.raises(ValueError, match="holds a fit of other data or parameters"):
            other.fit(graph)
    search(tmp_path, n_jobs=2).fit(graph)  # the result does not depend on it


@pytest.mark.parametrize("change", ["labels", "levels", "sizes", "value"])
def test_altered_runs_are_refused(graph: Graph, tmp_path: Path, change: str) -> None:
    """Files with the right checksums and wrong content: labels that are out of range would crash compiled code."""
    from torch import from_numpy

    from hoscpool.training.persistence import read, write

    search(tmp_path).fit(graph)
    tensors, content = read(tmp_path / "run-000")
    if change == "labels":
        tensors["labels"] = from_numpy(np.full(2200, 10**6, np.int32))
    elif change == "levels":
        tensors["level.0"] = tensors["level.0"][:5].clone()
    elif change == "value":
        content["value"] = float("nan")
    else:
        content["level_sizes"] = content["level_sizes"][:1]
    rest = {name: value for name, value in content.items() if "sha256" not in name}
    write(tmp_path / "run-000", tensors, rest)
    with pytest.raises(ValueError, match=r"run-000\.json"):
        search(tmp_path).fit(graph)


def test_the_files_are_plain(graph: Graph, tmp_path: Path) -> None:
    model = search(tmp_path).fit(graph)
    content = json.loads((tmp_path / "run-001.json").read_text())
    assert content["value"] == pytest.approx(model.runs_[1]["objective"])
    (tensors,) = tmp_path.glob("run-001*.safetensors")
    assert load_file(tensors)["labels"].shape == (2200,)
