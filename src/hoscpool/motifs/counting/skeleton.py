"""The undirected structure of a graph, with every edge oriented from lower to higher (degree, id).

Orientation bounds the out-degrees by √(2m). This makes counting of triangles and cliques fast. The *slot* of an edge is
its place in the row-wise list of oriented edges. Values on edges are arrays over slots.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.support.machine import empty_arrays
from hoscpool.support.threads import balanced_ranges, run_ranges

IntArray = npt.NDArray[np.int64]

SMALL_WORK = 400_000
"""Up to this many walks of two steps NumPy is faster than loading numba's compiled kernels."""
_CHUNK = 1 << 22
_AHEAD = 16
"""Zero cells beyond the last slot, for kernels that look ahead."""


def triangle_scratch(num_nodes: int, width: int, triangles: int | None = None) -> tuple[Any, ...]:
    """Scratch memory of one thread of the triangle kernels: table, mark, candidates, triangles of one node.

    Args:
        num_nodes: Number of nodes of the oriented structure.
        width: Its largest out-degree.
        triangles: The most triangles whose lowest node is the same. ``None``: they are not listed.
    """
    from hoscpool.motifs.kernels.triangle import BATCH, TABLE_SIZE

    table, mark = np.zeros(TABLE_SIZE, np.uint8), np.zeros(num_nodes, np.int32)
    found = np.empty(width + BATCH + 1, np.int64)
    return (table, mark, found) if triangles is None else (table, mark, found, np.empty(3 * (triangles + 1), np.int32))


