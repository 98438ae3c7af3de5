"""The cluster around given nodes: personalised PageRank on the motif graph, and a sweep cut (MAPPR)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph, as_graph
from hoscpool.motifs import Engine, Motif, get_motif
from hoscpool.support.errors import GraphWarning, nearest

WHOLE_GRAPH = 1_000_000
"""Up to so many edges the motif adjacency of the whole graph is computed at once."""

Array = npt.NDArray[np.float64]
Nodes = npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class LocalCluster:
    """The cluster around some nodes.

    Attributes:
        members: The names of its nodes, the highest score first.
        scores: PageRank of every member, divided by its motif degree.
        conductance: Motif conductance of the cluster, 0 to 1: its share of cut motif pairs.
        sweep: Conductance of every beginning of the order by score; ``members`` is the best one.
        nodes: Row numbers of the members, in the same order.
        motif: The name of the motif.
        edges_read: Number of entries of the adjacency that were read around the seeds.
    """

    members: list[Any]
    scores: Array
    conductance: float
    sweep: Array
    nodes: Nodes
    motif: str
    edges_read: int

    def labels(self, num_nodes: int) -> Nodes:
        """1 for members and 0 for all other nodes, as a clustering of the whole graph."""
        found = np.zeros(num_nodes, np.int64)
        found[self.nodes] = 1
        return found

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.members[:5])) + (", …" if len(self.members) > 5 else "")
        return f"LocalCluster({len(self.members):,} nodes: {shown}; conductance {self.conductance:.3f})"


@dataclass
class _Part:
    """Rows of the motif adjacency around the seeds.

    Attributes:
        nodes: The nodes of the graph that the rows stand for, ascending.
        matrix: The motif adjacency among them.
        is_known: Which rows are complete.
    """

    nodes: Nodes
    matrix: sp.csr_array
    is_known: npt.NDArray[np.bool_]


def local_cluster(
    graph: Any,
    seeds: Any,
    motif: str | Motif = "triangle",
    *,
    restart: float = 0.02,
    epsilon: float = 1e-2,
    max_size: int | None = None,
    induced: bool = False,
    n_threads: int | None = None,
) -> LocalCluster:
    """The cluster around given nodes, by motif-based approximate personalised PageRank (Yin et al. 2017).

    A walk on the motif adjacency returns to the seeds with a small probability in every step. Nodes are sorted by
    PageRank divided by motif degree. The cluster is the beginning of this order with the smallest motif conductance.
    The work depends on the size of the answer: in a graph with more than 1,000,000 edges motifs are counted only around
    the seeds.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Undirected motifs ignore directions.
        seeds: A node name, or several. Without node names: row numbers.
        motif: A name of `list_motifs`, or a `Motif`. ``"edge"`` is the usual method on edges, with their weights.
        restart: Probability of a return to the seeds in every step. Smaller values look further.
        epsilon: Precision: a node stops when it holds less mass than ``epsilon`` times its motif degree, in units of
            the mean motif degree of the seeds and their neighbours. Smaller values look further and take longer.
        max_size: Largest number of members. Default: half of the nodes.
        induced: As in `motif_adjacency`.
        n_threads: Number of threads. Default: one per core.

    Raises:
        ValueError: A seed is not in the graph, or an argument is out of range.

    Examples:
        >>> import networkx as nx
        >>> sorted(local_cluster(nx.barbell_graph(5, 0), 0).members)
        [0, 1, 2, 3, 4]
    """
    graph, motif = as_graph(graph), get_motif(motif)
    chosen = _read_seeds(graph, seeds)
    for name, value in (("restart", restart), ("epsilon", epsilon)):
        if not 0 < value < 1:
            raise ValueError(f"{name}: expected a number between 0 and 1, got {value!r}")
    if max_size is not None and max_size < 1:
        raise ValueError(f"max_size: expected at least 1, got {max_size}")
    if not motif.is_directed:
        graph = graph.undirected()
    rank, part, read = _page_rank(graph, chosen, motif, (restart, epsilon), induced, n_threads)
    degree = np.asarray(part.matrix.sum(axis=1), dtype=np.float64)
    reached = np.flatnonzero(rank)
    if not len(reached):
        message = f"the seeds are in no {motif.name}, so the cluster holds only them; use another motif"
        warnings.warn(message, GraphWarning, stacklevel=2)
        names = [graph.names[i] for i in chosen.tolist()]
        return LocalCluster(names, np.zeros(len(names)), 1.0, np.ones(0), chosen, motif.name, read)
    score = rank[reached] / degree[reached]
    best_first = np.lexsort((reached, -score))
    order, score = reached[best_first], score[best_first]
    total = float(degree.sum()) if part.is_known.all() and len(part.nodes) == graph.num_nodes else None
    limit = max_size or max(1, graph.num_nodes // 2)
    phi = _sweep(part.matrix, degree, order[:limit], total)
    size = int(phi.argmin()) + 1
    nodes = part.nodes[order[:size]]
    names = [graph.names[i] for i in nodes.tolist()]
    return LocalCluster(names, score[:size], float(phi[size - 1]), phi, nodes, motif.name, read)


def _read_seeds(graph: Graph, seeds: Any) -> Nodes:
    """The row numbers of the seeds."""
    single = (
        isinstance(seeds, str) or not isinstance(seeds, Iterable) or (graph.node_names and seeds in graph.node_names)
    )
    given: Sequence[Any] = [seeds] if single else list(seeds)
    if not given:
        raise ValueError("seeds: expected at least one node, got none")
    names = graph.names
    place = {} if graph.node_names is None else {name: row for row, name in enumerate(names)}
    found = []
    for seed in given:
        row = place.get(seed, place.get(str(seed))) if place else seed
        if row is None or (not place and not _is_row(seed, graph.num_nodes)):
            close = nearest(seed, map(str, names)) if isinstance(seed, str) and graph.num_nodes <= 100_000 else None
            hint = f"; did you mean {close!r}?" if close else ""
            expected = "a node name" if place else f"a number from 0 to {graph.num_nodes - 1}"
            raise ValueError(f"seeds: {seed!r} is not in the graph, expected {expected}{hint}")
        found.append(int(row))
    return np.unique(np.array(found, dtype=np.int64))


def _is_row(seed: Any, num_nodes: int) -> bool:
    whole = isinstance(seed, int | np.integer) or (isinstance(seed, str) and seed.isdigit())
    return whole and not isinstance(seed, bool) and 0 <= int(seed) < num_nodes


def _page_rank(
    graph: Graph, seeds: Nodes, motif: Motif, precision: tuple[float, float], induced: bool, n_threads: int | None
) -> tuple[Array, _Part, int]:
    """Approximate PageRank, the part of the motif adjacency that it needed, and the number of entries read.

    It begins with the rows around the seeds. Where a node without a complete row would push, its row is counted, too,
    and the pushes are done again. So the result is that of the whole matrix.
    """
    from hoscpool.science.kernels.push import push

    everything, near, read = np.arange(graph.num_nodes), ball(graph, seeds, 1), 0
    region, (restart, epsilon) = everything if graph.num_edges <= WHOLE_GRAPH else near, precision
    while True:
        part, size = _around(graph, region, motif, induced, n_threads)
        read += size
        rank, rest, wanted = np.zeros(len(part.nodes)), np.zeros(len(part.nodes)), np.zeros(len(part.nodes), np.bool_)
        rest[np.searchsorted(part.nodes, seeds)] = 1 / len(seeds)
        matrix, degree = part.matrix, np.asarray(part.matrix.sum(axis=1), dtype=np.float64)
        structure = (matrix.indptr, matrix.indices, matrix.data.astype(np.float64))
        unit = max(float(degree[np.searchsorted(part.nodes, near)].mean()), 1e-300)
        push(*structure, degree, part.is_known, restart, epsilon / unit, rank, rest, wanted)
        if not wanted.any():
            return rank, part, read
        region = np.union1d(region, part.nodes[wanted])
        if 2 * len(part.nodes) > graph.num_nodes:
            region = everything


def _around(graph: Graph, region: Nodes, motif: Motif, is_induced: bool, n_threads: int | None) -> tuple[_Part, int]:
    """The motif adjacency in which the rows of the region are complete."""
    nodes = ball(graph, region, diameter(motif))
    if motif.name == "edge":
        matrix, read = edges_at(graph, region, nodes)
    else:
        part, read = induced(graph, nodes)
        matrix = Engine(part, n_threads).matrix(motif, is_induced)
    return _Part(nodes, sp.csr_array(matrix), np.isin(nodes, region, assume_unique=True)), read


def _sweep(matrix: sp.csr_array, degree: Array, order: Nodes, total: float | None) -> Array:
    """Conductance of every beginning of the order. Without the total volume, a cluster counts as the smaller side."""
    from hoscpool.science.kernels.push import sweep

    cut, volume = np.zeros(len(order)), np.zeros(len(order))
    sweep(matrix.indptr, matrix.indices, matrix.data.astype(np.float64), degree, order, cut, volume)
    smaller = volume if total is None else np.minimum(volume, total - volume)
    safe = smaller > 1e-9 * volume
    return np.divide(np.maximum(cut, 0), smaller, out=np.ones(len(order)), where=safe)


def rows_of(graph: Graph, nodes: Nodes) -> tuple[Nodes, Nodes]:
    """The sizes of the rows of these nodes, and all their entries one after the other, as places in ``indices``."""
    first, size = graph.indptr[nodes], graph.indptr[nodes + 1] - graph.indptr[nodes]
    return size, np.repeat(first - np.cumsum(size) + size, size) + np.arange(int(size.sum()))


def ball(graph: Graph, nodes: Nodes, radius: int) -> Nodes:
    """All nodes at most so many steps away, ascending."""
    found = front = np.unique(nodes)
    for _ in range(radius):
        near = np.unique(graph.indices[rows_of(graph, front)[1]]).astype(np.int64)
        front = np.setdiff1d(near, found, assume_unique=True)
        found = np.union1d(found, front)
    return found


def induced(graph: Graph, nodes: Nodes) -> tuple[Graph, int]:
    """The bare induced subgraph on these ascending nodes, and the number of entries that were read."""
    size, places = rows_of(graph, nodes)
    target = np.searchsorted(nodes, graph.indices[places])
    keep = nodes[np.minimum(target, len(nodes) - 1)] == graph.indices[places]
    source = np.repeat(np.arange(len(nodes)), size)[keep]
    indptr = np.concatenate(([0], np.cumsum(np.bincount(source, minlength=len(nodes)))))
    weights = None if graph.weights is None else graph.weights[places][keep]
    part = Graph(indptr.astype(np.int64), target[keep].astype(np.int32), weights, is_directed=graph.is_directed)
    return part, len(places)


def edges_at(graph: Graph, region: Nodes, nodes: Nodes) -> tuple[sp.csr_array, int]:
    """The symmetric weights of all edges at a region, among these ascending nodes, and the number of entries read."""
    size, places = rows_of(graph, region)
    ends = np.searchsorted(nodes, np.repeat(region, size)), np.searchsorted(nodes, graph.indices[places])
    weights = np.ones(len(places)) if graph.weights is None else graph.weights[places]
    half = sp.csr_array((weights, ends), shape=(len(nodes), len(nodes)))
    return sp.csr_array(half.maximum(half.T)), len(places)


def diameter(motif: Motif) -> int:
    """The largest number of steps between two roles of a motif. An instance at a node lies so near to it."""
    steps = np.full((motif.num_nodes,) * 2, motif.num_nodes)
    for a in range(motif.num_nodes):
        for b in range(motif.num_nodes):
            steps[a, b] = 0 if a == b else 1 if motif.is_joined(a, b) else motif.num_nodes
    for middle in range(motif.num_nodes):
        steps = np.minimum(steps, steps[:, [middle]] + steps[[middle]])
    return int(steps.max())
