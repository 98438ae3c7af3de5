"""Cut and uncut motif instances of every cluster, counted exactly without listing them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph
from hoscpool.metrics.labels import read_undirected
from hoscpool.metrics.node_counts import node_counts
from hoscpool.metrics.volumes import association, volume
from hoscpool.motifs import Motif, motif_adjacency, motif_count

Array = npt.NDArray[np.float64]
Clusters = npt.NDArray[np.int32]


def motif_cut_and_volume(
    graph: Graph, cluster: Clusters, count: int, motif: Motif, induced: bool
) -> tuple[Array, Array]:
    """cut_M and vol_M of every cluster, Eq. (2), each ``[K]``.

    Up to three nodes both follow from the motif adjacency; it is used where it has no pairs off the edges, and for
    directed motifs. Otherwise instances are counted with and without the edges at a cluster's border.
    """
    if motif.is_directed or motif.name in ("edge", "triangle"):
        return _from_matrix(graph, cluster, count, motif, induced)
    return _from_counts(read_undirected(graph, motif.name), cluster, count, motif, induced)


def _from_matrix(graph: Graph, cluster: Clusters, count: int, motif: Motif, induced: bool) -> tuple[Array, Array]:
    r"""For |M| = 2 or 3, with cut and vol in the graph of the motif adjacency on the right.

    .. math::
        \mathrm{cut}_M = \tfrac{1}{|M| - 1} \mathrm{cut}, \quad \mathrm{vol}_M = \tfrac{1}{|M| - 1} \mathrm{vol}
    """
    matrix = motif_adjacency(graph, motif, induced=induced)
    vol = volume(matrix, cluster, count)
    cut = vol - association(matrix, cluster, count)
    return cut / (motif.num_nodes - 1), vol / (motif.num_nodes - 1)


def _from_counts(graph: Graph, cluster: Clusters, count: int, motif: Motif, induced: bool) -> tuple[Array, Array]:
    """cut_M(S) is what is lost when the edges between S and the rest go, because every motif is connected."""
    total = motif_count(graph, motif, induced=induced)
    source = np.repeat(cluster, graph.degree)
    target = cluster[graph.indices]
    kept = [motif_count(_keep(graph, (source == k) == (target == k)), motif, induced=induced) for k in range(count)]
    vol = np.bincount(cluster, node_counts(graph, motif, induced), count)
    return np.array([total - uncut for uncut in kept], dtype=np.float64), np.asarray(vol, dtype=np.float64)


def _keep(graph: Graph, edges: npt.NDArray[np.bool_]) -> Graph:
    """The graph with some of its edges, without anything else."""
    before = np.concatenate([[0], np.cumsum(edges, dtype=np.int64)])
    return Graph(before[graph.indptr], graph.indices[edges])
