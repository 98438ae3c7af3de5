"""The cases of ``bench science``, one function per task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from hoscpool.bench.graphs.generators import powerlaw_cluster
from hoscpool.bench.graphs.recipes import GRAPHS, load_graph
from hoscpool.bench.harness.cases import Case, Contender, Target, result_itself
from hoscpool.bench.peers import network_science as peers
from hoscpool.bench.peers import orca
from hoscpool.graph import Graph
from hoscpool.motifs import Motif, motif_count
from hoscpool.support.errors import DatasetNotFoundError

OURS = Contender("HoscPool", print, package="hoscpool", compiles=True)
NETWORKX = Contender("NetworkX", print, peers.networkx_of, peers.values_of, module="networkx", package="networkx")
IGRAPH = Contender("igraph", print, peers.igraph_of, module="igraph", package="igraph")
BOWTIE = Motif.from_edges("bowtie", [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)])
PATH5 = Motif.from_edges("path5", [(0, 1), (1, 2), (2, 3), (3, 4)])
HOUSE = Motif.from_edges("house", [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4)])
LOOP4 = Motif.from_edges("loop4", [(0, 1), (1, 2), (2, 3), (3, 0)], directed=True)
SAMPLES, SEEDS = 100, 100


def describe(graph: Graph) -> dict[str, Any]:
    """Numbers of nodes and edges."""
    return {"nodes": graph.num_nodes, "edges": graph.num_edges}


# ---- graphs


@lru_cache(maxsize=2)
def made_graph(num_nodes: int, directed: bool = False) -> Graph:
    """A power-law cluster graph with five edges per node, with random directions if wanted."""
    graph = powerlaw_cluster(num_nodes, 5)
    if not directed:
        return graph
    rng, source = np.random.default_rng(0), np.repeat(np.arange(graph.num_nodes), graph.degree)
    upper = source < graph.indices
    tails, heads = source[upper], graph.indices[upper].astype(np.int64)
    turned, mutual = rng.random(len(tails)) < 0.5, rng.random(len(tails)) < 0.2
    rows = np.concatenate([np.where(turned, heads, tails), np.where(turned, tails, heads)[mutual]])
    cols = np.concatenate([np.where(turned, tails, heads), np.where(turned, heads, tails)[mutual]])
    order = np.lexsort((cols, rows))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=num_nodes))))
    return Graph(indptr.astype(np.int64), cols[order].astype(np.int32), is_directed=True)


def labelled_graph(name: str) -> Graph:
    """A graph with known communities and without features."""
    from hoscpool.datasets import load, planted_communities
    from hoscpool.graph import as_graph

    if name == "planted":
        return planted_communities(5_000, 50_000, 50)
    try:
        graph = as_graph(load(name)).undirected()
    except FileNotFoundError as error:
        raise DatasetNotFoundError(str(error)) from None
    return Graph(graph.indptr, graph.indices, labels=graph.labels)


# ---- our side


def our_orbits(graph: Graph, threads: int) -> Any:
    """The table of `graphlet_degrees`."""
    from hoscpool.science import graphlet_degrees

    return graphlet_degrees(Graph(graph.indptr, graph.indices), n_threads=threads).to_numpy()


def our_backend(graph: Any, function: str) -> Any:
    """A function of the backend on a graph that is converted if it is not yet, and that remembers no counts."""
    from hoscpool.science import networkx_backend

    vars(graph).pop("_engine", None)
    return getattr(networkx_backend, function)(networkx_backend.convert_from_nx(graph))


def converted(graph: Graph) -> Any:
    """The graph as NetworkX keeps it for the backend."""
    from hoscpool.science import networkx_backend

    return networkx_backend.convert_from_nx(peers.networkx_of(graph))


def our_count(graph: Graph, motif: Motif, threads: int) -> int:
    """Number of instances."""
    return motif_count(graph, motif, n_threads=threads)


def our_clustering(graph: Graph) -> float:
    """Higher-order clustering of order 3."""
    from hoscpool.metrics import higher_order_clustering

    return round(float(higher_order_clustering(graph, 3, n_threads=1)), 9)


def clustering_by_cliques(graph: Any) -> float:
    """The same from NetworkX's list of all cliques."""
    import networkx as nx

    triangles, cliques = dict.fromkeys(graph, 0), 0
    for clique in nx.enumerate_all_cliques(graph):
        if len(clique) == 3:
            for node in clique:
                triangles[node] += 1
        cliques += len(clique) == 4
        if len(clique) > 4:
            break
    wedges = sum((graph.degree[node] - 2) * count for node, count in triangles.items())
    return float(round(12 * cliques / wedges, 9))


