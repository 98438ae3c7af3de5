"""Counts on edges: triangles, sums over triangles, four-cycles and four-cliques. All are arrays over slots ``[m]``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.motifs.parallel import run_ranges
from hoscpool.motifs.skeleton import IntArray, Skeleton

_PIECES = 64
"""Into how many ranges a pass is cut: enough to balance threads and to move a progress bar."""


def triangle_support(skeleton: Skeleton) -> npt.NDArray[np.integer]:
    """Number of triangles on every edge, t_ij = (A² ⊙ A)_ij."""
    if skeleton.is_small:
        (triangles,) = skeleton.triangles()
        return np.bincount(triangles.ravel(), minlength=skeleton.num_edges)
    from hoscpool.motifs.kernels.triangle import support

    counters = []

    def worker():  # type: ignore[no-untyped-def]
        cells = skeleton.cells.copy() if skeleton.n_threads > 1 else skeleton.cells
        cells[1::2] = 0
        counters.append(cells)
        scratch = skeleton.scratch()
        return lambda start, stop: support(skeleton.offsets, cells, start, stop, *scratch)

    run_ranges(worker, skeleton.offsets, _PIECES, skeleton.n_threads, "counting triangles")
    first, *others = counters
    total = first[1:-1:2]
    for other in others:
        total += other[1:-1:2]
    return total


def triangle_sums(skeleton: Skeleton, edge_values: IntArray | None, node_values: IntArray | None) -> IntArray:
    """Σ over the triangles on each edge of the values of the other two edges and of the opposite node."""
    total = np.zeros(skeleton.num_edges, np.int64)
    for triangles in skeleton.triangles():
        first, second = triangles[:, 0], triangles[:, 1]
        gain = np.zeros((len(triangles), 3), np.int64)
        if edge_values is not None:
            x = edge_values[triangles]
            gain += x.sum(axis=1, keepdims=True) - x
        if node_values is not None:
            gain[:, 0] += node_values[skeleton.target[second]]
            gain[:, 1] += node_values[skeleton.target[first]]
            gain[:, 2] += node_values[skeleton.source[first]]
        np.add.at(total, triangles.ravel(), gain.ravel())
    return total


def cycle4_support(skeleton: Skeleton) -> IntArray:
    """Number of four-cycles on every edge, (A³)_ij − d_i − d_j + 1."""
    degree = skeleton.degree
    if skeleton.is_small:
        A = sp.csr_array(
            (np.ones(len(skeleton.indices), np.int64), skeleton.indices, skeleton.indptr),
            shape=(skeleton.num_nodes, skeleton.num_nodes),
        )
        walks = (A @ A @ A)[skeleton.source, skeleton.target]
        return np.asarray(walks - degree[skeleton.source] - degree[skeleton.target] + 1, dtype=np.int64).ravel()
    from hoscpool.motifs.kernels.cycle4 import cycle4, fold

    order = np.lexsort((np.arange(skeleton.num_nodes), degree)).astype(np.int32)
    rank = np.empty_like(order)
    rank[order] = np.arange(skeleton.num_nodes, dtype=np.int32)
    ranks = rank[skeleton.indices]
    totals = []

    def worker():  # type: ignore[no-untyped-def]
        out, count = np.zeros(len(ranks), np.int64), np.zeros(skeleton.num_nodes, np.int32)
        totals.append(out)
        return lambda start, stop: cycle4(skeleton.indptr, ranks, skeleton.indices, order, start, stop, count, out)

    work = np.concatenate(([0], np.cumsum(_cycle_work(skeleton)[order])))
    run_ranges(worker, work, _PIECES, skeleton.n_threads, "counting four-cycles")
    slots = np.zeros(skeleton.num_edges, np.int64)
    for entries in totals:
        fold(skeleton.indptr, skeleton.indices, skeleton.is_up, entries, skeleton.offsets, slots)
    return slots


def _cycle_work(skeleton: Skeleton) -> IntArray:
    """Per node the degrees of its lower neighbours, summed: how much a four-cycle pass reads for it."""
    weights = skeleton.degree[skeleton.source].astype(np.float64)
    return np.bincount(skeleton.target, weights=weights, minlength=skeleton.num_nodes).astype(np.int64)


def clique4_support(skeleton: Skeleton) -> IntArray:
    """Number of four-cliques on every edge."""
    if skeleton.is_small:
        return _small_clique4(skeleton)
    from hoscpool.motifs.kernels.clique4 import clique4

    totals = []

    def worker():  # type: ignore[no-untyped-def]
        out, mark = np.zeros(skeleton.num_edges, np.int64), np.zeros(skeleton.num_nodes, np.int32)
        totals.append(out)
        return lambda start, stop: clique4(skeleton.offsets, skeleton.cells, start, stop, mark, skeleton.width, out)

    run_ranges(worker, skeleton.node_checks, _PIECES, skeleton.n_threads, "counting four-cliques")
    return np.asarray(sum(totals[1:], start=totals[0]))


def _small_clique4(skeleton: Skeleton) -> IntArray:
    """Pairs of triangles u → v → w and u → v → x on one slot uv, kept where w → x is a slot too."""
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
