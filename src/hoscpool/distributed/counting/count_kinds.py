"""The counts on edges that tasks on blocks make: triangles, four-cliques, four-cycles, with the engine's kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from hoscpool.distributed.blocks import BlockGraph
from hoscpool.distributed.counting.part_structure import PairCounts, PartStructure, WedgeStructure
from hoscpool.motifs import bit_matrix, triangle_scratch

Task = tuple[int, ...]


@dataclass(frozen=True)
class CountKind:
    """One kind of count.

    Attributes:
        name: Its name among the `Counts` of `hoscpool.motifs`.
        what: What is counted, for progress bars and messages.
        plan: The tasks of a graph and the bytes that each takes.
        run: Counts of one task.
        touches: The blocks on whose edges a task counts.
    """

    name: str
    what: str
    plan: Callable[[BlockGraph], tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]
    run: Callable[[BlockGraph, Task], PairCounts]
    touches: Callable[[Task], set[tuple[int, int]]]


def _triangles(graph: BlockGraph, task: Task) -> PairCounts:
    from hoscpool.motifs.kernels.triangle import support

    parts = PartStructure(graph, task)
    scratch = triangle_scratch(parts.num_nodes, parts.width)
    support(parts.offsets, parts.cells, 0, parts.first, *scratch)
    return parts.by_pair(parts.cells[1:], 2)


def _cliques(graph: BlockGraph, task: Task) -> PairCounts:
    from hoscpool.motifs.kernels.clique4 import clique4

    parts = PartStructure(graph, task)
    total = np.zeros(parts.num_slots, np.int64)
    scratch = (*triangle_scratch(parts.num_nodes, parts.width, parts.triangles), *bit_matrix(parts.width))
    clique4(parts.offsets, parts.cells, 0, parts.first, *scratch, total, np.empty(0, np.int64))
    return parts.by_pair(total, 1)


def _cycles(graph: BlockGraph, task: Task) -> PairCounts:
    from hoscpool.distributed.counting.kernels.block_layout import cycle4_of_even

    a, c = task
    wedges = WedgeStructure(graph, a, c)
    total = np.zeros(len(wedges.ranked), np.int64)
    scratch = np.zeros(wedges.num_nodes, np.int32), np.empty(wedges.num_nodes + 1, np.int32)
    start, stop = (int(cut) for cut in graph.shape.cuts[c : c + 2])
    cycle4_of_even(wedges.indptr, wedges.ranked, start, stop, *scratch, total)
    return wedges.by_pair(total)


def _plan_cliques(graph: BlockGraph) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    tasks, needed = graph.shape.parts_bytes(4)
    w = [graph.widths[tasks[:, 0], tasks[:, x]] for x in (1, 2, 3)]
    width = w[0] + w[1] + w[2]
    triples = 12 * (w[0] * w[1] + w[0] * w[2] + w[1] * w[2])
    return tasks, needed + triples + width * (width // 64 + 9)


def _between(task: Task) -> set[tuple[int, int]]:
    return set(combinations(task, 2))


def _strips(task: Task) -> set[tuple[int, int]]:
    a, c = task
    return {(b, c) for b in range(c + 1)} | {(min(a, b), max(a, b)) for b in range(c + 1)}


COUNT_KINDS = {
    "t": CountKind("t", "triangles", lambda graph: graph.shape.parts_bytes(3), _triangles, _between),
    "k": CountKind("k", "four-cliques", _plan_cliques, _cliques, _between),
    "q": CountKind("q", "four-cycles", lambda graph: graph.shape.strip_bytes(), _cycles, _strips),
}
"""By name."""