def our_incidence(graph: Graph) -> Any:
    """The incidence matrix of the triangles."""
    from hoscpool.science import to_hypergraph

    return to_hypergraph(graph, "triangle").incidence


def their_incidence(graph: Any) -> Any:
    """The same from igraph's list of triangles."""
    import scipy.sparse as sp

    members = np.array(graph.list_triangles())
    edge = np.repeat(np.arange(len(members)), 3)
    return sp.csr_array((np.ones(members.size, np.int8), (members.ravel(), edge)), shape=(graph.vcount(), len(members)))


def at_every_node(_: Graph, incidence: Any) -> Any:
    """Triangles of every node, whatever the order of the columns."""
    return np.diff(incidence.tocsr().indptr)


def our_profile(graph: Graph, threads: int) -> int:
    """A profile of all directed motifs of three nodes."""
    from hoscpool.science import motif_profile

    return len(motif_profile(graph, samples=SAMPLES, random_state=0, n_jobs=threads))


def seeds_of(graph: Graph) -> list[int]:
    """Random nodes with more than two neighbours."""
    rng = np.random.default_rng(0)
    return [int(seed) for seed in rng.choice(np.flatnonzero(graph.degree > 2), SEEDS, replace=False)]


def local_clusters(graph: Graph, method: str) -> list[float]:
    """The F1 of the clusters around all seeds. ``method`` is a motif, or ``"PageRank"``."""
    import warnings

    from hoscpool.science import local_cluster
    from hoscpool.support.errors import GraphWarning

    assert graph.labels is not None
    scores = []
    for seed in seeds_of(graph):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)  # a seed in no triangle
            if method == "PageRank":
                members = peers.plain_page_rank(graph, seed)
            else:
                members = local_cluster(graph, seed, method).nodes
        true = graph.labels == graph.labels[seed]
        scores.append(2 * int(true[members].sum()) / (len(members) + int(true.sum())))
    return [float(np.mean(scores))]


