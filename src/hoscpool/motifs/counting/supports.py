"""Counts on edges: triangles, sums over triangles, four-cycles and four-cliques. All are arrays over slots ``[m]``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.motifs.catalog import get_motif
from hoscpool.motifs.counting.pairs import structure
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton, index_kind
from hoscpool.motifs.instances import join_instances
from hoscpool.support.machine import empty_arrays
from hoscpool.support.threads import RangeWorker, run_ranges

_PIECES, _PIECE = 64, 1 << 15
"""Largest number of ranges of a pass, for balanced threads and a progress bar, and the work of one range."""

Pass = Callable[[IntArray, tuple[Any, ...], int, int], Any]
"""A kernel over a range of nodes that adds to an array and uses scratch memory."""
Scratch = Callable[[], tuple[Any, ...]]
"""Allocates the scratch memory of one thread."""


def _pieces(work: npt.NDArray[np.integer]) -> int:
    return min(_PIECES, int(work[-1]) // _PIECE + 1)


def _accumulate(
    skeleton: Skeleton, size: int, run: Pass, scratch_of: Scratch, work: npt.NDArray[np.integer], description: str
) -> IntArray:
    """Run a pass over all nodes. Every thread counts in its own array, and the arrays are summed at the end."""
    totals: list[IntArray] = []

    def make_worker() -> RangeWorker:
        total, scratch = np.zeros(size, np.int64), scratch_of()
        totals.append(total)
        return lambda start, stop: run(total, scratch, start, stop)

    run_ranges(make_worker, work, _pieces(work), skeleton.n_threads, description)
    first, *others = totals
    for other in others:
        first += other
    return first


def triangle_support(skeleton: Skeleton) -> npt.NDArray[np.integer]:
    """Number of triangles on every edge, t_ij = (A² ⊙ A)_ij. On large graphs a view of the skeleton's counters."""
    if skeleton.is_small:
        (triangles,) = skeleton.triangles()
        return np.bincount(triangles.ravel(), minlength=skeleton.num_edges)
    from hoscpool.motifs.kernels.triangle import support

    if skeleton.is_counted:
        return skeleton.counters
    copies: list[npt.NDArray[np.int32]] = []
    in_place = [skeleton.cells]

    def make_worker() -> RangeWorker:
        try:
            cells = in_place.pop()  # one thread counts in the skeleton itself
        except IndexError:
            cells = skeleton.cells.copy()
            cells[1::2] = 0
            copies.append(cells)
        scratch = skeleton.scratch()
        return lambda start, stop: support(skeleton.offsets, cells, start, stop, *scratch)

    run_ranges(make_worker, skeleton.offsets, _pieces(skeleton.offsets), skeleton.n_threads, "counting triangles")
    total = skeleton.counters
    for cells in copies:
        total += cells[1 : 2 * skeleton.num_edges : 2]
    skeleton.is_counted = True
    return total


def triangle_sums(skeleton: Skeleton, node_values: IntArray | None = None) -> IntArray:
    """Sum over the triangles on each edge of the third node's value, or without values of the other edges' support."""
    if skeleton.is_small:
        return _small_triangle_sums(skeleton, node_values)
    from hoscpool.motifs.kernels.triangle import sums

    by_support = node_values is None
    values = np.empty(0, np.int64) if node_values is None else node_values
    if by_support:
        triangle_support(skeleton)  # writes its counts where the kernel reads them

    def run(total: IntArray, scratch: tuple[Any, ...], start: int, stop: int) -> None:
        sums(skeleton.offsets, skeleton.cells, by_support, values, start, stop, *scratch, total)

    scratch = partial(skeleton.scratch, with_triples=True)
    return _accumulate(skeleton, skeleton.num_edges, run, scratch, skeleton.offsets, "summing over triangles")


def _small_triangle_sums(skeleton: Skeleton, node_values: IntArray | None) -> IntArray:
    (triangles,) = skeleton.triangles()
    if node_values is None:
        values = triangle_support(skeleton)[triangles]
        gain = values.sum(axis=1, keepdims=True) - values
    else:
        first, second = triangles[:, 0], triangles[:, 1]
        across = (skeleton.target[second], skeleton.target[first], skeleton.source[first])  # of uv, uw, vw
        gain = np.column_stack([node_values[node] for node in across])
    total = np.zeros(skeleton.num_edges, np.int64)
    np.add.at(total, triangles.ravel(), gain.ravel())
    return total


