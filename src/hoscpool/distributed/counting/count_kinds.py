"""The counts on edges that tasks on blocks make: triangles, four-cliques, four-cycles, with the engine's kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise, product

import numpy as np
import numpy.typing as npt

from hoscpool.distributed.blocks import BlockGraph
from hoscpool.distributed.counting.part_structure import PairCounts, PartStructure, WedgeStructure
from hoscpool.motifs import bit_matrix, triangle_scratch

Task = tuple[int, ...]


Groups = list[range]
"""The ranges of every group of neighbouring ranges."""
Plan = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""The groups of every task, and the bytes that each task takes."""


@dataclass(frozen=True)
class CountKind:
    """One kind of count.

    Attributes:
        name: Its name among the `Counts` of `hoscpool.motifs`.
        what: What is counted, for progress bars and messages.
        least: Groups that large graphs have at least, so that there are tasks for several workers. ``None``: ranges are
            not put together.
        plan: The tasks for a graph and a number of groups, and the bytes that each takes.
        run: Counts of one task.
        touches: The blocks on whose edges a task counts.
    """

    name: str
    what: str
    least: int | None
    plan: Callable[[BlockGraph, int], Plan]
    run: Callable[[BlockGraph, Groups, Task], PairCounts]
    touches: Callable[[Groups, Task], set[tuple[int, int]]]

    def num_groups(self, graph: BlockGraph, room: float) -> int:
        """The smallest number of groups whose tasks take no more than so many bytes; all ranges if there is none."""
        if self.least is not None:
            for groups in range(min(self.least, graph.num_ranges), graph.num_ranges):
                if int(self.plan(graph, groups)[1].max()) <= room:
                    return groups
        return graph.num_ranges

    def needed(self, graph: BlockGraph, num_groups: int) -> int:
        """The bytes of the largest task, by an estimate from above."""
        return int(self.plan(graph, num_groups)[1].max())


def groups_of(graph: BlockGraph, num_groups: int) -> Groups:
    """Neighbouring ranges put together."""
    bounds = graph.shape.bounds(num_groups).tolist()
    return [range(start, stop) for start, stop in pairwise(bounds)]


def _triangles(graph: BlockGraph, groups: Groups, task: Task) -> PairCounts:
    from hoscpool.motifs.kernels.triangle import support

    parts = PartStructure(graph, [groups[x] for x in task])
    scratch = triangle_scratch(parts.num_nodes, parts.width)
    support(parts.offsets, parts.cells, 0, parts.first, *scratch)
    return parts.by_pair(parts.cells[1:], 2)


def _cliques(graph: BlockGraph, groups: Groups, task: Task) -> PairCounts:
    from hoscpool.motifs.kernels.cliques import cliques

    parts = PartStructure(graph, [groups[x] for x in task])
    total = np.zeros(parts.num_slots, np.int64)
    scratch = (*triangle_scratch(parts.num_nodes, parts.width, parts.triangles), *bit_matrix(parts.width))
    cliques(4, parts.offsets, parts.cells, 0, parts.first, *scratch, total, np.empty(0, np.int64))
    return parts.by_pair(total, 1)


def _cycles(graph: BlockGraph, _: Groups, task: Task) -> PairCounts:
    from hoscpool.distributed.counting.kernels.block_layout import cycle4_of_even

    a, c = task
    wedges = WedgeStructure(graph, a, c)
    total = np.zeros(len(wedges.ranked), np.int64)
    scratch = np.zeros(wedges.num_nodes, np.int32), np.empty(wedges.num_nodes + 1, np.int32)
    start, stop = (int(cut) for cut in graph.shape.cuts[c : c + 2])
    cycle4_of_even(wedges.indptr, wedges.ranked, start, stop, *scratch, total)
    return wedges.by_pair(total)


def _plan_triangles(graph: BlockGraph, num_groups: int) -> Plan:
    return graph.shape.coarser(num_groups).parts_bytes(3)


def _plan_cliques(graph: BlockGraph, num_groups: int) -> Plan:
    """Besides the blocks, a task has a list of the triangles at one node, and a bit matrix."""
    tasks, needed = graph.shape.coarser(num_groups).parts_bytes(4)
    starts = graph.shape.bounds(num_groups)[:-1]
    widths = np.maximum.reduceat(np.add.reduceat(graph.widths, starts, axis=1), starts, axis=0)
    w = [widths[tasks[:, 0], tasks[:, x]] for x in (1, 2, 3)]
    width = w[0] + w[1] + w[2]
    triples = 12 * (w[0] * w[1] + w[0] * w[2] + w[1] * w[2])
    return tasks, needed + SUPPORT_BYTES * _edges_of(graph, num_groups, tasks) + triples + width * (width // 64 + 9)


def _edges_of(graph: BlockGraph, num_groups: int, tasks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    edges = graph.shape.coarser(num_groups).edges
    pairs = [edges[tasks[:, x], tasks[:, y]] for x, y in combinations(range(tasks.shape[1]), 2)]
    return np.sum(pairs, axis=0)  # type: ignore[no-any-return]


def _between(groups: Groups, task: Task) -> set[tuple[int, int]]:
    pairs = combinations([groups[x] for x in task], 2)
    return {(i, j) for one, other in pairs for i, j in product(one, other) if i <= j}


def _strips(_: Groups, task: Task) -> set[tuple[int, int]]:
    a, c = task
    return {(b, c) for b in range(c + 1)} | {(min(a, b), max(a, b)) for b in range(c + 1)}


COUNT_KINDS = {
    "t": CountKind("t", "triangles", 8, _plan_triangles, _triangles, _between),
    "k": CountKind("k", "four-cliques", 6, _plan_cliques, _cliques, _between),
    "q": CountKind("q", "four-cycles", None, lambda graph, _: graph.shape.strip_bytes(), _cycles, _strips),
}
"""By name."""
SUPPORT_BYTES = 8
"""Bytes of an edge more in a task of cliques: their number does not fit between the targets."""
