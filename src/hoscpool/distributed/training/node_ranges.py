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
    return NodeRanges(order.astype(np.int64), equal_work(1 + np.diff(adjacency.indptr)[order], parts))


def equal_work(work: npt.NDArray[np.integer], parts: int) -> Indices:
    """Where to cut nodes in a row so that every part has about the same work, ``[parts + 1]``.

    >>> equal_work(np.array([1, 1, 1, 3]), 2)
    array([0, 2, 4])
    """
    done = np.cumsum(work)
    total = int(done[-1]) if len(done) else 0
    cuts = np.searchsorted(done, total * np.arange(1, parts) / parts)
    return np.concatenate([[0], cuts, [len(done)]]).astype(np.int64)
