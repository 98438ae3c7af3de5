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


def dies_once(job: Job, task: Any) -> Done:
    """Ends its process in the first task, the first time."""
    mark = Path(job.folder) / "died"
    if task == TASKS[0] and not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return count_task(job, task)


def always_dies(_job: Job, _task: Any) -> Done:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_process_that_dies_costs_only_its_task(job: Job) -> None:
    done = list(workers.run_in_processes(dies_once, job, TASKS, 2))
    assert sorted(one.step for one in done) == TASKS
    assert (Path(job.folder) / "died").exists()


def test_processes_that_always_die_end_the_run(job: Job) -> None:
    with pytest.raises(ChildProcessError, match=r"3 times in a row worker processes died.*finished tasks are kept"):
        list(workers.run_in_processes(always_dies, job, TASKS, 2))


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
