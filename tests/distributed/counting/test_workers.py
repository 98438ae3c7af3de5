"""Who counts: processes that die, schedulers that do not answer, and a cluster."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hoscpool as hp
from block_cases import assert_same_matrix, graph_named
from hoscpool.distributed import build_blocks
from hoscpool.distributed.counting import workers
from hoscpool.distributed.counting.count_files import CountFiles
from hoscpool.distributed.counting.count_kinds import COUNT_KINDS
from hoscpool.distributed.counting.task_steps import Done, Job, count_task

TASKS = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    blocks = build_blocks(graph_named("grown"), tmp_path / "blocks", num_ranges=2)
    with CountFiles(blocks, COUNT_KINDS["t"], 2).begin():
        pass
    return Job(str(blocks.folder), blocks.key, "t", 2)


def dies_beside_another(job: Job, task: Any) -> Done:
    """In the first task the process ends, once the second is in its middle. The second notes that it begins."""
    folder = Path(job.folder)
    if task == TASKS[0] and not (folder / "died").exists():
        while not (folder / "begun").exists():
            time.sleep(0.005)
        (folder / "died").write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    if task == TASKS[1]:
        with (folder / "begun").open("a") as file:
            file.write("begun ")
        while not (folder / "died").exists():
            time.sleep(0.005)
        time.sleep(0.3)  # long enough for a pool that ends all its processes
    return count_task(job, task)


def always_dies(_job: Job, _task: Any) -> Done:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_process_that_dies_costs_only_its_task(job: Job) -> None:
    done = list(workers.run_in_processes(dies_beside_another, job, TASKS, 2))
    assert sorted(one.step for one in done) == TASKS
    assert (Path(job.folder) / "begun").read_text() == "begun "


def test_a_task_whose_counts_are_there_is_not_counted_again(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    count_task(job, TASKS[1])
    monkeypatch.setattr(CountFiles, "write_task", None)
    assert count_task(job, TASKS[1]).step == TASKS[1]


def test_processes_that_always_die_end_the_run(job: Job) -> None:
    with pytest.raises(
        ChildProcessError, match=r"3 times a worker process died in the same task.*finished tasks are kept"
    ):
        list(workers.run_in_processes(always_dies, job, TASKS[:1], 2))


def test_a_worker_that_sees_no_folder_or_another(job: Job) -> None:
    with pytest.raises(
        FileNotFoundError, match="does not see the folder /nowhere; put it on a disk that all workers share"
    ):
        count_task(replace(job, folder="/nowhere"), TASKS[0])
    with pytest.raises(OSError, match="sees other blocks"):
        count_task(replace(job, key="0123"), TASKS[0])


@pytest.mark.slow
def test_a_cluster_of_two_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    graph = graph_named("grown")
    blocks = build_blocks(graph, tmp_path / "blocks", num_ranges=3)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        found = hp.motif_adjacency(blocks, "triangle", scheduler=client)
        assert_same_matrix(found.to_matrix(), hp.motif_adjacency(graph, "triangle"))
        found = hp.motif_adjacency(blocks, "cycle4", on_edges=True, scheduler=cluster.scheduler_address)
        assert_same_matrix(found.to_matrix(), hp.motif_adjacency(graph, "cycle4", on_edges=True))
        job = Job(str(blocks.folder), blocks.key, "k", 3)
        with CountFiles(blocks, COUNT_KINDS["k"], 3).begin():
            pass
        cliques = [(0, 0, 0, 0), (0, 1, 1, 2), (2, 2, 2, 2)]
        done = [one.step for one in workers.run_on_dask(dies_in_cliques, job, cliques, client)]
        assert sorted(done) == cliques
        assert (blocks.folder / "died").exists()
        cluster.scale(0)
        while client.scheduler_info(n_workers=-1)["workers"]:
            time.sleep(0.05)
        monkeypatch.setattr(workers, "PATIENCE", 0.1)
        monkeypatch.setattr(workers, "LOOK", 0.1)
        with pytest.raises(ConnectionError, match="there was no worker; finished tasks are kept"):
            list(workers.run_on_dask(count_task, job, cliques, client))


def dies_in_cliques(job: Job, task: Any) -> Done:
    mark = Path(job.folder) / "died"
    if not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return count_task(job, task)
