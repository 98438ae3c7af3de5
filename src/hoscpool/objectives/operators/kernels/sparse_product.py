"""Sparse matrix times dense matrix, a range of rows at a time.

The inner loop is written with vector instructions. Numba alone would not keep the sum in registers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hoscpool.support.compiled import compiled

Array = Any
_CACHE_LINE = 64
_STRANDS_BYTES = 128  # registers for parallel sums: a single sum would wait for the end of each addition
_INT32, _INT64, _BYTES = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()


@intrinsic
def sum_rows(
    typing_context: Any,  # noqa: ARG001
    lanes: Any,
    ahead: Any,
    indices: Any,
    values: Any,
    table: Any,
    out: Any,
    first: Any,  # noqa: ARG001
    stop: Any,  # noqa: ARG001
    stride: Any,  # noqa: ARG001
    column: Any,  # noqa: ARG001
    place: Any,  # noqa: ARG001
) -> Any:
    """``out[place : place + W] = Σ_p values[p] · table[indices[p] · stride + column …]`` for p in [first, stop).

    W is the length of the tuple ``lanes``. ``table`` and ``out`` are flat. Without ``values`` every weight is 1.
    With ``ahead``, the row needed that many entries later is prefetched, also past ``stop``, where the next sum begins.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = [context.make_array(kind)(context, builder, arg).data for kind, arg in _arrays(signature, args)]
        loop = _Loop(builder, arrays, len(signature.args[0]), is_weighted=len(arrays) == 4)
        ahead = None if signature.args[1] is types.none else args[1]
        loop.emit(ahead, _last(context, builder, signature.args[2], args[2]), *args[6:])
        return context.get_dummy_value()

    integers = (types.int64,) * 5
    return types.void(lanes, ahead, indices, values, table, out, *integers), codegen


def _arrays(signature: Any, args: Any) -> list[tuple[Any, Any]]:
    return [(kind, arg) for kind, arg in zip(signature.args[2:6], args[2:6], strict=True) if kind is not types.none]


