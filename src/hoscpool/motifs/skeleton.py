"""The undirected structure under a graph, with every edge oriented from lower to higher (degree, id).

Orientation bounds the out-degrees by √(2m), which is what makes triangle and clique counting fast. An edge is known by
its *slot*: its place in the row-wise list of oriented edges. Values on edges are arrays over slots throughout.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.motifs.parallel import balanced_ranges, run_ranges

IntArray = npt.NDArray[np.int64]

SMALL_WORK = 400_000
"""Up to this many walks of two steps NumPy answers faster than numba loads its compiled kernels."""
_CHUNK = 1 << 22


class Skeleton:
    """Oriented edges of an undirected graph.

    Args:
        graph: An undirected graph (`Graph.undirected` makes one).
        n_threads: Number of threads of the compiled passes.

    Attributes:
        offsets: Row pointers of the oriented edges, int32 ``[N + 1]``.
        target: Higher end of every slot ``[m]``, ascending within a row.
        is_up: Which entries of the graph's CSR structure are oriented edges ``[2m]``.
    """

    def __init__(self, graph: Graph, n_threads: int = 1) -> None:
        if graph.num_edges >= 2**31 - 1:
            raise ValueError(f"graph has {graph.num_edges:,} edges; at most 2,147,483,646 are supported")
        self.graph = graph
        self.n_threads = n_threads
        self.indptr, self.indices = graph.indptr, graph.indices
        self.degree = graph.degree
        self.num_nodes, self.num_edges = graph.num_nodes, graph.num_edges
        self.is_counted = False  # whether the cells hold the triangles on every edge
        self.is_small = int(self.degree @ self.degree) <= SMALL_WORK
        self._orient()

    def _orient(self) -> None:
        degree = self.degree.astype(np.int32)
        self.is_up = np.empty(len(self.indices), np.bool_)
        self.offsets = np.zeros(self.num_nodes + 1, np.int32)
        # target and a counter side by side: a triangle that is found increments on the cache line it was found on
        self.cells = np.zeros(2 * self.num_edges + 2, np.int32)
        if self.is_small:
            row = np.repeat(np.arange(self.num_nodes, dtype=np.int32), degree)
            there, here = degree[self.indices], degree[row]
            self.is_up[:] = (there > here) | ((there == here) & (self.indices > row))
            np.cumsum(np.bincount(row[self.is_up], minlength=self.num_nodes), out=self.offsets[1:])
            self.cells[: 2 * self.num_edges : 2] = self.indices[self.is_up]
        elif self.num_edges:
            from hoscpool.motifs.kernels.oriented import orient

            orient(self.indptr, self.indices, degree, self.offsets, self.cells, self.is_up)

    @property
    def target(self) -> npt.NDArray[np.int32]:
        """Higher end of every slot ``[m]``."""
        return self.cells[: 2 * self.num_edges : 2]

    @cached_property
    def source(self) -> npt.NDArray[np.int32]:
        """Lower end of every slot ``[m]``."""
        return np.repeat(np.arange(self.num_nodes, dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def width(self) -> int:
        """Largest out-degree."""
        return int(np.diff(self.offsets).max(initial=0))

    @cached_property
    def node_checks(self) -> IntArray:
        """Entries read when looking for triangles with a lowest node before each node, and in all ``[N + 1]``."""
        out_degree = np.diff(self.offsets).astype(np.int64)
        return np.concatenate(([0], np.cumsum(out_degree[self.target])))[self.offsets]

    @cached_property
    def node_walks(self) -> IntArray:
        """Walks of two steps that begin before each node, and in all ``[N + 1]``."""
        return np.concatenate(([0], np.cumsum(self.degree[self.indices])))[self.indptr]

    def scratch(self) -> tuple[Any, Any, Any]:
        """What one thread of the triangle kernels needs: table, mark, candidates."""
        return np.zeros(8192, np.uint8), np.zeros(self.num_nodes, np.int32), np.empty(self.width + 1, np.int32)

    def triangles(self) -> Iterator[npt.NDArray[np.int32]]:
        """The triangles u → v → w in batches ``[n, 3]`` of the slots (uv, uw, vw)."""
        if self.is_small:
            yield self._small_triangles()
            return
        from hoscpool.motifs.kernels.triangle import listing

        scratch, checks = self.scratch(), self.node_checks
        for start, stop in balanced_ranges(checks, -(-int(checks[-1]) // _CHUNK)):
            out = np.empty((int(checks[stop] - checks[start]), 3), np.int32)
            count = listing(self.offsets, self.cells, start, stop, *scratch, out)
            yield out[:count]

    def _small_triangles(self) -> npt.NDArray[np.int32]:
        """All paths u → v → w, kept where u → w is a slot too."""
        target, offsets = self.target, self.offsets
        sizes = np.diff(offsets)[target]
        first = np.repeat(np.arange(self.num_edges), sizes)  # slot uv
        step = np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        last = offsets[target[first]] + step  # slot vw
        closing = self._slots(self.source[first], target[last])  # slot uw
        hit = np.flatnonzero(closing >= 0)
        return np.column_stack([first[hit], closing[hit], last[hit]]).astype(np.int32)

    def slots_between(self, a: npt.NDArray[Any], b: npt.NDArray[Any]) -> IntArray:
        """The slot of every pair of nodes, whichever is the lower, or −1 where they are not joined."""
        return np.maximum(self._slots(a, b), self._slots(b, a))

    def _slots(self, lower: npt.NDArray[Any], higher: npt.NDArray[Any]) -> IntArray:
        wanted = lower.astype(np.int64) * self.num_nodes + higher
        place = np.searchsorted(self._keys, wanted)
        return np.where(np.append(self._keys, -1)[place] == wanted, place, -1)

    @cached_property
    def _keys(self) -> IntArray:
        return self.source.astype(np.int64) * self.num_nodes + self.target

    def matrix(self, values: npt.NDArray[Any]) -> sp.csr_array:
        """The symmetric matrix with these values on the slots; zeros are not stored."""
        if self.is_small or not self.num_edges:
            keep = np.flatnonzero(values)
            data = values[keep].astype(np.float64 if values.dtype.kind == "f" else np.int64)
            shape = (self.num_nodes, self.num_nodes)
            upper = sp.coo_array((data, (self.source[keep], self.target[keep])), shape=shape)
            full = sp.csr_array(upper + upper.T)
            full.sort_indices()
            return full
        return self._emit(values)

    def _emit(self, values: npt.NDArray[Any]) -> sp.csr_array:
        from hoscpool.motifs.kernels.oriented import cursors, emit

        stride = values.strides[0] // values.itemsize  # counters of the triangle pass lie between the targets
        flat = np.lib.stride_tricks.as_strided(values, ((len(values) - 1) * stride + 1,), (values.itemsize,))
        kind = np.float64 if values.dtype.kind == "f" else np.int64
        size = len(self.indices) + 1  # the kernel writes one entry ahead
        out_indices, out_data = np.empty(size, np.int32), np.empty(size, kind)
        row_ends = np.empty(self.num_nodes, np.int64)

        def rows(start: int, stop: int) -> None:
            cursor = cursors(self.offsets, self.cells, start)
            emit(self.indptr, self.indices, self.is_up, self.offsets, cursor, flat, stride, start, stop,
                 row_ends, out_indices, out_data)  # fmt: skip

        # one range a thread: each pays for its cursors once, and writes from where its rows begin in the full structure
        ranges = run_ranges(lambda: rows, self.indptr, self.n_threads, self.n_threads)
        return _compact(ranges, self.indptr, row_ends, out_indices, out_data)


def _compact(
    ranges: list[tuple[int, int]], indptr: IntArray, row_ends: IntArray, indices: Any, data: Any
) -> sp.csr_array:
    """Close the gaps between the ranges' output, in place."""
    end = 0
    for start, stop in ranges:
        begin, count = int(indptr[start]), int(row_ends[stop - 1] - indptr[start])
        if begin != end:
            indices[end : end + count] = indices[begin : begin + count]
            data[end : end + count] = data[begin : begin + count]
            row_ends[start:stop] += end - begin
        end += count
    if end < len(indices) // 2:  # do not keep large empty tails alive
        indices, data = indices[:end].copy(), data[:end].copy()
    return csr(np.concatenate(([0], row_ends)), indices[:end], data[:end])


def csr(indptr: IntArray, indices: Any, data: Any) -> sp.csr_array:
    """A square ``csr_array`` from arrays that are known to be sorted and free of duplicates."""
    matrix = sp.csr_array((data, indices, indptr), shape=(len(indptr) - 1, len(indptr) - 1))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix
