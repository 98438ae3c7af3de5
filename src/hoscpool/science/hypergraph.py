"""The hypergraph whose edges are the instances of a motif."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph import as_graph
from hoscpool.motifs import Motif, get_motif, motif_instances


@dataclass(frozen=True)
class MotifHypergraph:
    """A hypergraph with one hyperedge per instance of a motif.

    Attributes:
        incidence: 1 where a node (row) is a member of an instance (column), int8 ``csr_array [N, instances]``.
        node_names: The names of the nodes, in the order of the rows.
        motif: The name of the motif.
    """

    incidence: sp.csr_array
    node_names: Sequence[Any]
    motif: str

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return int(self.incidence.shape[0])

    @property
    def num_edges(self) -> int:
        """Number of hyperedges."""
        return int(self.incidence.shape[1])

    def to_hif(self) -> dict[str, Any]:
        """The hypergraph in the Hypergraph Interchange Format, ready for ``json.dump``.

        XGI, HyperNetX, Hypergraphx and other libraries read it. Names that are neither numbers nor text become text.

        Examples:
            >>> import networkx as nx
            >>> hif = to_hypergraph(nx.complete_graph("abc"), "triangle").to_hif()
            >>> hif["incidences"]
            [{'edge': 0, 'node': 'a'}, {'edge': 0, 'node': 'b'}, {'edge': 0, 'node': 'c'}]
        """
        names = [_plain(name) for name in self.node_names]
        by_edge = sp.csc_array(self.incidence)
        edge = np.repeat(np.arange(self.num_edges), np.diff(by_edge.indptr)).tolist()
        pairs = zip(edge, by_edge.indices.tolist(), strict=True)
        return {
            "network-type": "undirected",
            "metadata": {"motif": self.motif, "made-by": "hoscpool"},
            "nodes": [{"node": name} for name in names],
            "edges": [{"edge": number} for number in range(self.num_edges)],
            "incidences": [{"edge": number, "node": names[node]} for number, node in pairs],
        }

    def __repr__(self) -> str:
        return f"MotifHypergraph({self.num_nodes:,} nodes, {self.num_edges:,} hyperedges, motif {self.motif!r})"


def to_hypergraph(graph: Any, motif: str | Motif = "triangle", *, induced: bool = False) -> MotifHypergraph:
    """The hypergraph of a motif: its instances become hyperedges.

    A motif with anchors joins its anchors only. Two instances on the same nodes are two hyperedges.

    Args:
        graph: A `Graph` or anything that `as_graph` takes.
        motif: A name of `list_motifs`, or a `Motif`.
        induced: As in `motif_instances`.

    Raises:
        ValueError: The motif is unknown.
        MemoryEstimateError: The list of instances would not fit in memory.

    Examples:
        >>> import networkx as nx
        >>> to_hypergraph(nx.karate_club_graph(), "triangle")
        MotifHypergraph(34 nodes, 45 hyperedges, motif 'triangle')
    """
    graph, motif = as_graph(graph), get_motif(motif)
    members = motif_instances(graph, motif, induced=induced)[:, motif.members]
    edge = np.repeat(np.arange(len(members)), members.shape[1])
    ones = np.ones(members.size, np.int8)
    incidence = sp.csr_array((ones, (members.ravel(), edge)), shape=(graph.num_nodes, len(members)))
    return MotifHypergraph(incidence, graph.names, motif.name)


def _plain(name: Any) -> int | float | str:
    if isinstance(name, np.generic):
        name = name.item()
    return name if isinstance(name, int | float | str) and not isinstance(name, bool) else str(name)