def _last(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The last index of an array."""
    return builder.sub(context.make_array(kind)(context, builder, array).nitems, _INT64(1))


class _Loop:
    """Generates the loop over p, with the running sums in vector variables."""

    def __init__(self, builder: Any, arrays: list[Any], width: int, is_weighted: bool) -> None:
        self.builder = builder
        self.indices, self.table, self.out = arrays[0], arrays[-2], arrays[-1]
        self.values = arrays[1] if is_weighted else None
        self.scalar = self.table.type.pointee
        self.vector = ir.VectorType(self.scalar, width)
        self.width = width
        self.bytes = 4 if isinstance(self.scalar, ir.FloatType) else 8

    def emit(self, ahead: Any, last: Any, first: Any, stop: Any, stride: Any, column: Any, place: Any) -> None:
        """Sum several entries per step in independent sums, then the remaining entries, then add up the sums."""
        b, strands = self.builder, max(1, _STRANDS_BYTES // (self.width * self.bytes))
        zero = ir.Constant(self.vector, [0.0] * self.width)

        def step(p: Any, totals: list[Any]) -> list[Any]:
            entries = [b.add(p, _INT64(offset)) for offset in range(len(totals))]
            for q in entries if ahead is not None else ():
                self._prefetch(b.add(q, ahead), last, stride, column)
            return [self._add(t, q, self._row(q, stride, column)) for t, q in zip(totals, entries, strict=True)]

        p, totals = self._repeat(first, stop, [zero] * strands, step)
        _, (total,) = self._repeat(p, stop, totals[:1], step)
        for other in totals[1:]:
            total = b.fadd(total, other)
        b.store(total, b.bitcast(b.gep(self.out, [place]), self.vector.as_pointer()), align=self.bytes)

    def _repeat(self, start: Any, stop: Any, totals: list[Any], step: Any) -> tuple[Any, list[Any]]:
        """A loop whose step takes one entry per total. Returns the index where it ended, and the totals."""
        b, before = self.builder, self.builder.block
        head, body, done = (b.append_basic_block(f"sum_rows.{name}") for name in ("head", "body", "done"))
        b.branch(head)
        b.position_at_end(head)
        p, running = b.phi(_INT64), [b.phi(self.vector) for _ in totals]
        p.add_incoming(start, before)
        beyond = b.add(p, _INT64(len(totals)))
        b.cbranch(b.icmp_signed("<=", beyond, stop), body, done)
        b.position_at_end(body)
        for phi, total, increased in zip(running, totals, step(p, running), strict=True):
            phi.add_incoming(total, before)
            phi.add_incoming(increased, body)
        p.add_incoming(beyond, body)
        b.branch(head)
        b.position_at_end(done)
        return p, running

    def _row(self, p: Any, stride: Any, column: Any) -> Any:
        """Address of the part of the table row that entry p refers to."""
        row = self.builder.sext(self.builder.load(self.builder.gep(self.indices, [p])), _INT64)
        return self.builder.gep(self.table, [self.builder.add(self.builder.mul(row, stride), column)])

    def _add(self, total: Any, p: Any, address: Any) -> Any:
        b = self.builder
        piece = b.load(b.bitcast(address, self.vector.as_pointer()), align=self.bytes)
        if self.values is None:
            return b.fadd(total, piece)
        undefined = ir.Constant(self.vector, ir.Undefined)
        weight = b.insert_element(undefined, b.load(b.gep(self.values, [p])), _INT32(0))
        everywhere = ir.Constant(ir.VectorType(_INT32, self.width), [0] * self.width)
        kind = ir.FunctionType(self.vector, [self.vector] * 3)
        fma = cgutils.get_or_insert_function(b.module, kind, f"llvm.fma.v{self.width}f{8 * self.bytes}")
        return b.call(fma, [b.shuffle_vector(weight, undefined, everywhere), piece, total])

    def _prefetch(self, p: Any, last: Any, stride: Any, column: Any) -> None:
        b = self.builder
        address = self._row(b.select(b.icmp_signed("<", p, last), p, last), stride, column)
        kind = ir.FunctionType(ir.VoidType(), [_BYTES, _INT32, _INT32, _INT32])
        function = cgutils.get_or_insert_function(b.module, kind, "llvm.prefetch.p0")
        for line in range(0, self.width * self.bytes, _CACHE_LINE):
            near = b.bitcast(b.gep(address, [_INT64(line // self.bytes)]), _BYTES)
            b.call(function, [near, _INT32(0), _INT32(3), _INT32(1)])  # read, keep in all caches, data


@compiled()
def multiply_rows(
    lanes: Any,
    ahead: Any,
    indptr: Array,
    indices: Array,
    values: Array,
    table: Array,
    out: Array,
    column: int,
    begin: int,
    end: int,
) -> None:
    """Rows ``begin`` to ``end`` of A·S, columns ``column`` to ``column + len(lanes)``.

    Args:
        lanes: A tuple whose length is the number of columns, known when the kernel is compiled.
        ahead: How many entries ahead to prefetch, int64, or ``None`` if the table fits in the cache.
        indptr: Row pointers of A, int64.
        indices: Column indices of A, int32.
        values: Entries of A, or ``None`` if all are 1.
        table: S, contiguous.
        out: A·S, contiguous. This function fills it. It may have more columns than the table.
        column: The first column.
        begin: The first row.
        end: The row after the last.
    """
    stride, out_stride = np.int64(table.shape[1]), np.int64(out.shape[1])
    flat_table, flat_out = table.ravel(), out.ravel()
    for i in range(begin, end):
        place = np.int64(i) * out_stride + column
        first, stop = np.int64(indptr[i]), np.int64(indptr[i + 1])
        sum_rows(lanes, ahead, indices, values, flat_table, flat_out, first, stop, stride, np.int64(column), place)
