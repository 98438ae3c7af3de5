"""The cases of ``bench classify``: which datasets, at what batch size, and who trains on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from hoscpool.bench.harness.cases import Case, Contender, Target
from hoscpool.bench.peers import classifiers as peers
from hoscpool.bench.peers.classifiers import Answer, Workload
from hoscpool.bench.peers.tgp import tgp_contender

SHARE = 0.25


@dataclass(frozen=True)
class Setup:
    """How a dataset is trained on.

    Attributes:
        title: Its name in tables.
        batch_sizes: Within the paper's range, 8 to 64: our default and the largest; small where padded matrices would
            not fit.
        most: Number of training graphs, drawn with the seed of the first split. ``None`` means all.
        target: How many times faster than the dense form we should be.
    """

    title: str
    batch_sizes: tuple[int, ...]
    most: int | None
    target: float


DATASETS = {
    "mutag": Setup("MUTAG", (64,), None, 3),
    "proteins": Setup("PROTEINS", (32, 64), None, 8),
    "nci1": Setup("NCI1", (32, 64), None, 2.5),
    "dd": Setup("DD", (8,), 200, 10),
    "reddit-b": Setup("REDDIT-B", (8,), 200, 10),
}
QUICK = ("mutag",)
DEFAULT = ("proteins", "nci1", "dd", "reddit-b")
TGP_TARGET = 2.5
BUDGET = 600.0

OURS = Contender("HoscPool", peers.run_ours, peers.prepare_ours, package="hoscpool", compiles=True)
PEERS = {
    "dense": Contender("textbook, dense", peers.run_peer, peers.prepare_dense, package="torch_geometric"),
    "tgp-batched": tgp_contender(
        "torch-geometric-pool, batched (another cut)", peers.run_peer, peers.prepare_tgp_batched
    ),
    "tgp-unbatched": tgp_contender(
        "torch-geometric-pool, unbatched (another cut)", peers.run_peer, peers.prepare_tgp_unbatched
    ),
}


def classify_cases(
    datasets: Iterable[str],
    chosen: Iterable[str],
    threads: Iterable[int],
    batch_size: int | None = None,
    clusters_from: str = "mean",
) -> Iterator[Case]:
    """One case per dataset, number of threads and batch size. The batch sizes are the dataset's unless one is given."""
    for name in datasets:
        for number in threads:
            for size in (batch_size,) if batch_size else DATASETS[name].batch_sizes:
                yield epoch_case(name, tuple(chosen), number, size, clusters_from)


def epoch_case(name: str, chosen: tuple[str, ...], threads: int, batch_size: int, clusters_from: str) -> Case:
    """One training epoch on one dataset."""
    setup = DATASETS[name]
    contenders = [replace(OURS, threads=threads)]
    for peer in chosen:
        wanted = setup.target if peer == "dense" else TGP_TARGET
        contenders.append(replace(PEERS[peer], threads=threads, target=Target() if name in QUICK else Target(wanted)))
    load = partial(load_workload, name, batch_size, clusters_from)
    task = "training epoch" if clusters_from == "mean" else "training epoch, K from the largest graph"
    on = f"{setup.title}, batches of {batch_size}"
    return Case(task, on, load, tuple(contenders), describe, _summarise, peers.compare, budget=BUDGET)


def load_workload(name: str, batch_size: int, clusters_from: str) -> Workload:
    """The training graphs of the first split, or some of them, and K of both pools."""
    from hoscpool.classify import stratified_splits
    from hoscpool.datasets import load_graphs

    graphs = load_graphs(name)
    index = stratified_splits([int(data.y) for data in graphs], 1)[0].train
    most = DATASETS[name].most
    if most is not None:
        index = np.sort(np.random.RandomState(0).permutation(index)[:most])
    sizes = [int(graphs[i].num_nodes) for i in index]
    first = max(1, int(SHARE * (np.mean(sizes) if clusters_from == "mean" else max(sizes))))
    return Workload(name, tuple(index.tolist()), (first, max(1, int(SHARE * first))), batch_size)


def describe(workload: Workload) -> dict[str, Any]:
    """Facts for the table."""
    return {"graphs": len(workload.index), "batch size": workload.batch_size, "K": workload.clusters[0]}


def _summarise(answer: Answer) -> dict[str, float]:
    return {"first loss": round(float(answer.sum()), 4)}
