"""The cases of ``bench fit``: whole fits where the dense form can finish one, and its two halves where it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from hoscpool.bench import fit_peers as peers
from hoscpool.bench.fit_peers import Workload
from hoscpool.bench.graphs import real_graph
from hoscpool.bench.model import Case, Contender, Target
from hoscpool.graph import Graph

GRAPHS = {"syn1": "Syn1", "cora": "Cora", "photo": "Photo", "pubmed": "PubMed", "pc": "PC", "cs": "CS"}
WHOLE = ("syn1", "cora", "photo")
"""Graphs on which the dense form ends 500 epochs in minutes."""
QUICK = ("syn1",)
DEFAULT = tuple(name for name in GRAPHS if name not in QUICK)
TARGETS = {"cora": 5.0, "pubmed": 30.0, "cs": 30.0, "pc": 30.0}
"""How many times faster than the dense form a fit is to be."""
BUDGET = 300.0
"""Seconds for one contender of a case: enough for one run of the dense form on every graph."""

OURS = Contender("HoscPool", peers.fit_ours, answer=peers.first_losses, package="hoscpool", compiles=True)
DENSE = Contender("dense", peers.fit_dense, answer=peers.first_losses, package="torch")


def fit_cases(graphs: Iterable[str], epochs: int, part_epochs: int, threads: Iterable[int]) -> Iterator[Case]:
    """All cases in order; those on the same graph follow each other."""
    numbers = tuple(threads)
    for graph in graphs:
        for number in numbers:
            if graph in WHOLE:
                yield _case(f"whole fit, {epochs} epochs", graph, epochs, (OURS, DENSE), number)
            else:
                yield _matrices_case(graph, number)
                yield _training_case(graph, part_epochs, number)


def _matrices_case(graph: str, threads: int) -> Case:
    """What comes before the first epoch."""
    ours = replace(OURS, run=peers.prepare_ours, answer=peers.shapes)
    dense = replace(DENSE, run=peers.prepare_dense, answer=peers.shapes)
    return _case("before training", graph, 0, (ours, dense), threads)


def _training_case(graph: str, epochs: int, threads: int) -> Case:
    """Epochs alone."""
    ours = replace(OURS, run=peers.train_ours, prepare=peers.prepare_ours)
    dense = replace(DENSE, run=peers.train_dense, prepare=peers.prepare_dense)
    return _case(f"training, {epochs} epochs", graph, epochs, (ours, dense), threads)


def _case(task: str, graph: str, epochs: int, contenders: tuple[Contender, Contender], threads: int) -> Case:
    target = Target(ratio=TARGETS.get(graph) if threads == 1 else None)
    ours, dense = (replace(contender, threads=threads) for contender in contenders)
    members = (ours, replace(dense, target=target))
    load = partial(_load, graph, epochs)
    return Case(task, GRAPHS[graph], load, members, _describe, compare=peers.compare, budget=BUDGET)


@lru_cache(maxsize=1)
def _graph(name: str) -> Graph:
    if name == "syn1":
        from hoscpool.datasets import load

        return load(name)
    return real_graph(name)


def _load(name: str, epochs: int) -> Workload:
    graph = _graph(name)
    assert graph.labels is not None  # every graph of this suite has them; they give K and nothing else
    return Workload(graph, len(set(graph.labels.tolist())), epochs)


def _describe(workload: Workload) -> dict[str, int]:
    features: Any = workload.graph.features
    graph = workload.graph
    return {"nodes": graph.num_nodes, "edges": graph.num_edges, "features": features.shape[1],
            "clusters": workload.num_clusters}  # fmt: skip
