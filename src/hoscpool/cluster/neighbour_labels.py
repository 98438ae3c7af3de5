"""Memberships of new nodes by their neighbours, where no features could tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph import Graph

Floats = npt.NDArray[np.float32]


def place_by_neighbours(graph: Graph, names: Sequence[Any] | None, memberships: Floats) -> Floats:
    """S of a graph that shares nodes with the graph of a fit, ``[N, K]``.

    Known nodes keep their memberships. A new node has the mean of those of its neighbours, weighted by the edges; nodes
    that are further away follow ring by ring. A node without a path to a known one has the mean of all known nodes.

    Args:
        graph: The graph, without directions.
        names: Names of the nodes of the fit, or ``None`` if they were numbered. Then the numbers are the names.
        memberships: S of the fit.

    Raises:
        ValueError: The graphs have no node in common.
    """
    found = _known(graph, names, len(memberships))
    if not (found >= 0).any():
        raise ValueError(
            "graph: expected nodes of the fit among its nodes, got none; without features, new nodes are placed by "
            "neighbours that are known. Fit with features, or fit this graph too"
        )
    s = np.zeros((graph.num_nodes, memberships.shape[1]), np.float32)
    placed = found >= 0
    s[placed] = memberships[found[placed]]
    rest, matrix, ring = s[placed].mean(axis=0), graph.adjacency, np.flatnonzero(placed)
    while ring.size:
        near = np.unique(matrix[ring].indices)
        ring = near[~placed[near]]
        sums = matrix[ring] @ s
        s[ring] = sums / sums.sum(axis=1, keepdims=True)
        placed[ring] = True
    s[~placed] = rest
    return s


def _known(graph: Graph, names: Sequence[Any] | None, count: int) -> npt.NDArray[np.int64]:
    """The node of the fit that every node is, −1 for a new one."""
    if names is None and graph.node_names is None:
        numbers = np.arange(graph.num_nodes)
        return np.where(numbers < count, numbers, -1)
    places = {str(name): place for place, name in enumerate(range(count) if names is None else names)}
    return np.array([places.get(str(name), -1) for name in graph.names], dtype=np.int64)
