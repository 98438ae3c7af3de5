"""HoscPool as a backend of NetworkX: ``nx.triangles(G, backend="hoscpool")``.

NetworkX finds this module by the entry points ``networkx.backends`` and ``networkx.backend_info``. It converts a graph
once, keeps the result as long as the graph does not change, and calls the function of the same name here. A graph or an
argument that a function does not cover is left to NetworkX: multigraphs, self-loops and weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs import Engine, get_motif

WORTH_CONVERTING = 1000
"""NetworkX chooses this backend by itself only from so many edges on."""
TRIADS = {
    "030C": "M1", "120C": "M2", "210": "M3", "300": "M4", "030T": "M5", "120D": "M6", "120U": "M7", "021D": "M8",
    "021C": "M9", "021U": "M10", "111U": "M11", "111D": "M12", "201": "M13",
}  # fmt: skip
"""The connected triads of NetworkX and the names of these motifs."""
_TRIAD_ORDER = (
    "003", "012", "102", "021D", "021U", "021C", "111D", "111U", "030T", "030C", "201", "120D", "120U", "120C", "210",
    "300",
)  # fmt: skip


class BackendGraph:
    """A converted graph.

    Args:
        graph: A NetworkX graph without parallel edges.
    """

    __networkx_backend__ = "hoscpool"

    def __init__(self, graph: Any) -> None:
        self.nodes = list(graph)
        self.row = {node: row for row, node in enumerate(self.nodes)}
        self.graph = graph.graph
        self._is_directed = graph.is_directed()
        sizes = np.fromiter((len(near) for near in graph._adj.values()), np.int64, len(self.nodes))
        heads = map(self.row.__getitem__, chain.from_iterable(graph._adj.values()))
        indices, indptr = np.fromiter(heads, np.int32, int(sizes.sum())), np.concatenate(([0], np.cumsum(sizes)))
        matrix = sp.csr_array((np.ones(len(indices), np.int8), indices, indptr), shape=(len(self.nodes),) * 2)
        matrix.sort_indices()
        self.structure = Graph(matrix.indptr.astype(np.int64), matrix.indices, is_directed=self._is_directed)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.row
        except TypeError:
            return False

    def is_directed(self) -> bool:
        """Whether edges have directions."""
        return bool(self._is_directed)

    def is_multigraph(self) -> bool:
        """Never."""
        return False

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self.structure)

    def counts(self, motif: str) -> npt.NDArray[np.int64]:
        """Instances of a motif at every node."""
        return self._engine.at_nodes(get_motif(motif))

    def total(self, motif: str) -> int:
        """Induced instances of a motif."""
        return self._engine.total(get_motif(motif), induced=True)

    def triangles_on_edges(self) -> sp.csr_array:
        """The triangle adjacency."""
        return self._engine.matrix(get_motif("triangle"), on_edges=True)

    def chosen(self, nodes: Any) -> list[tuple[Any, int]]:
        """The wanted nodes that are in the graph, each once, with their rows."""
        if nodes is None:
            return list(self.row.items())
        wanted: Iterable[Any] = [nodes] if nodes in self else nodes
        return [(node, self.row[node]) for node in dict.fromkeys(wanted) if node in self]


def convert_from_nx(graph: Any, **_: Any) -> BackendGraph:
    """A NetworkX graph as a graph of this backend. Attributes are left behind."""
    return graph if isinstance(graph, BackendGraph) else BackendGraph(graph)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """The structure as a NetworkX graph; any other result unchanged."""
    if not isinstance(result, BackendGraph):
        return result
    import networkx as nx

    graph = nx.DiGraph() if result.is_directed() else nx.Graph()
    graph.add_nodes_from(result.nodes)
    source = np.repeat(np.arange(len(result)), result.structure.degree).tolist()
    pairs = zip(source, result.structure.indices.tolist(), strict=True)
    graph.add_edges_from((result.nodes[a], result.nodes[b]) for a, b in pairs)
    graph.graph.update(result.graph)
    return graph


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Whether the function covers this call. A text says why not."""
    graph = args[0] if args else kwargs.get("G")
    if graph is None or graph.is_multigraph():
        return "multigraphs are not supported"
    if graph.is_directed() != (name == "triadic_census"):
        return "only undirected graphs are supported, and only directed ones by triadic_census"
    if kwargs.get("weight") is not None or (name in ("clustering", "average_clustering") and len(args) > 2):
        return "weights are not supported"
    if name == "triadic_census" and (kwargs.get("nodelist") is not None or len(args) > 1):
        return "nodelist is not supported"
    if not isinstance(graph, BackendGraph) and any(node in near for node, near in graph._adj.items()):
        return "self-loops are not supported"
    return True