def local_in_large(graph: Graph) -> int:
    """The cluster around one node of a large graph."""
    from hoscpool.science import local_cluster

    return len(local_cluster(graph, graph.num_nodes // 2).members)


# ---- the tasks


def orbit_cases(quick: bool, threads: int) -> Iterator[Case]:
    """Node orbits against ORCA."""
    for name in ("powerlaw-2k",) if quick else ("cs", "photo", "powerlaw-20k", "amazon"):
        mine = replace(OURS, run=partial(our_orbits, threads=threads), answer=orca.node_answer, threads=threads)
        theirs = Contender(
            "ORCA", partial(orca.run, of="node"), orca.prepare, orca.node_answer, "orbit_count", "orbit-count"
        )
        yield Case("node orbits", GRAPHS[name].title, partial(load_graph, name), (mine, theirs), describe)


def networkx_cases(quick: bool, threads: int) -> Iterator[Case]:  # noqa: ARG001
    """The functions of the backend against NetworkX. Square clustering takes NetworkX minutes on large graphs."""
    large = "powerlaw-2k" if quick else "cs"
    for function in ("triangles", "average_clustering", "transitivity", "generalized_degree", "square_clustering"):
        name = "powerlaw-2k" if function == "square_clustering" else large
        mine = replace(OURS, run=partial(our_backend, function=function), prepare=converted, answer=peers.values_of)
        fresh = replace(mine, name="HoscPool, with conversion", prepare=peers.networkx_of)
        theirs = replace(NETWORKX, run=partial(peers.call_networkx, function=function))
        yield Case(function, GRAPHS[name].title, partial(load_graph, name), (mine, fresh, theirs), describe)
    yield _census(1_000 if quick else 20_000)


def _census(size: int) -> Case:
    mine = replace(OURS, run=partial(our_backend, function="triadic_census"), prepare=converted, answer=peers.values_of)
    theirs = replace(NETWORKX, run=partial(peers.call_networkx, function="triadic_census"))
    load = partial(made_graph, size, directed=True)
    return Case("triadic_census", f"power-law cluster {size:,}, directed", load, (mine, theirs), describe)


def own_cases(quick: bool, threads: int) -> Iterator[Case]:
    """Motifs of one's own, cliques and hypergraphs."""
    small = GRAPHS["powerlaw-2k"].title
    for motif in (BOWTIE, HOUSE):
        mine = replace(OURS, run=partial(our_count, motif=motif, threads=1))
        lad = replace(IGRAPH, name="igraph, LAD", run=partial(peers.count_in_igraph, motif=motif))
        yield Case(
            motif.name, "power-law cluster 300", partial(powerlaw_cluster, 300, 5), (mine, lad), describe, instances
        )
    cliques = replace(OURS, run=our_clustering)
    by_list = replace(NETWORKX, run=clustering_by_cliques, answer=result_itself)
    load = partial(load_graph, "powerlaw-2k")
    yield Case("clustering of order 3", small, load, (cliques, by_list), describe)
    columns = replace(OURS, run=our_incidence, answer=at_every_node)
    listed = replace(IGRAPH, run=their_incidence, answer=at_every_node)
    yield Case("hypergraph of triangles", small, load, (columns, listed), describe)
    if not quick:
        for motif in (LOOP4, BOWTIE, HOUSE, PATH5):
            limit = Target(seconds=60)
            mine = replace(OURS, run=partial(our_count, motif=motif, threads=threads), threads=threads, target=limit)
            title = "power-law cluster, 10⁵ edges" + (", directed" if motif.is_directed else "")
            load = partial(made_graph, 20_000, directed=motif.is_directed)
            yield replace(Case(motif.name, title, load, (mine,), describe, instances), budget=120.0)


def instances(count: Any) -> dict[str, Any]:
    """The number of instances, for the table."""
    return {"instances": int(count)}


def profile_cases(quick: bool, threads: int) -> Iterator[Case]:
    """A profile of a directed graph, against igraph with a tenth of the samples."""
    size = 1_000 if quick else 20_000
    limit = Target() if quick else Target(seconds=60)
    mine = replace(OURS, run=partial(our_profile, threads=threads), threads=threads, target=limit)
    tenth = replace(
        IGRAPH, name="igraph, a tenth of the samples", run=partial(peers.profile_in_igraph, samples=SAMPLES // 10),
        compared=False,
    )  # fmt: skip
    load = partial(made_graph, size, directed=True)
    yield replace(
        Case("profile, 100 samples", f"power-law cluster {size:,}, directed", load, (mine, tenth), describe),
        budget=120.0,
    )


def local_cases(quick: bool, threads: int) -> Iterator[Case]:  # noqa: ARG001
    """Quality and time of 100 local clusters by three methods."""
    titles = {"planted": "50 planted communities", "email-eu": "email-Eu", "photo": "Photo"}
    for name in ("planted",) if quick else tuple(titles):
        for method in ("triangle", "edge", "PageRank"):
            mine = replace(OURS, run=partial(local_clusters, method=method))
            load = partial(labelled_graph, name)
            yield Case(f"100 local clusters by {method}", titles[name], load, (mine,), describe, mean_f1)


def mean_f1(scores: Any) -> dict[str, Any]:
    """The mean F1, for the table."""
    return {"mean F1": round(scores[0], 3)}


def large_case() -> Case:
    """One node of a graph of 62 million edges."""
    mine = replace(OURS, run=local_in_large, target=Target(seconds=1))
    return Case("local cluster", GRAPHS["planted"].title, partial(load_graph, "planted"), (mine,), describe)


TASKS: dict[str, Callable[[bool, int], Iterator[Case]]] = {
    "orbits": orbit_cases,
    "networkx": networkx_cases,
    "own": own_cases,
    "profile": profile_cases,
    "local": local_cases,
}
"""By name: the cases, given whether to be quick and the largest number of threads."""
