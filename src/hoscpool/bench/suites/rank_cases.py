"""Cases of ``bench scale --distributed``: some epochs of training, by one process and by several ranks."""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import scipy.sparse as sp

from hoscpool.bench.graphs.labelled_graphs import Task
from hoscpool.bench.harness.cases import Case, CaseResult, Contender, difference
from hoscpool.support.text_tables import Grid

ON_RANKS = "train on ranks"
"""Name of the task."""
RANKS = (1, 2, 4)
EPOCHS, FEATURES = 5, 32
NEAR = 1e-3
"""Labels of so small a share of the nodes may differ: sums in another order round differently."""
START = "from hoscpool.bench.suites.rank_cases import work; work()"
BUDGET = 600.0
"""Seconds for the runs of a contender. One is enough: an epoch is the mean of several."""
COLUMNS = ("CPU s an epoch", "s an epoch", "MB sent an epoch", "MB of a rank")


def rank_cases(sizes: Iterable[str]) -> Iterator[Case]:
    """Training of the paper's network with edges and triangles, 32 features and K = 47."""
    from hoscpool.bench.suites.scale_cases import SIZES, load_size

    for size in sizes:
        contenders = tuple(
            Contender(
                "one process" if count == 1 else f"{count} ranks",
                partial(train, count),
                answer=answer_of,
                package="hoscpool",
                threads=count,
            )
            for count in RANKS
        )
        yield Case(
            ON_RANKS,
            f"{SIZES[size]:,} edges",
            partial(load_size, size),
            contenders,
            facts_of,
            compare=labels_differ,
            judge=measures_of,
            budget=BUDGET,
        )


def train(count: int, task: Task) -> dict[str, Any]:
    """Some epochs on so many ranks. Returns the labels and what an epoch took."""
    with tempfile.TemporaryDirectory(prefix="hoscpool-ranks-") as name:
        folder = Path(name)
        sp.save_npz(folder / "graph.npz", task.graph.adjacency, compressed=False)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        given = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(count), "OMP_NUM_THREADS": "1"}
        given |= {"HOSCPOOL_BENCH_FOLDER": name, "HOSCPOOL_BENCH_K": str(task.n_clusters)}
        processes = [
            subprocess.Popen([sys.executable, "-c", START], env={**os.environ, **given, "RANK": str(rank)})
            for rank in range(count)
        ]
        try:
            codes = [process.wait() for process in processes]
        finally:
            for process in processes:
                process.kill()
        if any(codes):
            raise RuntimeError(f"a rank ended with exit code {max(codes, key=abs)}")
        found: dict[str, Any] = json.loads((folder / "found.json").read_text())
        return {**found, "labels": np.load(folder / "labels.npy")}


def work() -> None:
    """What every rank does: train, and report time, traffic and memory."""
    from hoscpool.distributed import follow, join, leading, part_ways

    ranks, folder = join(), Path(os.environ["HOSCPOOL_BENCH_FOLDER"])
    before = psutil.Process().memory_info().rss
    if ranks is None:
        labels, cpu, wall = _train_here(folder)
        _write(folder, labels, cpu, wall, 0, _peak() - before)
        return
    if ranks.leads:
        with leading(ranks):
            labels, cpu, wall = _train_here(folder)
    else:
        follow(ranks)
        labels, cpu, wall = None, 0.0, 0.0
    seen = ranks.gather((ranks.sent, _peak() - before))
    if ranks.leads:
        _write(folder, labels, cpu, wall, max(sent for sent, _ in seen) // EPOCHS, max(size for _, size in seen[1:]))
    part_ways()


def _train_here(folder: Path) -> tuple[Any, float, float]:
    """Labels, and CPU and wall seconds of an epoch of this process."""
    from hoscpool.cluster import Objective, Run, as_input, as_operator, make_network, motif_matrices, resolve_settings
    from hoscpool.graph import as_graph
    from hoscpool.support.progress import FitBar
    from hoscpool.support.threads import one_thread
    from hoscpool.training import Checkpoint, current_team

    k, graph = int(os.environ["HOSCPOOL_BENCH_K"]), as_graph(folder / "graph.npz")
    weights = {"edge": 0.5, "triangle": 0.5}
    operators = {name: as_operator(matrix) for name, matrix in motif_matrices(graph, weights).items()}
    x = as_input(np.random.default_rng(0).standard_normal((graph.num_nodes, FEATURES), dtype=np.float32))
    network = make_network(FEATURES, 32, (k,), message_passing=True, random_state=0)
    settings, objective = resolve_settings("paper", {"max_epochs": EPOCHS}), Objective("hosc", operators, weights)
    team = current_team()
    with one_thread():
        run = (Run if team is None else team.clustering_run)(
            network, x, operators["edge"], objective, settings, tuple, threading.Event()
        )
        run.complete(Checkpoint(), FitBar(0, EPOCHS))
        labels = run.result()[-1].argmax(dim=1).numpy()
    return labels, run.progress.cpu / EPOCHS, run.progress.wall / EPOCHS


def _write(folder: Path, labels: Any, cpu: float, wall: float, sent: int, memory: int) -> None:
    np.save(folder / "labels.npy", labels)
    found = dict(zip(COLUMNS, (cpu, wall, sent / 1e6, memory / 1e6), strict=True))
    (folder / "found.json").write_text(json.dumps(found))


def _peak() -> int:
    """Largest memory of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def answer_of(_task: Task, found: dict[str, Any]) -> dict[str, Any]:
    """Everything; `labels_differ` compares the labels."""
    return found


def labels_differ(ours: dict[str, Any], theirs: dict[str, Any]) -> str | None:
    """How the labels differ, beyond rounding."""
    share = float(np.mean(ours["labels"] != theirs["labels"]))
    return difference(ours["labels"], theirs["labels"]) if share > NEAR else None


def measures_of(_task: Task, found: dict[str, Any]) -> dict[str, float]:
    """The columns of the table."""
    return {name: float(found[name]) for name in COLUMNS}


def rank_grid(results: Sequence[CaseResult]) -> Grid:
    """What an epoch takes, a row for every graph and number of ranks."""
    rows = []
    for result in results:
        for outcome in result.outcomes:
            if result.case.task == ON_RANKS and outcome.measures:
                numbers = (f"{outcome.measures[name]:.3g}" for name in COLUMNS)
                rows.append((f"{result.facts['edges']:,} edges, {outcome.contender.name}", *numbers))
    return Grid("training on ranks", ("graph", *COLUMNS), rows)


def facts_of(task: Task) -> dict[str, Any]:
    """Sizes for the table."""
    return {"nodes": task.graph.num_nodes, "edges": task.graph.num_edges}
