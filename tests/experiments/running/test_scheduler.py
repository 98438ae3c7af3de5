"""The runner on an experiment that costs nothing; with other processes in ``test_processes.py``."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from experiments.made_up import toy_cells
from hoscpool.experiments.running.cell import Cell
from hoscpool.experiments.running.cell_run import code_fingerprint
from hoscpool.experiments.running.estimator import Estimator
from hoscpool.experiments.running.progress_board import Board
from hoscpool.experiments.running.scheduler import Options, Outcome, run_cells, unfinished
from hoscpool.experiments.running.store import Store
from hoscpool.support.errors import DatasetNotFoundError

Toy = dict[str, Callable[[Cell], Any]]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def _seeds(store: Store, status: str = "ok") -> list[tuple[str, int]]:
    return [(r["dataset"], r["seed"]) for r in store.records("toy") if r["status"] == status]


def test_a_record_has_everything(toy: Toy, store: Store) -> None:
    cell = toy_cells("karate")[0]
    assert run_cells([cell], store, Options()) == Outcome(done=1)
    record = store.latest("toy")[cell.key]
    assert record["metrics"] == {"score": 0}
    assert record["settings"] == {"mu": 0.1}
    assert record["seconds"] == {"wall": 0.0, "cpu": 0.0}
    assert record["peak_memory"] >= 0
    assert {"hoscpool", "torch", "python"} <= set(record["versions"])
    assert record["code"] == code_fingerprint()
    assert set(record["machine"]) == {"processor", "cores", "memory", "system"}
    assert os.uname().nodename not in record["machine"].values()
    assert toy == {}


def test_finished_cells_are_not_run_again(toy: Toy, store: Store) -> None:
    cells, ran = toy_cells("karate", "syn1", seeds=2), []
    run_cells(cells[:2], store, Options())
    toy["karate"] = toy["syn1"] = lambda cell: ran.append((cell.dataset, cell.seed))
    run_cells(unfinished(cells, store), store, Options())
    assert ran == [("karate", 1), ("syn1", 1)]
    assert unfinished(cells, store) == []
    other = [Cell("toy", "karate", "m", 0, {"mu": 0.2})]
    assert unfinished(other, store) == other


def test_a_failure_is_recorded_and_retried_on_request(toy: Toy, store: Store) -> None:
    def fail(_: Cell) -> None:
        raise RuntimeError("no such luck")

    toy["karate"], cells = fail, toy_cells("karate", "syn1")
    assert run_cells(cells, store, Options()) == Outcome(done=1, failed=1)
    assert store.latest("toy")[cells[0].key]["error"] == "RuntimeError: no such luck"
    assert unfinished(cells, store) == []
    again = unfinished(cells, store, retry_failed=True)
    assert again == cells[:1]
    toy.clear()
    assert run_cells(again, store, Options()) == Outcome(done=1)
    assert store.latest("toy")[cells[0].key]["status"] == "ok"


def test_a_dataset_that_is_not_there_is_left_out_without_a_record(toy: Toy, store: Store) -> None:
    calls = []

    def missing(cell: Cell) -> None:
        calls.append(cell)
        raise DatasetNotFoundError("no files")

    toy["karate"] = missing
    outcome = run_cells(toy_cells("karate", "syn1", seeds=2), store, Options())
    assert outcome == Outcome(done=2, missing={"karate": "no files"})
    assert len(calls) == 1
    assert _seeds(store) == [("syn1", 0), ("syn1", 1)]


def test_the_budget_ends_the_run_between_cells(toy: Toy, store: Store) -> None:
    toy["karate"] = lambda _: time.sleep(0.05)
    cells = toy_cells("karate", seeds=5)
    outcome = run_cells(cells, store, Options(budget=0.08))
    assert 1 <= outcome.done < 5
    assert outcome.done + outcome.left == 5
    assert len(_seeds(store)) == outcome.done
    assert run_cells(unfinished(cells, store), store, Options()).done == outcome.left


def test_a_cell_known_to_take_longer_than_what_is_left_is_not_begun(toy: Toy, store: Store) -> None:
    cells = toy_cells("karate", seeds=2)
    run_cells(cells[:1], store, Options())
    record = {**store.records("toy")[0], "seconds": {"wall": 1000.0, "cpu": 1.0}}
    store.append(record)
    store.append({**record, "seed": 7})
    assert run_cells(cells[1:], store, Options(budget=60)) == Outcome(left=1)
    assert toy == {}


def test_ctrl_c_loses_the_cell_under_way_and_nothing_else(toy: Toy, store: Store) -> None:
    def interrupt(_: Cell) -> None:
        try:  # as the estimators do: they would return what they have
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        except KeyboardInterrupt:
            pytest.fail("an estimator must not see the interrupt")

    handler = signal.getsignal(signal.SIGINT)
    toy["syn1"] = interrupt
    with pytest.raises(KeyboardInterrupt):
        run_cells(toy_cells("karate", "syn1", "syn2"), store, Options())
    assert _seeds(store) == [("karate", 0)]
    assert signal.getsignal(signal.SIGINT) is handler


def test_an_interrupt_that_a_library_swallows_still_ends_the_run(toy: Toy, store: Store) -> None:
    def interrupt(_: Cell) -> None:
        with contextlib.suppress(BaseException):  # as a callback from C does
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)

    toy["syn1"] = interrupt
    with pytest.raises(KeyboardInterrupt):
        run_cells(toy_cells("karate", "syn1", "syn2"), store, Options())
    assert _seeds(store) == [("karate", 0)]


@pytest.mark.usefixtures("toy")
def test_nor_is_one_lost_while_threads_are_counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting(contextlib.AbstractContextManager[None]):
        def __init__(self, **_: object) -> None:
            with contextlib.suppress(BaseException):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(5)

        def __exit__(self, *_: object) -> None: ...

        def restore_original_limits(self) -> None: ...

    monkeypatch.setattr("threadpoolctl.ThreadpoolController.limit", Counting)
    with pytest.raises(KeyboardInterrupt):
        run_cells(toy_cells("karate", "syn1"), store, Options())
    assert _seeds(store) == []


@pytest.mark.usefixtures("toy")
def test_nor_is_one_lost_between_two_cells(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def learn(*_: object) -> None:
        with contextlib.suppress(BaseException):  # as a finalizer that the collector calls does
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)

    monkeypatch.setattr(Estimator, "learn", learn)
    with pytest.raises(KeyboardInterrupt):
        run_cells(toy_cells("karate", "syn1"), store, Options())
    assert _seeds(store) == [("karate", 0)]


def test_progress_says_what_is_done_running_and_left(toy: Toy, store: Store) -> None:
    out, cells = io.StringIO(), toy_cells("karate", "syn1")
    run_cells(cells, store, Options(), Board(Console(file=out, width=200), len(cells), 1))
    lines = out.getvalue().splitlines()
    assert lines[0] == "[1/2] toy karate m seed 0: score 0, 0.0 s"
    assert lines[1].strip().startswith("running 1, left 0, about ")
    assert lines[2].startswith("[2/2] toy syn1 m seed 0")
    assert toy == {}


def test_cells_that_another_run_records_meanwhile_are_not_recorded_twice(toy: Toy, store: Store) -> None:
    cells, ran = toy_cells("karate", seeds=4), []
    run_cells(cells, elsewhere := Store(store.folder / "elsewhere"), Options())
    others = elsewhere.records("toy")

    def run(cell: Cell) -> None:
        ran.append(cell.seed)
        if cell.seed == 0:  # another run records the same cell first, and the next but one
            store.append(others[0])
            store.append(others[2])

    toy["karate"] = run
    assert run_cells(cells, store, Options()) == Outcome(done=4)
    assert ran == [0, 1, 3]
    assert [seed for _, seed in _seeds(store)] == [0, 2, 1, 3]
    assert store.records("toy")[:2] == [others[0], others[2]]
