"""The cases of ``bench motifs``: every peer as data, and which of them run on which graph with which target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from hoscpool.bench.graphs.recipes import GRAPHS, QUICK, load_graph
from hoscpool.bench.harness.cases import Case, Contender, Target
from hoscpool.bench.peers import graphblas, igraph, motifcluster, networkit, orca, scipy
from hoscpool.bench.peers import own_motifs as ours
from hoscpool.bench.peers.common import Counts, counts_of_matrix
from hoscpool.graph import Graph

_NETWORKIT = Contender(
    "NetworKit",
    networkit.run,
    networkit.prepare,
    networkit.answer,
    module="networkit",
    package="networkit",
    target=Target(ratio=2),
)
TRIANGLE_PEERS = {
    "scipy": (
        Contender("SciPy", scipy.run, scipy.prepare, counts_of_matrix, package="scipy", target=Target(ratio=50)),
    ),
    "motifcluster": (
        Contender(
            "motifcluster",
            motifcluster.run,
            motifcluster.prepare,
            counts_of_matrix,
            module="motifcluster",
            package="motifcluster",
            target=Target(ratio=100),
        ),
    ),
    "graphblas": (
        Contender(
            "GraphBLAS",
            graphblas.run,
            graphblas.prepare,
            graphblas.answer,
            module="graphblas",
            package="python-graphblas",
            target=Target(ratio=5),
        ),
    ),
    "networkit": (
        _NETWORKIT,
        replace(_NETWORKIT, name="NetworKit (Chiba–Nishizeki)", run=networkit.run_chiba_nishizeki, target=Target()),
    ),
    "igraph": (Contender("igraph", igraph.run, igraph.prepare, module="igraph", package="igraph"),),
}
THREADED = ("GraphBLAS", "NetworKit")
"""The contenders that can use several threads."""

ORCA = Contender("ORCA", orca.run, orca.prepare, orca.answer, module="orbit_count", package="orbit-count")
PEERS = (*TRIANGLE_PEERS, "orca")


def triangle_case(graph: str, peers: Iterable[str], threads: int) -> Case:
    """Triangle adjacency against the peers that can use so many threads; targets hold for one thread and real sizes."""
    chosen = [contender for name in peers for contender in TRIANGLE_PEERS.get(name, ())]
    if threads > 1:
        chosen = [_with_threads(contender, threads) for contender in chosen if contender.name in THREADED]
    if threads > 1 or graph in QUICK:
        chosen = [replace(contender, target=Target()) for contender in chosen]
    return _case("triangle", graph, (_ours(threads), *chosen), _count_triangles)


def four_node_case(graph: str, threads: int) -> Case:
    """Cliques and induced cycles of four nodes on every edge, against ORCA; the target is for the Amazon-like graph."""
    run = partial(ours.clique4_and_cycle4, threads=threads)
    mine = replace(_ours(threads), run=run, answer=ours.counts_of_both)
    peer = replace(ORCA, target=Target(ratio=20)) if graph == "amazon" else ORCA
    return _case("clique4 + cycle4", graph, (mine, peer), _count_four_nodes)


def scaling_case(graph: str) -> Case:
    """Triangle adjacency by two threads and by one."""
    one = replace(_ours(1), name="HoscPool, 1 thread", target=Target(ratio=1.5))
    return _case("triangle, two threads", graph, (replace(_ours(2), name="HoscPool, 2 threads"), one), _count_triangles)


def large_case(graph: str) -> Case:
    """Triangle adjacency of a large graph: ours alone, by two threads and by one; time and memory count."""
    limit = Target(memory=4e9)
    one = replace(_ours(1), name="HoscPool, 1 thread", answer=ours.fingerprint, target=limit)
    two = replace(one, name="HoscPool, 2 threads", run=_ours(2).run, threads=2, target=replace(limit, seconds=60))
    return replace(_case("triangle, large", graph, (two, one), _read_fingerprint), budget=600.0)


def motif_cases(
    graphs: Iterable[str], peers: tuple[str, ...], threads: Iterable[int], large: Iterable[str]
) -> Iterator[Case]:
    """All cases in order; those on the same graph follow each other."""
    for graph in graphs:
        for number in threads:
            yield triangle_case(graph, peers, number)
        if "orca" in peers and not GRAPHS[graph].dense_core:
            yield four_node_case(graph, 1)
        if graph == "rmat18":
            yield scaling_case(graph)
    for graph in large:
        yield large_case(graph)


def _ours(threads: int) -> Contender:
    run = partial(ours.triangle, threads=threads)
    return Contender("HoscPool", run, answer=counts_of_matrix, package="hoscpool", threads=threads, compiles=True)


def _with_threads(contender: Contender, threads: int) -> Contender:
    prepare: Callable[..., Any] = contender.prepare
    return replace(contender, prepare=partial(prepare, threads=threads), threads=threads)


def _case(task: str, graph: str, contenders: tuple[Contender, ...], summarise: Any) -> Case:
    return Case(task, GRAPHS[graph].title, partial(load_graph, graph), contenders, _describe, summarise)


def _describe(graph: Graph) -> dict[str, Any]:
    return {"nodes": graph.num_nodes, "edges": graph.num_edges}


def _count_triangles(counts: Counts) -> dict[str, Any]:
    return {"triangles": int(counts.sum()) // 3}


def _count_four_nodes(counts: Counts) -> dict[str, Any]:
    return {"cliques": int(counts[0].sum()) // 6, "induced cycles": int(counts[1].sum()) // 4}


def _read_fingerprint(fingerprint: list[str]) -> dict[str, Any]:
    return {"triangles": int(fingerprint[0]) // 6}
