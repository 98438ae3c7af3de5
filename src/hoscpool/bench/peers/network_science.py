"""Other libraries for the questions of network science: NetworkX, igraph, and PageRank by iteration."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.bench.peers.common import edge_ends
from hoscpool.graph import Graph
from hoscpool.motifs import Motif, automorphisms

Array = npt.NDArray[np.float64]


def networkx_of(graph: Graph) -> Any:
    """The graph in NetworkX."""
    import networkx as nx

    result = nx.DiGraph() if graph.is_directed else nx.Graph()
    result.add_nodes_from(range(graph.num_nodes))
    source = np.repeat(np.arange(graph.num_nodes), graph.degree)
    result.add_edges_from(zip(source.tolist(), graph.indices.tolist(), strict=True))
    return result


def call_networkx(graph: Any, function: str) -> Any:
    """A function of NetworkX by itself."""
    import networkx as nx

    return getattr(nx, function)(graph)


def values_of(_: Graph, result: Any) -> list[str]:
    """Values of a result in the order of the nodes, rounded, as text."""
    found = result.values() if isinstance(result, dict) else [result]
    return [str(sorted(value.items())) if isinstance(value, dict) else f"{value:.9g}" for value in found]


def igraph_of(graph: Graph) -> Any:
    """The graph in igraph."""
    import igraph

    if graph.is_directed:
        source = np.repeat(np.arange(graph.num_nodes), graph.degree)
        pairs = np.stack([source, graph.indices], axis=1)
    else:
        pairs = np.stack(edge_ends(graph), axis=1)
    return igraph.Graph(graph.num_nodes, pairs.tolist(), directed=graph.is_directed)


def count_in_igraph(graph: Any, motif: Motif) -> int:
    """Subgraphs that equal a motif, by LAD: all maps of its nodes, divided by its symmetries."""
    import igraph

    pattern = igraph.Graph(motif.num_nodes, list(motif.edges), directed=motif.is_directed)
    return len(graph.get_subisomorphisms_lad(pattern, induced=False)) // len(automorphisms(motif))


def profile_in_igraph(graph: Any, samples: int) -> Any:
    """A triad census of so many random graphs of the same degrees."""
    import random

    random.seed(0)
    found = []
    for _ in range(samples):
        drawn = graph.copy()
        drawn.rewire(10 * graph.ecount())
        found.append(list(drawn.triad_census()))
    return found


def plain_page_rank(graph: Graph, seed: int, restart: float = 0.02) -> npt.NDArray[np.int64]:
    """The cluster of exact personalised PageRank on edges, by iteration over the whole graph, and its best cut."""
    A, degree = graph.adjacency, graph.degree.astype(np.float64)
    share, rank = 1 / np.maximum(degree, 1), np.zeros(graph.num_nodes)
    rank[seed] = 1
    for _ in range(int(np.ceil(np.log(1e-8) / np.log(1 - restart)))):
        rank = (1 - restart) * (A @ (rank * share))
        rank[seed] += 1 - rank.sum()
    order = np.argsort(-rank * share, kind="stable")
    order = order[degree[order] > 0][: graph.num_nodes // 2]
    place = np.full(graph.num_nodes, len(order))
    place[order] = np.arange(len(order))
    source = np.repeat(place, graph.degree)
    later = np.maximum(source, place[graph.indices])
    inside = np.cumsum(np.bincount(later, minlength=len(order) + 1)[: len(order)])  # both directions of inner edges
    volume = np.cumsum(degree[order])
    conductance = (volume - inside) / np.maximum(np.minimum(volume, degree.sum() - volume), 1)
    return np.asarray(order[: int(conductance.argmin()) + 1])
