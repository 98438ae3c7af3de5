"""The number of ranges follows from the memory, and the memory of a task from the sizes of its blocks."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from hoscpool.distributed.blocks import range_plan
from hoscpool.distributed.blocks.range_plan import INTERPRETER, Shape, plan_ranges
from hoscpool.support.errors import MemoryEstimateError


def even(num_edges: int, ranges: int = 128) -> Shape:
    """Blocks of equal size."""
    edges = np.triu(np.full((ranges, ranges), 2 * num_edges // (ranges * (ranges + 1)), np.int64))
    return Shape(np.arange(ranges + 1) * 1000, edges)


def test_less_memory_means_more_ranges() -> None:
    found = [plan_ranges(even(10**8), INTERPRETER + room, None).num_ranges for room in (10**10, 10**9, 10**8)]
    assert found == sorted(found)
    assert found[0] == range_plan.USUAL
    assert found[2] > range_plan.STRIPS_UP_TO  # tasks of triangles fit, those of four-cycles no longer


def test_small_graphs_have_one_range() -> None:
    assert plan_ranges(even(10**5), 2 << 30, None).num_ranges == 1


def test_what_was_planned_fits() -> None:
    shape = plan_ranges(even(10**8), INTERPRETER + 10**9, None)
    assert max(shape.parts_bytes(3)[1].max(), shape.strip_bytes()[1].max()) <= 10**9


def test_joined_ranges_hold_the_same_edges() -> None:
    fine = Shape(np.array([0, 2, 2, 7, 9]), np.triu(np.arange(16).reshape(4, 4)))
    coarse = fine.coarser(2)
    assert coarse.cuts.tolist() == [0, 2, 9]
    assert coarse.edges.tolist() == [[0 + 1 + 5, 2 + 3 + 6 + 7], [0, 10 + 11 + 15]]


def test_the_bytes_of_a_task() -> None:
    shape = Shape(np.array([0, 2, 3, 7]), np.triu(np.arange(9).reshape(3, 3)))
    tasks, needed = shape.parts_bytes(3)
    assert [tuple(task) for task in tasks] == list(combinations_with_replacement(range(3), 3))
    a, b, c = 0, 1, 2
    edges = shape.edges[a, b] + shape.edges[a, c] + shape.edges[b, c]
    assert needed[4] == range_plan.PART_BYTES * edges + range_plan.NODE_BYTES * 7
    strips, needed = shape.strip_bytes()
    into_c, at_a = 2 + 5 + 8, (0 + 0) + 1 + 2
    assert needed[strips.tolist().index([0, 2])] == (
        range_plan.STRIP_BYTES * (into_c + at_a) + range_plan.STRIP_NODE_BYTES * 7
    )


def test_too_little_memory_for_any_number_of_ranges() -> None:
    with pytest.raises(MemoryEstimateError, match=r"even a task on 128 ranges .*allow more with memory='\d+ MB'"):
        plan_ranges(even(10**8), INTERPRETER + 10**5, None)
