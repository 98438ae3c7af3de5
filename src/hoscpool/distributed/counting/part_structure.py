"""Several groups of ranges as the parts of one oriented structure, for the kernels that count triangles and cliques.

A motif whose nodes are all joined has one node in each of the groups a ≤ b ≤ c of exactly one task. The structure has
one part for every group of the task, and edges only from an earlier to a later part. So the kernel finds each motif of
the task once, also if groups are equal: then the group is there several times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.distributed.blocks import Block, BlockGraph

AHEAD = 16
"""Zero cells beyond the last slot, for kernels that look ahead."""
PairCounts = dict[tuple[int, int], npt.NDArray[np.int64]]
"""Counts on the edges of blocks, by the ranges of the block."""


class PartStructure:
    """The blocks between the groups of a task.

    Args:
        graph: The graph.
        parts: The ranges of every part, ascending.

    Attributes:
        num_nodes: Number of nodes of all parts.
        first: The number of nodes in the first part. Every motif begins there.
        offsets: Row pointers, int32.
        cells: Target and counter of every slot, int32; see `hoscpool.motifs`.
        width: Largest number of targets of a node of the first part, or more.
        triangles: Largest number of triangles with one lowest node in the first part, or more.
    """

    def __init__(self, graph: BlockGraph, parts: Sequence[range]) -> None:
        from hoscpool.distributed.counting.kernels.block_layout import put_rows

        self._graph, self._parts = graph, parts
        cuts = graph.shape.cuts
        sizes = [int(cuts[part.stop] - cuts[part.start]) for part in parts]
        self._starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.num_nodes, self.first = int(self._starts[-1]), sizes[0]
        self.offsets, widths = self._measure()
        self.width = int(np.diff(self.offsets).max(initial=0))
        self.triangles = sum(one * other for one, other in combinations(widths, 2))
        self.cells = np.zeros(2 * (self.num_slots + AHEAD), np.int32)
        cursor = self.offsets[:-1].copy()
        for (i, j), (x, y) in self._uses():
            block = graph.block(i, j)
            put_rows(block.indptr, block.indices, self._place(x, i), 1, self._place(y, j), 1, cursor, self.cells, 2)

    def _uses(self) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """The blocks with the parts of their ends, in the order in which rows ascend."""
        for x, y in combinations(range(len(self._parts)), 2):
            for i, j in product(self._parts[x], self._parts[y]):
                if i <= j:
                    yield (i, j), (x, y)

    def _place(self, part: int, ranged: int) -> int:
        """The first node of a range within a part."""
        cuts = self._graph.shape.cuts
        return int(self._starts[part] + cuts[ranged] - cuts[self._parts[part].start])

    @property
    def num_slots(self) -> int:
        """Number of edges."""
        return int(self.offsets[-1])

    def _measure(self) -> tuple[npt.NDArray[np.int32], list[int]]:
        """The row pointers, and the largest number of targets that a node of the first part has in every other."""
        lengths = np.zeros((len(self._parts), self.num_nodes), np.int64)
        for (i, j), (x, y) in self._uses():
            sizes, first = np.diff(self._graph.block(i, j).indptr), self._place(x, i)
            lengths[y, first : first + len(sizes)] += sizes
        total = np.concatenate([[0], np.cumsum(lengths.sum(axis=0))])
        if int(total[-1]) >= 2**31 - AHEAD:
            raise ValueError(
                "the blocks of one task have over 2³¹ edges; count with less memory, so that tasks are small"
            )
        return total.astype(np.int32), [int(row.max(initial=0)) for row in lengths[1:, : self.first]]

    def by_pair(self, values: npt.NDArray[Any], stride: int) -> PairCounts:
        """The values on the slots, at every ``stride``, as counts on the edges of blocks."""
        from hoscpool.distributed.counting.kernels.block_layout import take_rows

        cursor = self.offsets[:-1].copy()
        found: PairCounts = {}
        for pair, (x, _) in self._uses():
            block = self._graph.block(*pair)
            if pair not in found:
                found[pair] = np.zeros(len(block.indices), np.int64)
            take_rows(block.indptr, self._place(x, pair[0]), 1, cursor, values, stride, found[pair])
        return found


class WedgeStructure:
    """The edges of the task (a, c) of four-cycles, for the kernel that counts them at their highest node.

    The highest node u of a cycle is in range c, the node w across from it in range a, and the two others anywhere below
    u. The structure has every node twice, as 2r and 2r + 1 for rank r. As 2r it is the highest node of cycles: its row
    has its lower neighbours v, for r in c. As 2r + 1 it is between: its row has its neighbours w in a. So the kernel's
    comparison of numbers compares ranks.

    Args:
        graph: The graph.
        a: Range of the nodes across from the highest.
        c: Range of the highest nodes.
    """

    def __init__(self, graph: BlockGraph, a: int, c: int) -> None:
        self._graph, self._a, self._c = graph, a, c
        self.num_nodes = 2 * int(graph.shape.cuts[c + 1])
        lengths = np.zeros(self.num_nodes + 1, np.int64)
        for pair, kind, is_by_row in self._uses():
            block, rows = graph.block(*pair), graph.shape.nodes[pair[0 if is_by_row else 1]]
            sizes = np.diff(block.indptr) if is_by_row else np.bincount(block.indices, minlength=int(rows))
            start = 2 * int(graph.shape.cuts[pair[0 if is_by_row else 1]]) + kind
            lengths[start + 1 : start + 2 * len(sizes) : 2] += sizes
        self.indptr = np.cumsum(lengths)
        size = int(self.indptr[-1])
        self.indptr = self.indptr.astype(np.int32 if size < 2**31 else np.int64)
        self.ranked = np.empty(size, np.int32)
        self._walk(self._put)

    def _uses(self) -> list[tuple[tuple[int, int], int, bool]]:
        """The blocks in the order in which rows ascend: block, 0 or 1 for rows of highest or other nodes, by row?"""
        a, c = self._a, self._c
        down = [((b, c), 0, False) for b in range(c + 1)]  # lower neighbours of nodes in c
        across = [((b, a), 1, True) for b in range(a)]  # neighbours in a of lower ranges
        across += [((a, a), 1, False), ((a, a), 1, True)]
        across += [((a, b), 1, False) for b in range(a + 1, c + 1)]
        return down + across

    def _walk(self, visit: Callable[..., None]) -> None:
        cursor, cuts = self.indptr[:-1].copy(), self._graph.shape.cuts
        for pair, kind, is_by_row in self._uses():
            first = [2 * int(cuts[part]) + 1 for part in pair]
            first[0 if is_by_row else 1] += kind - 1
            visit(pair, self._graph.block(*pair), first, is_by_row, cursor)

    def _put(self, _: Any, block: Block, first: list[int], is_by_row: bool, cursor: npt.NDArray[Any]) -> None:
        from hoscpool.distributed.counting.kernels.block_layout import put_columns, put_rows

        put = put_rows if is_by_row else put_columns
        put(block.indptr, block.indices, first[0], 2, first[1], 2, cursor, self.ranked, 1)

    def by_pair(self, values: npt.NDArray[np.int64]) -> PairCounts:
        """The values on the entries as counts on the edges of blocks."""
        from hoscpool.distributed.counting.kernels.block_layout import take_columns, take_rows

        found: PairCounts = {}

        def take(pair: Any, block: Block, first: list[int], is_by_row: bool, cursor: npt.NDArray[Any]) -> None:
            total = found.setdefault(pair, np.zeros(len(block.indices), np.int64))
            if is_by_row:
                take_rows(block.indptr, first[0], 2, cursor, values, 1, total)
            else:
                take_columns(block.indptr, block.indices, first[1], 2, cursor, values, 1, total)

        self._walk(take)
        return found
