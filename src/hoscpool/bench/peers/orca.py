"""ORCA, by the package ``orbit-count``: how often edges or nodes lie in the orbits of induced four-node subgraphs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hoscpool.bench.peers.common import Counts, edge_ends
from hoscpool.graph import Graph

CYCLE4, CLIQUE4 = 5, 11
"""The columns of its table that hold the edges of four-cycles and of four-cliques."""


class Input(NamedTuple):
    """The number of nodes, and the edges ``[E, 2]``."""

    num_nodes: int
    edges: npt.NDArray[np.int64]


def prepare(graph: Graph) -> Input:
    """The table of edges that the library's own wrapper makes of a NetworkX graph."""
    return Input(graph.num_nodes, np.stack(edge_ends(graph), axis=1).astype(np.int64))


def run(given: Input, of: str = "edge") -> Any:
    """All orbits of edges, or of nodes (``of="node"``).

    We call the compiled function directly, because the wrapper's conversion is slow.
    """
    from orbit_count._orca import motif_counts

    return motif_counts(of, 4, given.num_nodes, given.edges)


def answer(_graph: Graph, orbits: Any) -> Counts:
    """The count of every edge in cliques and in induced cycles, ``[2, E]``."""
    return np.asarray(orbits[:, [CLIQUE4, CYCLE4]].T, np.int64)


def node_answer(_: Graph, orbits: Any) -> Counts:
    """The orbits of the nodes, ``[N, 15]``."""
    return np.asarray(orbits, np.int64)
