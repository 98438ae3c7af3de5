"""The cases of ``bench fit``: whole fits where the dense form can finish one, and its two halves where it cannot."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from hoscpool.bench.graphs.recipes import real_graph
from hoscpool.bench.harness.cases import Case, Contender, Target
from hoscpool.bench.peers import assignment_training as peers
from hoscpool.bench.peers import tgp_training as fit_tgp
from hoscpool.bench.peers.assignment_training import Workload
from hoscpool.bench.peers.tgp import tgp_contender
from hoscpool.graph import Graph

GRAPHS = {"syn1": "Syn1", "cora": "Cora", "photo": "Photo", "pubmed": "PubMed", "pc": "PC", "cs": "CS"}
WHOLE = ("syn1", "cora", "photo")
"""Graphs on which the dense form ends 500 epochs in minutes."""
QUICK = ("syn1",)
DEFAULT = tuple(name for name in GRAPHS if name not in QUICK)
TARGETS = {"cora": 5.0, "pubmed": 30.0, "cs": 30.0, "pc": 30.0}
"""How many times faster than the dense form a fit should be."""
BUDGET = 300.0
"""Seconds for one contender of a case: enough for one run of the dense form on every graph."""

OURS = Contender("HoscPool", peers.fit_ours, answer=peers.first_losses, package="hoscpool", compiles=True)
OURS_TRAINING = replace(OURS, run=peers.train_ours, prepare=peers.prepare_ours)
DENSE = Contender("dense", peers.fit_dense, peers.warmed, answer=peers.first_losses, package="torch")
TGP = tgp_contender(
    "torch-geometric-pool, unbatched (another cut)", fit_tgp.train, fit_tgp.prepare_unbatched, fit_tgp.finite
)
TGP_BATCHED = replace(TGP, name="torch-geometric-pool, batched (another cut)", prepare=fit_tgp.prepare_batched)
PEERS = ("dense", "tgp-unbatched", "tgp-batched")


def fit_cases(
    graphs: Iterable[str], chosen: Collection[str], epochs: int, part_epochs: int, threads: Iterable[int]
) -> Iterator[Case]:
    """All cases in order; those on the same graph follow each other."""
    numbers = tuple(threads)
    for graph in graphs:
        for number in numbers:
            if graph in WHOLE:
                yield _whole_case(graph, chosen, epochs, number)
            else:
                yield _matrices_case(graph, chosen, number)
                yield _training_case(graph, chosen, part_epochs, number)
            if "tgp-batched" in chosen:
                yield _case("training, 1 epoch", graph, 1, (OURS_TRAINING, TGP_BATCHED), number)


def _whole_case(graph: str, chosen: Collection[str], epochs: int, threads: int) -> Case:
    """Everything, from the graph on."""
    others = {"dense": DENSE, "tgp-unbatched": replace(TGP, run=fit_tgp.fit, prepare=fit_tgp.ready)}
    contenders = (OURS, *(peer for name, peer in others.items() if name in chosen))
    return _case(f"whole fit, {epochs} epochs", graph, epochs, contenders, threads)


def _matrices_case(graph: str, chosen: Collection[str], threads: int) -> Case:
    """What comes before the first epoch; torch-geometric-pool does all in its epochs."""
    ours = replace(OURS, run=peers.prepare_ours, answer=peers.shapes)
    dense = replace(DENSE, run=peers.prepare_dense, answer=peers.shapes)
    return _case("before training", graph, 0, (ours, dense) if "dense" in chosen else (ours,), threads)


def _training_case(graph: str, chosen: Collection[str], epochs: int, threads: int) -> Case:
    """Epochs alone."""
    training = {"dense": replace(DENSE, run=peers.train_dense, prepare=peers.prepare_dense), "tgp-unbatched": TGP}
    contenders = (OURS_TRAINING, *(peer for name, peer in training.items() if name in chosen))
    return _case(f"training, {epochs} epochs", graph, epochs, contenders, threads)


def _case(task: str, graph: str, epochs: int, contenders: Iterable[Contender], threads: int) -> Case:
    """A case; targets hold for the dense form with one thread."""
    target = Target(ratio=TARGETS.get(graph) if threads == 1 else None)
    members = tuple(
        replace(contender, threads=threads, target=target if contender.name == DENSE.name else Target())
        for contender in contenders
    )
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
