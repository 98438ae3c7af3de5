"""Many fits, counts, pool steps and tiny cells in one place: memory, threads and files must not grow."""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import psutil
import torch

import hoscpool as hp
from attack.reports import Attack, Budget, Report
from attack.victims import start, wait_for
from hoscpool.experiments.experiment import experiments
from hoscpool.experiments.running.cell import Cell, record_key
from hoscpool.experiments.running.estimator import Estimator
from hoscpool.experiments.running.scheduler import Options, run_cells, unfinished
from hoscpool.experiments.running.store import Store

TIMES, WARM = 1000, 100
"""Repetitions, and those before the first measurement."""
GROWTH = 16 << 20
"""Bytes that the memory may grow from the first hundred repetitions to the last."""
CELLS, KILLS = 10_000, 40
PROCESSES = 8


def _state() -> dict[str, int]:
    gc.collect()
    process = psutil.Process()
    return {"memory": process.memory_info().rss, "threads": process.num_threads(), "files": process.num_fds()}


def repeat(name: str, call: Callable[[int], object], budget: Budget, report: Report, times: int = TIMES) -> None:
    """Repeat a call and compare the state of the process."""
    before, warm = _state(), min(WARM, times // 4)
    for number in range(times):
        call(number)
        report.tried[name] += 1
        if number == warm:
            before = _state()
        if budget.left < 0:
            break
    if report.tried[name] <= warm:  # what is loaded once counts as growth until then
        report.failures.append(f"{name}: only {report.tried[name]} of {times:,} in the time; nothing was compared")
        return
    after = _state()
    for what in before:
        if after[what] > before[what] + (GROWTH if what == "memory" else 0):
            report.failures.append(f"{name}: {what} grew from {before[what]:,} to {after[what]:,}")


def _fit() -> Callable[[int], object]:
    graph = hp.as_graph(nx.planted_partition_graph(3, 12, 0.7, 0.05, seed=0))
    solvers: tuple[dict[str, Any], ...] = (
        {"solver": "network", "max_epochs": 5, "n_init": 1, "starts": "spectral"},
        {"solver": "multilevel"},
    )
    return lambda number: hp.HoscClustering(3, random_state=number, **solvers[number % 2]).fit(graph)


def _count() -> Callable[[int], object]:
    graph = hp.as_graph(nx.gnp_random_graph(600, 0.05, seed=0))  # large enough for the kernels
    names = [name for name in hp.list_motifs() if not hp.motifs.get_motif(name).is_directed]
    return lambda number: hp.motif_adjacency(graph, names[number % len(names)], on_edges=True)


def _pool() -> Callable[[int], object]:
    pool = hp.nn.HoscPool(8, 4)
    optimizer = torch.optim.Adam(pool.parameters())

    def step(number: int) -> None:
        rng = torch.Generator().manual_seed(number)
        x, ends = torch.randn(40, 8, generator=rng), torch.randint(40, (2, 120), generator=rng)
        edges = torch.cat([ends, ends.flip(0)], dim=1)
        batch = torch.arange(40) // 10
        edges = edges[:, (batch[edges[0]] == batch[edges[1]]) & (edges[0] != edges[1])]
        optimizer.zero_grad()
        out = pool(x, edges, batch=batch)
        (out.loss + out.x.square().sum()).backward()
        optimizer.step()

    return step


def _many_processes(budget: Budget, report: Report) -> None:
    """Eight processes download nothing, but read one dataset through one cache at the same time."""
    folder = budget.folder / "processes"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    def load(number: int) -> int:
        os.environ["HOSCPOOL_CACHE"] = str(folder / "cache")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = hp.datasets.load("syn1")
        (folder / f"{number}.txt").write_text(f"{graph.num_nodes} {graph.num_edges} {graph.indices.sum()}")
        return 0

    children = [start(partial(load, number), folder / "output") for number in range(PROCESSES)]
    codes = [wait_for(child) for child in children]
    found = {path.read_text() for path in folder.glob("*.txt")}
    report.tried["processes on one data folder"] += PROCESSES
    if any(codes) or len(found) != 1:
        report.failures.append(f"processes on one data folder: exit codes {codes}, results {found}")


class _Tiny:
    """An experiment whose cells take no time."""

    name, resumable, cost, cheap = "tiny", False, 1.0, ()

    def settings(self, dataset: str, method: str) -> dict[str, Any]:
        return {"dataset": dataset, "method": method}

    def run(self, cell: Cell, data_root: object = None) -> dict[str, Any]:  # noqa: ARG002
        value = random.Random(cell.seed).random()
        return {"metrics": {"value": value}, "seconds": {"wall": 0.0, "cpu": 0.0}}


def _sweep(budget: Budget, report: Report, cells: int = CELLS, kills: int = KILLS) -> None:
    """A long sweep of tiny cells that is killed again and again: every cell has one record in the end."""
    from hoscpool.experiments.running import cell_run

    tiny: Any = _Tiny()
    planned = [Cell("tiny", "karate", "sc", seed, tiny.settings("karate", "sc")) for seed in range(cells)]
    folder = budget.folder / "sweep"
    shutil.rmtree(folder, ignore_errors=True)
    store, rng = Store(folder), random.Random(budget.seed)

    def sweep() -> int:
        gc.freeze()  # every cell collects garbage: leave out the modules
        vars(cell_run)["find_experiment"] = lambda _: tiny
        Estimator.seconds = lambda *_: 0.0  # type: ignore[method-assign]
        run_cells(unfinished(planned, store), store, Options())
        return 0

    folder.mkdir(parents=True)
    for _ in range(kills):
        child = start(sweep, budget.folder / "sweep.txt")
        if wait_for(child, rng.uniform(0.2, 3.0)) is None:
            os.kill(child, rng.choice([signal.SIGKILL, signal.SIGTERM]))
            wait_for(child)
            report.tried["kills of a sweep"] += 1
        if budget.left < budget.seconds / 2:  # the rest is for the repetitions
            break
    if code := wait_for(start(sweep, budget.folder / "sweep.txt"), 3600):
        report.failures.append(f"sweep: exit code {code}")
    records = store.records("tiny")
    report.tried["tiny cells"] += len(records)
    if {record_key(record) for record in records} != {cell.key for cell in planned} or len(records) != cells:
        report.failures.append(f"sweep: {len(records):,} records of {cells:,} cells")
    if wrong := [r for r in records if r["metrics"]["value"] != random.Random(r["seed"]).random()]:
        report.failures.append(f"sweep: {len(wrong)} wrong records")


def _in_threads(report: Report) -> None:
    """The same fits in eight threads as in one."""
    graph = hp.as_graph(nx.planted_partition_graph(3, 12, 0.7, 0.05, seed=0))

    def fit(seed: int) -> bytes:
        model = hp.HoscClustering(3, random_state=seed, solver="network", max_epochs=5, n_init=1, starts="spectral")
        return np.asarray(model.fit(graph).assignment_).tobytes()

    alone = [fit(seed) for seed in range(16)]
    threads = torch.get_num_threads()
    with ThreadPoolExecutor(PROCESSES) as pool:
        together = list(pool.map(fit, range(16)))
    report.tried["fits in parallel threads"] += 16
    if alone != together:
        report.failures.append("fits in parallel threads: other results than alone")
    if torch.get_num_threads() != threads:
        report.failures.append(f"fits in parallel threads: torch had {threads} threads, now {torch.get_num_threads()}")
    if threading.active_count() > 64:
        report.failures.append(f"fits in parallel threads: {threading.active_count()} Python threads stay")


def run(budget: Budget) -> Report:
    """Everything once."""
    report = Report()
    assert experiments()
    _many_processes(budget, report)  # forks, so it comes before anything has threads
    _sweep(budget, report)
    repeat("motif counts", _count(), budget, report)
    repeat("pool steps", _pool(), budget, report)
    repeat("fits", _fit(), budget, report)
    _in_threads(report)
    return report


LOAD = Attack(
    "load", "a thousand fits, counts and pool steps; eight processes; a sweep of 10,000 cells", share=3, run=run
)


def main(folder: Path) -> None:
    """A small sample, for the test."""
    budget, report = Budget(600, 0, folder), Report()
    _sweep(budget, report, cells=150, kills=3)
    repeat("pool steps", _pool(), budget, report, times=60)
    if report.failures:
        raise SystemExit("\n".join(report.failures))
    print(dict(report.tried))
