"""Features that numba lacks: plain pointers, two machine instructions, and a loop that is not unrolled.

With ``NUMBA_BOUNDSCHECK=1`` pointers are arrays again, so that a test can check every index.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def pointer(typing_context: Any, array: Any) -> Any:  # noqa: ARG001
    """The memory of a contiguous array, indexed as in C: without negative indices and without reference counts.

    In short loops both would cost more than the work itself. The array must live longer than the pointer, so kernels
    take pointers only of their arguments.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), codegen


@intrinsic
def prefetch(typing_context: Any, memory: Any, index: Any) -> Any:  # noqa: ARG001
    """Prefetch ``memory[index]`` into the cache. It is a hint and never faults."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        byte_pointer, int32 = ir.IntType(8).as_pointer(), ir.IntType(32)
        address = builder.bitcast(builder.gep(args[0], [args[1]]), byte_pointer)
        kind = ir.FunctionType(ir.VoidType(), [byte_pointer, int32, int32, int32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [address, int32(0), int32(3), int32(1)])  # read, keep in all caches, data
        return context.get_dummy_value()

    return types.void(memory, types.int64), codegen


@intrinsic
def following(typing_context: Any, index: Any) -> Any:  # noqa: ARG001
    """``index + 1``, hidden from the optimiser.

    A loop with this step is not unrolled. Unrolling slows short loops down, because of their unpredictable remainder.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        int64 = ir.IntType(64)
        kept = builder.asm(ir.FunctionType(int64, [int64]), "", "=r,0", [args[0]], False)
        return builder.add(kept, int64(1))

    return types.int64(types.int64), codegen


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:  # noqa: ARG001
    """Number of set bits of a uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


if config.BOUNDSCHECK:
    pointer = njit(lambda array: array.reshape(-1))
    prefetch = njit(lambda memory, index: None)  # noqa: ARG005
