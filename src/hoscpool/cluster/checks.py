"""What makes a fit impossible, and what is worth a warning before or after it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from hoscpool.graph import Graph
from hoscpool.support.errors import GraphWarning

FEW = 0.1
"""Share of nodes in a motif below which its cut says little."""


def check_clusters(n_clusters: Any, graph: Graph) -> int:
    """The number of clusters.

    Raises:
        ValueError: It is not a whole number from 1 to the number of nodes.
    """
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, int | np.integer) or n_clusters < 1:
        raise ValueError(f"n_clusters: expected a whole number ≥ 1 or 'auto', got {n_clusters!r}")
    if n_clusters > graph.num_nodes:
        raise ValueError(
            f"n_clusters: expected at most {graph.num_nodes:,}, the number of nodes (n_samples={graph.num_nodes}), "
            f"got {n_clusters:,}; ask for fewer clusters"
        )
    return int(n_clusters)


def check_levels(levels: Any, n_clusters: int, graph: Graph) -> tuple[int, ...]:
    """The numbers of clusters of all pools, the last of them ``n_clusters``.

    Raises:
        ValueError: They do not fall, or the first exceeds the number of nodes.
    """
    sizes = (*(check_clusters(k, graph) for k in levels or ()), n_clusters)
    if any(a <= b for a, b in pairwise(sizes)):
        raise ValueError(f"levels: expected falling numbers of clusters above n_clusters={n_clusters}, got {levels}")
    return sizes


def check_graph(graph: Graph) -> None:
    """Refuse a graph without anything to go by, and warn about one in pieces.

    Raises:
        ValueError: There are no nodes, or neither edges nor features.
    """
    if graph.num_nodes == 0:
        raise ValueError("graph: expected at least one node, got an empty graph")
    if graph.num_nodes > 1 and not graph.num_edges and graph.features is None:
        raise ValueError("graph: expected edges or features, got neither: nothing tells the nodes apart; pass x")
    if graph.num_nodes == 1:
        return
    if not graph.num_edges:
        _warn("the graph has no edges: nodes are clustered by their features alone")
        return
    count = sp.csgraph.connected_components(graph.adjacency, directed=False, return_labels=False)
    if count > 1:
        _warn(f"the graph has {count:,} connected components: no edge says which of them belong together")


def check_motifs(matrices: Mapping[str, sp.csr_array]) -> None:
    """Warn about a motif that the graph has not, or that few nodes are in."""
    for name, matrix in matrices.items():
        share = np.count_nonzero(np.diff(matrix.indptr)) / max(matrix.shape[0], 1)
        if name != "edge" and not matrix.nnz:
            _warn(f"motifs: the graph has no {name}, so its cut is 0")
        elif name != "edge" and share < FEW:
            _warn(f"motifs: only {share:.1%} of the nodes are in a {name}; its cut says nothing about the others")


def warn_collapse(labels: npt.NDArray[Any], n_clusters: int) -> None:
    """Warn when clusters stayed empty."""
    live = len(np.unique(labels))
    if live < n_clusters:
        message = f"{n_clusters - live} of {n_clusters} clusters are empty: raise mu or n_init, or lower n_clusters"
        warnings.warn(message, ConvergenceWarning, stacklevel=3)


def _warn(message: str) -> None:
    warnings.warn(message, GraphWarning, stacklevel=4)