def should_run(_name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Whether the call is large enough to gain time."""
    graph = args[0] if args else kwargs.get("G")
    if isinstance(graph, BackendGraph) or graph is None or graph.number_of_edges() >= WORTH_CONVERTING:
        return True
    return "the graph is too small to gain time"


def triangles(G: BackendGraph, nodes: Any = None) -> Any:
    """The number of triangles at nodes, as `networkx.triangles`."""
    found = G.counts("triangle").tolist()
    return found[G.row[nodes]] if nodes in G else {node: found[row] for node, row in G.chosen(nodes)}


def clustering(G: BackendGraph, nodes: Any = None, weight: Any = None) -> Any:  # noqa: ARG001
    """Clustering coefficients of nodes, as `networkx.clustering`."""
    twice, degree = (2 * G.counts("triangle")).tolist(), G.structure.degree.tolist()
    values = {n: twice[r] / (degree[r] * (degree[r] - 1)) if twice[r] else 0 for n, r in G.chosen(nodes)}
    return values[nodes] if nodes in G else values


def average_clustering(G: BackendGraph, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> float:  # noqa: ARG001
    """The mean clustering coefficient, as `networkx.average_clustering`."""
    found = clustering(G, nodes)
    values = [value for value in found.values() if count_zeros or value > 0]
    return float(sum(values) / len(values))


def transitivity(G: BackendGraph) -> float:
    """Three times the triangles per wedge, as `networkx.transitivity`."""
    degree = G.structure.degree
    wedges, closed = int((degree * (degree - 1)).sum()), 2 * int(G.counts("triangle").sum())
    return closed / wedges if closed else 0


def square_clustering(G: BackendGraph, nodes: Any = None) -> Any:
    """The share of possible squares that exist at nodes, as `networkx.square_clustering`.

    Its sum over pairs u, w of neighbours of d_u + d_w − 2·(squares + 1 + [u ~ w]) + squares has a closed form.
    """
    degree, squares = G.structure.degree, G.counts("cycle4")
    around = np.asarray(G.structure.adjacency @ degree).astype(np.int64)
    possible = ((degree - 1) * around - squares - degree * (degree - 1) - 2 * G.counts("triangle")).tolist()
    found = squares.tolist()
    values = {node: found[row] / possible[row] if possible[row] > 0 else 0 for node, row in G.chosen(nodes)}
    return values[nodes] if nodes in G else values


def generalized_degree(G: BackendGraph, nodes: Any = None) -> Any:
    """How many edges of nodes are in how many triangles, as `networkx.generalized_degree`."""
    on_edges, degree = G.triangles_on_edges(), G.structure.degree.tolist()
    values = {}
    for node, row in G.chosen(nodes):
        there = on_edges.data[on_edges.indptr[row] : on_edges.indptr[row + 1]].tolist()
        values[node] = Counter(there)
        if len(there) < degree[row]:
            values[node][0] = degree[row] - len(there)
    return values[nodes] if nodes in G else values


def triadic_census(G: BackendGraph, nodelist: Any = None) -> dict[str, int]:  # noqa: ARG001
    """The number of triads of every type, as `networkx.triadic_census`.

    A pair of joined nodes makes a triad with each of the other nodes. So the triads with one joined pair follow from
    the connected ones, and those without from all.
    """
    size = len(G)
    census = {triad: G.total(motif) for triad, motif in TRIADS.items()}
    mutual = G.total("mutual")
    pairs = {"102": mutual, "012": G.structure.num_edges - 2 * mutual}
    for place, (triad, count) in enumerate(
        pairs.items()
    ):  # the first digit counts mutual pairs, the second single arcs
        census[triad] = count * (size - 2) - sum(int(name[place]) * census[name] for name in TRIADS)
    census["003"] = comb(size, 3) - sum(census.values())
    return {triad: census[triad] for triad in _TRIAD_ORDER}


FUNCTIONS = (
    "triangles", "clustering", "average_clustering", "transitivity", "square_clustering", "generalized_degree",
    "triadic_census",
)  # fmt: skip
"""The functions that the backend has."""


def get_info() -> dict[str, Any]:
    """What NetworkX shows about this backend."""
    return {
        "backend_name": "hoscpool",
        "project": "hoscpool",
        "package": "hoscpool",
        "short_summary": "Exact motif counts by compiled kernels.",
        "functions": {name: {} for name in FUNCTIONS},
    }