def cycle4_support(skeleton: Skeleton) -> IntArray:
    """Number of four-cycles on every edge, (A³)_ij − d_i − d_j + 1."""
    if skeleton.is_small:
        return _small_cycle4(skeleton)
    from hoscpool.motifs.kernels.cycle4 import by_rank, cycle4, degree_order, fold

    indptr, indices, nodes, size = skeleton.indptr, skeleton.indices, skeleton.num_nodes, len(skeleton.indices)
    kind = index_kind(size)
    cursor, ranked_indptr, ranked, place = empty_arrays(
        (nodes, kind), (nodes + 1, kind), (size, np.int32), (size, kind)
    )
    by_rank(indptr, indices, *degree_order(indptr), cursor, ranked_indptr, ranked, place)

    def run(entries: IntArray, scratch: tuple[Any, ...], start: int, stop: int) -> None:
        cycle4(ranked_indptr, ranked, start, stop, *scratch, entries)

    def scratch() -> tuple[Any, ...]:
        return np.zeros(nodes, np.int32), np.empty(nodes + 1, np.int32)

    work = np.concatenate(([0], np.cumsum(np.diff(ranked_indptr).astype(np.int64) ** 2)))
    entries = _accumulate(skeleton, size, run, scratch, work, "counting four-cycles")
    slots, is_up = np.zeros(skeleton.num_edges, np.int64), skeleton.is_up.view(np.uint8)
    fold(indptr, indices, is_up, place, entries, skeleton.offsets, skeleton.offsets[:-1].copy(), slots)
    return slots


def _small_cycle4(skeleton: Skeleton) -> IntArray:
    source, target, degree, A = skeleton.source, skeleton.target, skeleton.degree, structure(skeleton)
    walks = (A @ A @ A)[source, target]  # still sparse; the next line makes it dense
    return np.asarray(walks - (degree[source] + degree[target] - 1), dtype=np.int64).ravel()


def clique4_support(skeleton: Skeleton) -> IntArray:
    """Number of four-cliques on every edge."""
    if skeleton.is_small:
        return _small_clique4(skeleton)
    return _cliques(skeleton, 4)[0]


def clique5_support(skeleton: Skeleton) -> IntArray:
    """Number of five-cliques on every edge."""
    if skeleton.is_small:
        return _small_clique5(skeleton)
    return _cliques(skeleton, 5)[0]


def clique4_and_triangle_sums(skeleton: Skeleton) -> tuple[IntArray, IntArray]:
    """`clique4_support`, and the `triangle_sums` of support, from one list of triangles."""
    if skeleton.is_small:
        return _small_clique4(skeleton), _small_triangle_sums(skeleton, None)
    triangle_support(skeleton)  # writes its counts where the kernel reads them
    counts, sums = _cliques(skeleton, 4, num_sums=skeleton.num_edges)
    return counts, sums


def _cliques(skeleton: Skeleton, nodes: int, num_sums: int = 0) -> list[IntArray]:
    from hoscpool.motifs.kernels.cliques import cliques

    def run(total: IntArray, scratch: tuple[Any, ...], start: int, stop: int) -> None:
        counts, sums = np.split(total, [skeleton.num_edges])
        cliques(nodes, skeleton.offsets, skeleton.cells, start, stop, *scratch, counts, sums)

    scratch, size = partial(_bit_matrix_scratch, skeleton), skeleton.num_edges + num_sums
    total = _accumulate(skeleton, size, run, scratch, skeleton.offsets, f"counting cliques of {nodes} nodes")
    return np.split(total, [skeleton.num_edges])


def _bit_matrix_scratch(skeleton: Skeleton) -> tuple[Any, ...]:
    return *skeleton.scratch(with_triples=True), *bit_matrix(skeleton.width)


def bit_matrix(width: int) -> tuple[Any, ...]:
    """Scratch memory of the clique kernels: the bit matrix of the graph on so many targets, and a number for each."""
    return np.empty(width * (-(-width // 64)), np.uint64), np.empty(width, np.int64)


def _small_clique5(skeleton: Skeleton) -> IntArray:
    total = np.zeros(skeleton.num_edges, np.int64)
    for instances in join_instances(skeleton.graph, get_motif("clique5")):
        for a, b in combinations(range(5), 2):
            np.add.at(total, skeleton.slots_between(instances[:, a], instances[:, b]), 1)
    return total


def _small_clique4(skeleton: Skeleton) -> IntArray:
    """Pairs of triangles u → v → w and u → v → x on one slot uv for which w → x is a slot too."""
    (triangles,) = skeleton.triangles()
    triangles = triangles[np.lexsort((triangles[:, 1], triangles[:, 0]))]
    _, start, size = np.unique(triangles[:, 0], return_index=True, return_counts=True)
    later = np.repeat(start + size, size) - np.arange(len(triangles)) - 1  # triangles on the same uv that come after
    left = np.repeat(np.arange(len(triangles)), later)
    right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(later) - later, later)
    slots = skeleton.slots_between(skeleton.target[triangles[left, 1]], skeleton.target[triangles[right, 1]])
    hit = np.flatnonzero(slots >= 0)
    members = (triangles[left[hit]], triangles[right[hit], 1:], slots[hit])  # all six edges of each clique
    return np.bincount(np.concatenate([part.ravel() for part in members]), minlength=skeleton.num_edges)
