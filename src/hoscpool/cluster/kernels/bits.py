"""A table of zeros and ones times a dense matrix, by lookup (the method of the Four Russians).

Four columns of the table are four bits: they select one of 16 sums of four rows of the dense matrix. These are computed
once, and then one addition does what up to four did. Sums of 32 columns from 8 groups of bits fit in the first cache.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

BITS, GROUPS, LANES = 4, 8, 32
"""Bits of a group, groups of a block, and columns of the dense matrix that are summed at a time."""
_SUMS = 1 << BITS
Array = Any


@intrinsic
def _add(
    typing_context: Any,  # noqa: ARG001
    lanes: Any,
    base: Any,
    at: Any,  # noqa: ARG001
    table: Any,
    starts: Any,
    out: Any,
    place: Any,  # noqa: ARG001
) -> Any:
    """``out[place : place + W] = base[at : at + W] + Σ_g table[starts[g] : starts[g] + W]``, W the length of ``lanes``.

    In vector variables: numba by itself would store the sum after each addition. All arrays are flat.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        first, second, result = (context.make_array(kinds[i])(context, builder, args[i]).data for i in (1, 3, 5))
        vector = ir.VectorType(result.type.pointee, len(kinds[0])).as_pointer()

        def piece(array: Any, start: Any) -> Any:
            return builder.bitcast(builder.gep(array, [start]), vector)

        align = kinds[5].dtype.bitwidth // 8
        starts = [builder.extract_value(args[4], group) for group in range(len(kinds[4]))]
        places = [piece(first, args[2]), *(piece(second, start) for start in starts)]
        terms = [builder.load(place, align=align) for place in places]
        while len(terms) > 1:  # in pairs, so that no addition waits for all before it
            pairs = [builder.fadd(one, other) for one, other in zip(terms[::2], terms[1::2], strict=False)]
            terms = pairs + terms[2 * len(pairs) :]
        builder.store(terms[0], piece(result, args[6]), align=align)
        return context.get_dummy_value()

    return types.void(lanes, base, types.int64, table, starts, out, types.int64), codegen


@numba.njit(nogil=True, cache=True)
def multiply_bits(lanes: Any, codes: Array, dense: Array, out: Array, begin: int, end: int) -> None:
    """Rows ``begin`` to ``end`` of X·S.

    Args:
        lanes: A tuple of length `LANES`, known when the kernel is compiled.
        codes: The bits of X, uint8 ``[blocks, N, GROUPS]``, as `pack_bits` makes them.
        dense: S ``[F, C]``, contiguous, C a multiple of `LANES`.
        out: X·S ``[N, C]``, contiguous, filled here.
        begin: The first row.
        end: The row after the last.
    """
    num_rows, stride = dense.shape
    flat_dense, flat_out = dense.ravel(), out.ravel()
    sums = np.zeros(GROUPS * _SUMS * LANES, dense.dtype)
    size = _SUMS * LANES
    if codes.shape[0] == 0:
        out[begin:end] = 0
    for column in range(0, stride, LANES):
        for block in range(codes.shape[0]):
            for group in range(GROUPS):
                first = (block * GROUPS + group) * BITS
                _fill(lanes, flat_dense, stride, first, num_rows, column, sums, group * size)
            so_far = flat_out if block else sums  # the first sum is that of no row, 0
            for i in range(begin, end):
                place = np.int64(i * stride + column)
                starts = (
                    np.int64(codes[block, i, 0]) * LANES,
                    np.int64(codes[block, i, 1]) * LANES + size,
                    np.int64(codes[block, i, 2]) * LANES + 2 * size,
                    np.int64(codes[block, i, 3]) * LANES + 3 * size,
                    np.int64(codes[block, i, 4]) * LANES + 4 * size,
                    np.int64(codes[block, i, 5]) * LANES + 5 * size,
                    np.int64(codes[block, i, 6]) * LANES + 6 * size,
                    np.int64(codes[block, i, 7]) * LANES + 7 * size,
                )
                _add(lanes, so_far, place if block else np.int64(0), sums, starts, flat_out, place)


@numba.njit(nogil=True, cache=True)
def _fill(
    lanes: Any, dense: Array, stride: int, first: int, num_rows: int, column: int, sums: Array, begin: int
) -> None:
    """All sums of the rows of one group, from ``begin`` on; that of none stays 0.

    The sums with a row are those without it, which come just before, plus that row. No code has bits past the last row.
    """
    for bit in range(BITS):
        row, half = first + bit, (1 << bit) * LANES
        if row < num_rows:
            for place in range(begin, begin + half, LANES):
                source = np.int64(row * stride + column)
                _add(lanes, dense, source, sums, (np.int64(place),), sums, np.int64(place + half))


@numba.njit(cache=True)
def pack_bits(indptr: Array, indices: Array, codes: Array, transposed: Array) -> None:
    """The pattern of a sparse matrix and of its transpose as bits.

    Args:
        indptr: Row pointers ``[N + 1]``.
        indices: Columns.
        codes: uint8 ``[⌈F / 32⌉, N, GROUPS]``, zeros, filled here: bit j % 4 of group j // 4 of row i is entry (i, j).
        transposed: uint8 ``[⌈N / 32⌉, F, GROUPS]``, zeros, filled here likewise.
    """
    width = BITS * GROUPS
    for i in range(len(indptr) - 1):
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            codes[j // width, i, j % width // BITS] |= np.uint8(1 << (j % BITS))
            transposed[i // width, j, i % width // BITS] |= np.uint8(1 << (i % BITS))
