"""Write values on edges as CSR matrices, without sorting or searching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.support.machine import empty_arrays
from hoscpool.support.threads import run_ranges

if TYPE_CHECKING:
    from hoscpool.motifs.counting.skeleton import Skeleton

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
