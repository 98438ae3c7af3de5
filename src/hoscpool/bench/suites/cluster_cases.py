"""The cases of ``bench cluster``: the graphs, the peers, and what is compared with what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hoscpool.bench.graphs.labelled_graphs import LABELLED, QUICK_LABELLED, Task, load_task
from hoscpool.bench.harness.cases import Case, Contender, Target
from hoscpool.bench.peers import communities, own_clusters
from hoscpool.bench.suites.partition_quality import judge

_NETWORKIT: dict[str, Any] = {"module": "networkit", "package": "networkit", "compared": False}
PEERS = {
    "leiden": Contender(
        "igraph Leiden",
        communities.igraph_leiden,
        communities.prepare_igraph,
        module="igraph",
        package="igraph",
        compared=False,
        remark="chooses K",
    ),
    "plm": Contender(
        "NetworKit PLM", communities.networkit_plm, communities.prepare_networkit, **_NETWORKIT, remark="chooses K"
    ),
    "parallel-leiden": Contender(
        "NetworKit ParallelLeiden",
        communities.networkit_leiden,
        communities.prepare_networkit,
        **_NETWORKIT,
        remark="chooses K",
    ),
    "louvain": Contender(
        "scikit-network Louvain",
        communities.scikit_network_louvain,
        communities.prepare_matrix,
        module="sknetwork",
        package="scikit-network",
        compared=False,
        remark="chooses K",
    ),
    "metis": Contender(
        "METIS",
        communities.metis,
        communities.prepare_matrix,
        module="pymetis",
        package="pymetis",
        compared=False,
        remark="is told K",
    ),
    "spectral": Contender(
        "scikit-learn spectral",
        communities.scikit_learn_spectral,
        communities.prepare_matrix,
        package="scikit-learn",
        compared=False,
        remark="is told K",
    ),
}
TARGETS = {"leiden": Target(ratio=1 / 0.35), "plm": Target(ratio=1 / 0.75)}
"""At a million edges and more our whole fit takes at most .35 of Leiden's time, and .75 of PLM's."""
SAME_K = ("leiden", "plm")
"""The peers whose number of clusters we are given on the real graphs, because cuts depend on K."""
LONG = 600.0
"""Seconds for a contender on graphs of 10 million edges."""
THREADED = ("plm", "parallel-leiden")

OURS = Contender(
    "HoscPool",
    partial(own_clusters.fit, solver="multilevel"),
    package="hoscpool",
    compiles=True,
    compared=False,
    remark="is told K",
)
DEFAULT_FIT = replace(OURS, name="HoscPool, default", run=own_clusters.fit)


def cluster_case(name: str, peers: Iterable[str], threads: int = 1, default_fit: bool = True) -> Case:
    """Ours and all peers on one graph; we are told the number of classes. Several threads are compared by wall time."""
    large = LABELLED[name].group == "planted" and name not in QUICK_LABELLED
    chosen = [replace(PEERS[peer], target=TARGETS.get(peer, Target()) if large else Target()) for peer in peers]
    if large:
        chosen = [one for one in chosen if one.name != PEERS["spectral"].name]
    mine = [OURS, DEFAULT_FIT] if default_fit and not name.startswith("planted-10m") else [OURS]
    if threads > 1:
        chosen = [one for one in chosen if one.name in {PEERS[peer].name for peer in THREADED}]
        chosen = [replace(one, prepare=_with(one.prepare, threads), target=Target()) for one in chosen]
        mine = [replace(OURS, run=_with(OURS.run, threads)), replace(OURS, name="HoscPool, 1 thread")]
    everyone = tuple(replace(one, threads=1 if "1 thread" in one.name else threads) for one in (*mine, *chosen))
    task = "cluster" if threads == 1 else "cluster, several threads"
    return _case(task, name, everyone, threads)


def same_k_case(name: str, peer: str) -> Case:
    """Ours with the number of clusters that a peer chose, beside that peer and METIS."""
    contender = replace(PEERS[peer], target=Target())
    case = _case(f"same K as {contender.name}", name, (OURS, contender, PEERS["metis"]), 1)
    return replace(case, load=partial(load_with_k_of, name, peer))


def load_with_k_of(name: str, peer: str) -> Task:
    """The task with the number of clusters that a peer chooses; that of the classes if it is not installed."""
    task, contender = load_task(name), PEERS[peer]
    if not contender.is_installed:
        return task
    return replace(task, n_clusters=len(np.unique(contender.run(contender.prepare(task)))))


def cluster_cases(
    names: Iterable[str], peers: tuple[str, ...], threads: Iterable[int], default_fit: bool
) -> Iterator[Case]:
    """All cases in order; those on the same graph follow each other."""
    for name in names:
        for number in threads:
            yield cluster_case(name, peers, number, default_fit)
        if LABELLED[name].group == "real":
            yield from (same_k_case(name, peer) for peer in SAME_K if peer in peers)


def _with(step: Callable[..., Any], threads: int) -> Callable[..., Any]:
    return partial(step, threads=threads)


def _case(task: str, name: str, contenders: tuple[Contender, ...], threads: int) -> Case:
    return Case(
        task,
        LABELLED[name].title,
        partial(load_task, name),
        contenders,
        _describe,
        judge=judge,
        budget=LONG if name.startswith("planted-10m") else None,
        clock="cpu_seconds" if threads == 1 else "seconds",
    )


def _describe(task: Task) -> dict[str, Any]:
    return {"nodes": task.graph.num_nodes, "edges": task.graph.num_edges, "K": task.n_clusters}
