"""Which rank has which nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.cluster import Engine

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class NodeRanges:
    """An order of the nodes and its cut into one range for every rank.

    Attributes:
        order: The nodes in their new order, ``[N]``.
        bounds: Rank r has the nodes from ``bounds[r]`` up to ``bounds[r + 1]`` of the order, ``[R + 1]``.
    """

    order: Indices
    bounds: Indices

    def deal(self, table: Any) -> list[Any]:
        """The rows of every rank."""
        return [table[self.order[begin:end]] for begin, end in zip(self.bounds[:-1], self.bounds[1:], strict=True)]

    def restore(self, parts: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
        """The table whose rows were dealt, in the old order."""
        rows = np.concatenate(parts)
        table = np.empty_like(rows)
        table[self.order] = rows
        return table

    def rows_of(self, matrix: sp.csr_array) -> list[sp.csr_array]:
        """The rows of every rank of a matrix over the nodes. Columns are places in the order."""
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        found = []
        for rows in self.deal(matrix):
            moved = sp.csr_array((rows.data, place[rows.indices], rows.indptr), shape=rows.shape)
            moved.sort_indices()
            found.append(moved)
        return found


def cut_nodes(adjacency: sp.csr_array, parts: int) -> NodeRanges:
    """Put nodes beside their neighbours and cut the order into ranges of equal work.

    The multilevel engine cuts the graph into one cluster for every rank, and balance weighs as much as the cut. Nodes
    are ordered by cluster, and within a cluster they keep their order. The work of a node is one, plus its entries.
    """
    nodes = adjacency.shape[0]
    order = np.arange(nodes)
    if adjacency.nnz and 1 < parts < nodes:
        found = Engine({"edge": adjacency}, {"edge": 1.0}, validate=False).minimise(parts, 1.0, tries=1, kicks=0)
        order = np.argsort(found.labels, kind="stable")
    work = np.cumsum(1 + np.diff(adjacency.indptr)[order])
    total = int(work[-1]) if nodes else 0
    cuts = np.searchsorted(work, total * np.arange(1, parts) / parts)
    return NodeRanges(order.astype(np.int64), np.concatenate([[0], cuts, [nodes]]).astype(np.int64))