class Skeleton:
    """Oriented edges of an undirected graph.

    Args:
        graph: An undirected graph.
        n_threads: Number of threads of the compiled passes.

    Attributes:
        offsets: Row pointers of the oriented edges, int32 ``[N + 1]``.
        target: Higher end of every slot ``[m]``, ascending within a row.
        is_up: Which entries of the graph's CSR structure are oriented edges ``[2m]``.
        width: Largest out-degree.
    """

    cells: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int32]
    is_up: npt.NDArray[np.bool_]

    def __init__(self, graph: Graph, n_threads: int = 1) -> None:
        if graph.num_edges >= 2**31 - 1:
            raise ValueError(f"graph: expected at most 2,147,483,646 edges, got {graph.num_edges:,}")
        self.graph = graph
        self.n_threads = n_threads
        self.indptr, self.indices = graph.indptr, graph.indices
        self.num_nodes, self.num_edges = graph.num_nodes, graph.num_edges
        self.is_counted = False  # whether the cells hold the triangles on every edge
        self.is_small = len(self.indices) <= SMALL_WORK and int(self.degree @ self.degree) <= SMALL_WORK
        # target and counter lie side by side, so the counter is already in the cache when a triangle is found
        self.cells, self.offsets, degree, self.is_up = empty_arrays(
            (2 * (self.num_edges + _AHEAD), np.int32),
            (self.num_nodes + 1, np.int32),
            (self.num_nodes, np.int32),
            (len(self.indices), np.bool_),
        )
        self._orient(degree)

    def _orient(self, degree: npt.NDArray[np.int32]) -> None:
        if not self.is_small:
            from hoscpool.motifs.kernels.oriented import orient

            is_up = self.is_up.view(np.uint8)
            self.width = orient(self.indptr, self.indices, degree, self.offsets, self.cells, is_up)
            return
        row = np.repeat(np.arange(self.num_nodes, dtype=np.int32), self.degree)
        there, here = self.degree[self.indices], self.degree[row]
        self.is_up[:] = (there > here) | ((there == here) & (self.indices > row))
        self.offsets[0] = 0
        out_degree = np.bincount(row[self.is_up], minlength=self.num_nodes)
        self.width = int(out_degree.max(initial=0))
        np.cumsum(out_degree, out=self.offsets[1:])
        self.target[:] = self.indices[self.is_up]

    @cached_property
    def degree(self) -> IntArray:
        """Number of neighbours of every node ``[N]``."""
        return self.graph.degree

    @property
    def target(self) -> npt.NDArray[np.int32]:
        """Higher end of every slot ``[m]``."""
        return self.cells[: 2 * self.num_edges : 2]

    @property
    def counters(self) -> npt.NDArray[np.int32]:
        """The counter of every slot ``[m]``, a view of the cells. It is zero before the triangles are counted."""
        return self.cells[1 : 2 * self.num_edges : 2]

    @cached_property
    def source(self) -> npt.NDArray[np.int32]:
        """Lower end of every slot ``[m]``."""
        return np.repeat(np.arange(self.num_nodes, dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def node_checks(self) -> IntArray:
        """Cumulative number of entries read in the search for triangles, by lowest node ``[N + 1]``."""
        out_degree = np.diff(self.offsets).astype(np.int64)
        return np.concatenate(([0], np.cumsum(out_degree[self.target])))[self.offsets]

    @cached_property
    def node_walks(self) -> IntArray:
        """Cumulative number of walks of two steps, by first node ``[N + 1]``."""
        return np.concatenate(([0], np.cumsum(self.degree[self.indices])))[self.indptr]

    def scratch(self, with_triples: bool = False) -> tuple[Any, ...]:
        """Scratch memory of one thread of the triangle kernels."""
        return triangle_scratch(
            self.num_nodes, self.width, self.width * (self.width - 1) // 2 if with_triples else None
        )

    def triangles(self) -> Iterator[npt.NDArray[np.int32]]:
        """The triangles u → v → w in batches ``[n, 3]`` of the slots (uv, uw, vw)."""
        if self.is_small:
            yield self._small_triangles()
            return
        from hoscpool.motifs.kernels.triangle import listing

        scratch, checks = self.scratch(), self.node_checks
        for start, stop in balanced_ranges(checks, -(-int(checks[-1]) // _CHUNK)):
            out = np.empty((int(checks[stop] - checks[start]) + 1, 3), np.int32)
            count = listing(self.offsets, self.cells, start, stop, *scratch, out)
            yield out[:count]

    def _small_triangles(self) -> npt.NDArray[np.int32]:
        """All paths u → v → w for which u → w is a slot too."""
        target, offsets = self.target, self.offsets
        sizes = np.diff(offsets)[target]
        first = np.repeat(np.arange(self.num_edges), sizes)  # slot uv
        step = np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        last = offsets[target[first]] + step  # slot vw
        closing = self._slots(self.source[first], target[last])  # slot uw
        hit = np.flatnonzero(closing >= 0)
        return np.column_stack([first[hit], closing[hit], last[hit]]).astype(np.int32)

    def slots_between(self, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> IntArray:
        """The slot of every pair of nodes in any order, or −1 if they are not joined."""
        return np.maximum(self._slots(a, b), self._slots(b, a))

    def _slots(self, lower: npt.NDArray[Any], higher: npt.NDArray[Any]) -> IntArray:
        wanted = lower.astype(np.int64) * self.num_nodes + higher
        place = np.searchsorted(self._keys, wanted)
        return np.where(np.append(self._keys, -1)[place] == wanted, place, -1)

    @cached_property
    def _keys(self) -> IntArray:
        return self.source.astype(np.int64) * self.num_nodes + self.target

    def matrix(self, values: npt.NDArray[Any]) -> sp.csr_array:
        """The symmetric matrix with these values on the slots. Zeros are not stored."""
        if not self.is_small and self.num_edges:
            return symmetric(self, values)
        keep = np.flatnonzero(values)
        data = values[keep].astype(np.float64 if values.dtype.kind == "f" else np.int64)
        upper = sp.coo_array((data, (self.source[keep], self.target[keep])), shape=(self.num_nodes, self.num_nodes))
        full = sp.csr_array(upper + upper.T)
        full.sort_indices()
        return full


Ints = npt.NDArray[Any]


def symmetric(skeleton: Skeleton, values: npt.NDArray[Any]) -> sp.csr_array:
    """The symmetric matrix with these values on the slots, by the compiled kernel. Zeros are not stored."""
    from hoscpool.motifs.kernels.oriented import cursors, emit

    stride = values.strides[0] // values.itemsize  # counters of the triangle pass lie between the targets
    flat = np.lib.stride_tricks.as_strided(values, ((len(values) - 1) * stride + 1,), (values.itemsize,))
    kind = np.float64 if values.dtype.kind == "f" else np.int64
    size = len(skeleton.indices) + 1  # the kernel writes one entry ahead
    data, indices, indptr = empty_arrays((size, kind), (size, np.int32), (skeleton.num_nodes + 1, index_kind(size)))
    indptr[0] = 0
    is_up, offsets = skeleton.is_up.view(np.uint8), skeleton.offsets

    def rows(start: int, stop: int) -> None:
        cursor = cursors(offsets, skeleton.cells, start) if start else offsets[:-1].copy()
        emit(skeleton.indptr, skeleton.indices, is_up, offsets, cursor, flat, stride, start, stop,
             indptr[1:], indices, data)  # fmt: skip

    # one range per thread: each computes its cursors once, and writes to the place of its rows in the full structure
    ranges = run_ranges(lambda: rows, skeleton.indptr, skeleton.n_threads, skeleton.n_threads)
    return _compact(ranges, skeleton.indptr, indptr, indices, data)


def _compact(ranges: list[tuple[int, int]], full_indptr: Ints, indptr: Ints, indices: Ints, data: Any) -> sp.csr_array:
    """Close the gaps between the outputs of the ranges, in place."""
    end = 0
    for start, stop in ranges:
        begin, count = int(full_indptr[start]), int(indptr[stop] - full_indptr[start])
        if begin != end:
            indices[end : end + count] = indices[begin : begin + count]
            data[end : end + count] = data[begin : begin + count]
            indptr[start + 1 : stop + 1] += end - begin
        end += count
    if end < len(indices) // 2:  # do not keep large empty tails alive
        indptr, indices, data = indptr.copy(), indices[:end].copy(), data[:end].copy()
    return csr(indptr, indices[:end], data[:end])


def index_kind(size: int) -> type[np.signedinteger[Any]]:
    """The integer type of the row pointers of a matrix with this many entries."""
    return np.int32 if size < 2**31 else np.int64


def csr(indptr: Ints, indices: Ints, data: npt.NDArray[Any]) -> sp.csr_array:
    """A square ``csr_array`` from arrays that are known to be sorted and free of duplicates."""
    matrix = sp.csr_array((len(indptr) - 1, len(indptr) - 1), dtype=data.dtype)
    # not with the constructor, which copies arrays that are part of a larger block
    matrix.indptr, matrix.indices, matrix.data = indptr, indices.astype(indptr.dtype, copy=False), data
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix
