"""Into how many ranges the nodes are cut, so that a task on the blocks fits in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hoscpool.support.errors import MemoryEstimateError
from hoscpool.support.machine import bytes_text

Counts = npt.NDArray[np.int64]

INTERPRETER = 300 << 20
"""What a worker takes before it has read a block: Python, the libraries, compiled code."""
FINE = 128
"""Most ranges."""
USUAL = 8
"""Ranges that large graphs have at least, so that there are tasks for several workers."""
STRIPS_UP_TO = 32
"""Up to so many ranges the plan also makes tasks of four-cycles fit."""
PART_BYTES, STRIP_BYTES = 24, 40
"""Bytes of an edge in a task of triangles, and in one of four-cycles: the mapped block, the copy that the kernel works
on, counters, and the counts that are written."""
NODE_BYTES, STRIP_NODE_BYTES = 24, 28
"""Bytes of a node in such tasks: pointers and scratch memory."""


@dataclass(frozen=True)
class Shape:
    """The sizes of ranges and blocks.

    Attributes:
        cuts: First rank of every range, and the number of nodes, ``[p + 1]``.
        edges: Number of edges from range a to range b ≥ a, ``[p, p]``.
    """

    cuts: Counts
    edges: Counts

    @property
    def num_ranges(self) -> int:
        """Number of ranges p."""
        return len(self.cuts) - 1

    @property
    def nodes(self) -> Counts:
        """Number of nodes of every range ``[p]``."""
        return np.diff(self.cuts)

    def bounds(self, num_groups: int) -> Counts:
        """Where groups of neighbouring ranges begin, and the number of ranges, ``[num_groups + 1]``.

        Examples:
            >>> Shape(np.arange(6), np.zeros((5, 5), np.int64)).bounds(2)
            array([0, 2, 5])
        """
        return np.unique(np.round(np.linspace(0, self.num_ranges, num_groups + 1)).astype(np.int64))

    def coarser(self, num_ranges: int) -> Shape:
        """Join neighbouring ranges."""
        keep = self.bounds(num_ranges)
        rows = np.add.reduceat(self.edges, keep[:-1], axis=0)
        return Shape(self.cuts[keep], np.add.reduceat(rows, keep[:-1], axis=1))

    def parts_bytes(self, size: int) -> tuple[npt.NDArray[np.int64], Counts]:
        """The tasks of a motif with so many nodes, and what each takes.

        Returns:
            The ranges a ≤ b ≤ … of every task ``[T, size]``, and their bytes ``[T]``.
        """
        tasks = ascending(self.num_ranges, size)
        pairs = [(x, y) for y in range(size) for x in range(y)]
        edges = sum((self.edges[tasks[:, x], tasks[:, y]] for x, y in pairs), np.zeros(len(tasks), np.int64))
        return tasks, PART_BYTES * edges + NODE_BYTES * self.nodes[tasks].sum(axis=1)

    def strip_bytes(self) -> tuple[npt.NDArray[np.int64], Counts]:
        """The tasks (a, c) of four-cycles ``[T, 2]``, and what each takes.

        Its highest nodes are in c, the nodes across from them in a. It needs all edges from lower nodes to c, and all
        edges between a and nodes up to c.
        """
        p = self.num_ranges
        tasks = ascending(p, 2)
        into, both = self.edges.sum(axis=0), self.edges + self.edges.T
        reach = np.concatenate([np.zeros((p, 1), np.int64), np.cumsum(both, axis=1)], axis=1)
        edges = into[tasks[:, 1]] + reach[tasks[:, 0], tasks[:, 1] + 1]
        return tasks, STRIP_BYTES * edges + STRIP_NODE_BYTES * self.cuts[tasks[:, 1] + 1]


def ascending(number: int, size: int) -> Counts:
    """All ascending tuples of numbers below ``number``, with repetitions, in order, ``[T, size]``.

    Examples:
        >>> ascending(2, 2).tolist()
        [[0, 0], [0, 1], [1, 1]]
    """
    rows = np.arange(number)[:, None]
    for _ in range(size - 1):
        last = rows[:, -1]
        more = number - last  # what can follow
        step = np.arange(int(more.sum())) - np.repeat(np.cumsum(more) - more, more)
        rows = np.column_stack([np.repeat(rows, more, axis=0), np.repeat(last, more) + step])
    return rows


def plan_ranges(fine: Shape, memory: int, num_ranges: int | None) -> Shape:
    """The ranges to cut the nodes into.

    Args:
        fine: Many small ranges, which are joined.
        memory: What a worker may take.
        num_ranges: Take so many. ``None``: as few as fit, but some for large graphs.

    Raises:
        MemoryEstimateError: A task would not fit, however many ranges there are.
    """
    if num_ranges is not None:
        return fine.coarser(num_ranges)
    room = memory - INTERPRETER
    total = int(fine.edges.sum())
    least = int(np.clip(round((total / 1e6) ** 0.5), 1, USUAL))
    needed = int(fine.parts_bytes(3)[1].max())
    for p in range(least, fine.num_ranges + 1) if needed <= room else ():
        shape = fine.coarser(p)
        fits = int(shape.parts_bytes(3)[1].max()) <= room
        if fits and (p > STRIPS_UP_TO or int(shape.strip_bytes()[1].max()) <= room):
            return shape
    raise MemoryEstimateError(
        f"memory: even a task on {fine.num_ranges} ranges of this graph",
        INTERPRETER + needed,
        memory,
        f"allow more with memory={bytes_text(1.1 * (INTERPRETER + needed))!r} (--memory)",
    )
