"""The cases of ``bench objective``: every way to compute the loss as data, and which of them run on which graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

from hoscpool.bench.graphs.recipes import load_graph
from hoscpool.bench.harness.cases import Case, Contender, Target
from hoscpool.bench.peers import cut_losses as peers
from hoscpool.bench.peers.cut_losses import Answer, Workload
from hoscpool.bench.peers.tgp import tgp_contender
from hoscpool.graph import Graph

GRAPHS = {"powerlaw-2k": "power-law cluster 2k", "pc": "PC", "planted-10m": "planted communities, 10 M edges"}
QUICK = ("powerlaw-2k",)
DEFAULT = ("pc", "planted-10m")
SMALL = ("powerlaw-2k", "pc")
"""Graphs whose dense matrix fits."""

OURS = Contender("HoscPool", peers.run_ours, peers.prepare_ours, peers.answer, package="hoscpool", compiles=True)
PEERS = {
    "csr": Contender("torch CSR", peers.run_sparse, peers.prepare_csr, peers.answer, package="torch"),
    "coo": Contender("torch COO", peers.run_sparse, peers.prepare_coo, peers.answer, package="torch"),
    "index-add": Contender(
        "gather/scatter (torch)", peers.run_index_add, peers.prepare_edges, peers.answer, package="torch"
    ),
    "scatter": Contender(
        "gather/scatter (PyG)",
        peers.run_scatter,
        peers.prepare_edges,
        peers.answer,
        module="torch_geometric",
        package="torch_geometric",
    ),
    "dense": Contender("dense", peers.run_dense, peers.prepare_dense, peers.answer, package="torch"),
}
TGP = tgp_contender(
    "torch-geometric-pool (another cut; L_o compared)", peers.run_tgp, peers.prepare_tgp, peers.answer, compared=True
)


def objective_cases(
    graphs: Iterable[str], chosen: tuple[str, ...], clusters: Iterable[int], threads: Iterable[int]
) -> Iterator[Case]:
    """All cases in order; those on the same graph follow each other."""
    counts, numbers = tuple(clusters), tuple(threads)
    for graph in graphs:
        for number in numbers:
            for k in counts:
                yield cut_case(graph, chosen, k, number)
        if "tgp" in chosen:
            yield whole_case(graph, counts[0], numbers[0])


def cut_case(graph: str, chosen: Iterable[str], k: int, threads: int) -> Case:
    """One motif cut, forward and backward; targets hold for one thread and real sizes."""
    names = [name for name in chosen if name in PEERS and (name != "dense" or graph in SMALL)]
    contenders = [replace(PEERS[name], target=_target(name, k, graph, threads), threads=threads) for name in names]
    return _case(f"cut, K = {k}", graph, k, (replace(OURS, threads=threads), *contenders))


def whole_case(graph: str, k: int, threads: int) -> Case:
    """The whole objective of HoscPool against the library that has one under the same name."""
    ours = replace(OURS, run=peers.run_ours_with_triangles, prepare=peers.prepare_ours_with_triangles, threads=threads)
    return _case(f"edge + triangle cut + L_o, K = {k}", graph, k, (ours, replace(TGP, threads=threads)))


def _target(name: str, k: int, graph: str, threads: int) -> Target:
    if graph in QUICK or threads > 1:
        return Target()
    if name == "csr":
        return Target(ratio=10 if k <= 16 else 3)
    return Target(ratio=20) if name in ("index-add", "scatter") else Target()


@lru_cache(maxsize=1)
def _graph(name: str) -> Graph:
    if name == "planted-10m":
        from hoscpool.datasets import planted_communities

        graph = planted_communities(400_000, 10_000_000, 20)
        return Graph(graph.indptr, graph.indices, name=GRAPHS[name])
    return load_graph(name)


def _load(name: str, k: int) -> Workload:
    return Workload(_graph(name), k)


def _case(task: str, graph: str, k: int, contenders: tuple[Contender, ...]) -> Case:
    load = partial(_load, graph, k)
    return Case(task, GRAPHS[graph], load, contenders, _describe, _summarise, peers.compare)


def _describe(workload: Workload) -> dict[str, int]:
    return {"nodes": workload.graph.num_nodes, "edges": workload.graph.num_edges}


def _summarise(answer: Answer) -> dict[str, float]:
    return {"loss": round(float(answer[0]), 4)}
