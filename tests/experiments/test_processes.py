"""Runs in other processes: killed ones, loky workers, and a Dask cluster."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from hoscpool.cli import main
from hoscpool.experiments.paper_tables import find_tables
from hoscpool.experiments.running.cell import plan_cells, record_key
from hoscpool.experiments.running.scheduler import Options, Outcome, run_cells, unfinished
from hoscpool.experiments.running.store import Store

pytestmark = pytest.mark.slow
ARGUMENTS = ["reproduce", "table1", "--datasets", "karate", "--methods", "sc,msc,hosc", "--seeds", "3"]
CELLS = 9
"""The last three of them, those of hosc, take a second each; the others take milliseconds."""


def _comparable(store: Store) -> list[dict[str, Any]]:
    """All records without what differs from run to run, in one order."""
    kept = [
        {name: value for name, value in record.items() if name not in ("seconds", "peak_memory", "finished")}
        for record in store.records("clustering")
    ]
    return sorted(kept, key=lambda record: json.dumps(record, sort_keys=True))


def _start(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "hoscpool", *ARGUMENTS, "--results", str(folder), *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def _wait_for_lines(path: Path, count: int) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.01)
    pytest.fail(f"no {count} records in two minutes")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store that two commands filled at the same time."""
    folder = tmp_path_factory.mktemp("shared")
    commands = [_start(folder), _start(folder)]
    assert [command.wait(timeout=300) for command in commands] == [0, 0]
    return Store(folder)


def test_two_commands_on_one_store_record_every_cell_once(shared: Store) -> None:
    records = shared.records("clustering")
    assert len(records) == len({record_key(record) for record in records}) == CELLS
    assert {record["status"] for record in records} == {"ok"}


def test_a_killed_run_resumes_to_the_same_records(tmp_path: Path, shared: Store) -> None:
    killed = Store(tmp_path)
    process = _start(killed.folder)
    _wait_for_lines(killed.path("clustering"), 4)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    survivors = len(killed.records("clustering"))
    assert 4 <= survivors < CELLS
    with killed.path("clustering").open("ab") as file:  # as if the power had gone in the middle of a write
        file.write(b'{"experiment": "clustering", "dataset": "kar')
    assert main([*ARGUMENTS, "--results", str(killed.folder)]) == 0
    assert len(killed.records("clustering")) == CELLS  # nothing twice
    assert _comparable(killed) == _comparable(shared)


def test_ctrl_c_ends_the_command_with_a_valid_store(tmp_path: Path) -> None:
    process = _start(tmp_path)
    _wait_for_lines(tmp_path / "clustering.jsonl", 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    store = Store(tmp_path)
    assert 2 <= len(store.records("clustering")) < CELLS
    assert {record["status"] for record in store.records("clustering")} == {"ok"}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_workers_end_with_the_command(number: int, code: int, tmp_path: Path) -> None:
    process = _start(tmp_path, "--jobs", "2")
    _wait_for_lines(tmp_path / "clustering.jsonl", 1)
    workers = psutil.Process(process.pid).children(recursive=True)
    assert len(workers) >= 2
    process.send_signal(number)
    assert process.wait(timeout=15) == code
    _, alive = psutil.wait_procs(workers, timeout=5)
    assert not alive


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::UserWarning")
def test_two_workers_give_the_same_records_as_none(tmp_path: Path) -> None:
    cells = plan_cells(find_tables("table1"), ["karate"], ["sc", "mincut"], 2)
    alone = Store(tmp_path / "alone")
    assert run_cells(cells, alone, Options()) == Outcome(done=4)
    for backend in ("loky", "dask"):
        together = Store(tmp_path / backend)
        assert run_cells(cells, together, Options(jobs=2, backend=backend)) == Outcome(done=4)
        assert unfinished(cells, together) == []
        assert _comparable(together) == _comparable(alone)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::UserWarning")
def test_workers_of_a_running_cluster_are_used(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    cells = plan_cells(find_tables("table1"), ["karate"], ["sc"], 2)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        options = Options(backend="dask", scheduler=cluster.scheduler_address)
        assert run_cells(cells, Store(tmp_path), options) == Outcome(done=2)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::UserWarning")
def test_the_budget_holds_for_workers_too(tmp_path: Path) -> None:
    cells = plan_cells(find_tables("table1"), ["karate"], ["sc"], 40)
    outcome = run_cells(cells, Store(tmp_path), Options(jobs=2, budget=0.01))
    assert outcome.done < 40
    assert outcome.done + outcome.left == 40
