"""Who takes part in which motif: counts at every node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph, as_graph, name_column
from hoscpool.motifs import MAX_SECONDS, ORBITS, Engine, Motif, orbit_counts
from hoscpool.science.profile import read_motifs

if TYPE_CHECKING:
    import pandas as pd


def node_motif_counts(
    graph: Any,
    motifs: Iterable[str | Motif] | None = None,
    *,
    induced: bool = False,
    n_threads: int | None = None,
    max_seconds: float | None = MAX_SECONDS,
) -> pd.DataFrame:
    """The number of instances of every motif that contain each node.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Weights are ignored.
        motifs: Names or motifs. Default: all of three nodes that fit the graph. With anchors a motif counts at its
            anchors only.
        induced: As in `motif_adjacency`.
        n_threads: Number of threads. Default: one per core.
        max_seconds: As in `motif_adjacency`.

    Returns:
        A table of int64 with one row per node, under the node names, and one column per motif.

    Raises:
        ValueError: A motif is unknown, or directed although the graph is not.
        TimeEstimateError: As in `motif_adjacency`.

    Examples:
        >>> import networkx as nx
        >>> node_motif_counts(nx.star_graph("abc"), ["edge", "wedge"])
              edge  wedge
        node
        a        2      1
        b        1      1
        c        1      1
    """
    graph = as_graph(graph)
    labels, chosen = read_motifs(motifs, graph)
    engine = Engine(graph, n_threads, max_seconds)
    engine.prepare(chosen, induced)
    return _table(graph, {label: engine.at_nodes(m, induced) for label, m in zip(labels, chosen, strict=True)})


def graphlet_degrees(graph: Any, *, n_threads: int | None = None) -> pd.DataFrame:
    """How often every node lies in each orbit of the induced subgraphs of two to four nodes, numbered as by ORCA.

    An orbit is a place in a subgraph that its symmetries do not tell apart (Przulj 2007): 0 is the end of an edge; 1
    and 2 are the end and the middle of a path of three; 3 is the triangle; 4 and 5 the end and the middle of a path of
    four; 6 and 7 leaf and centre of a star; 8 the cycle; 9, 10 and 11 the tail of a tailed triangle, its free corners,
    and its corner with the tail; 12 and 13 the tips and the hinge of a diamond; 14 the clique.

    Args:
        graph: A `Graph` or anything that `as_graph` takes. Directions and weights are ignored.
        n_threads: Number of threads. Default: one per core.

    Returns:
        A table of int64 with one row per node, under the node names, and the columns 0 … 14.

    Examples:
        >>> import networkx as nx
        >>> graphlet_degrees(nx.cycle_graph(4)).iloc[0].to_dict()[8]
        1
        >>> int(graphlet_degrees(nx.karate_club_graph())[3].sum()) // 3  # triangles
        45
    """
    graph = as_graph(graph)
    counts = orbit_counts(graph.undirected(), n_threads)
    return _table(graph, dict(zip(range(len(ORBITS)), counts, strict=True)))


def _table(graph: Graph, columns: dict[Any, npt.NDArray[np.int64]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(columns, index=pd.Index(name_column(graph.names), name="node"), dtype=np.int64)
