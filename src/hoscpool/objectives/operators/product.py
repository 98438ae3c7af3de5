"""A·S for a sparse A, by a compiled kernel or by torch, and the precision in which products are summed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from hoscpool.support.errors import ignoring
from hoscpool.support.threads import balanced_ranges

BLOCKS = (64, 32, 16, 8, 4)
"""Numbers of columns that the kernel is compiled for."""
NEAR = 1_000_000
"""A dense matrix of up to this many bytes stays in a core's own cache. For larger ones prefetching pays."""
AHEAD = 16
"""How many entries ahead to prefetch."""
KERNEL_TYPES = (torch.float32, torch.float64)
"""Types that the kernel is compiled for."""
WORTH_A_THREAD = 4_000_000
"""Below this many multiplications a second thread costs more than it gains."""


class Csr(NamedTuple):
    """A sparse matrix on one device: row pointers int64 ``[N + 1]``, columns int32, values (``None``: all 1)."""

    indptr: Tensor
    indices: Tensor
    values: Tensor | None

    def to(self, dtype: torch.dtype, device: torch.device) -> Csr:
        """The same matrix with values of that type on that device."""
        values = None if self.values is None else self.values.to(device, dtype)
        return Csr(self.indptr.to(device), self.indices.to(device), values)

    @property
    def num_rows(self) -> int:
        """Number of rows N."""
        return len(self.indptr) - 1

    def to_torch(self, dtype: torch.dtype, num_columns: int) -> Tensor:
        """The same matrix as a torch CSR tensor."""
        ones = torch.ones(len(self.indices), dtype=dtype, device=self.indices.device)
        values, shape = ones if self.values is None else self.values.to(dtype), (self.num_rows, num_columns)
        with quiet_sparse():
            return torch.sparse_csr_tensor(self.indptr, self.indices.long(), values, shape, check_invariants=False)


def multiply(matrix: Csr, dense: Tensor) -> Tensor:
    """A·S ``[N, K]``, without gradients on the CPU.

    On the CPU a numba kernel sums the rows in float32 or float64. Half precision is computed in float32. It uses as
    many threads as torch, and the result does not depend on their number. Other devices use ``torch.sparse.mm``.
    """
    if torch.compiler.is_compiling():
        opaque: Tensor = _opaque(matrix.indptr, matrix.indices, matrix.values, dense)
        return opaque
    if dense.device.type != "cpu":
        product: Tensor = torch.sparse.mm(matrix.to_torch(dense.dtype, len(dense)), dense)
        return product
    if dense.dtype not in KERNEL_TYPES:
        return _multiply_on_cpu(matrix, dense.float()).to(dense.dtype)
    return _multiply_on_cpu(matrix, dense)


@torch.library.custom_op(
    "hoscpool::multiply",
    mutates_args=(),
    schema="(Tensor indptr, Tensor indices, Tensor? values, Tensor dense) -> Tensor",
)
def _opaque(indptr: Tensor, indices: Tensor, values: Tensor | None, dense: Tensor) -> Tensor:
    """The product as one opaque operation for torch.compile."""
    return multiply(Csr(indptr, indices, values), dense)


@_opaque.register_fake
def _shape_of_opaque(indptr: Tensor, indices: Tensor, values: Tensor | None, dense: Tensor) -> Tensor:  # noqa: ARG001
    return dense.new_empty(indptr.shape[0] - 1, dense.shape[1])


def _multiply_on_cpu(matrix: Csr, dense: Tensor) -> Tensor:
    num_columns = dense.shape[1]
    out = dense.new_empty(matrix.num_rows, _split(num_columns)[0])
    _fill_on_cpu(matrix, dense, out)
    return out if out.shape[1] == num_columns else out[:, :num_columns].contiguous()


def _fill_on_cpu(matrix: Csr, dense: Tensor, out: Tensor) -> None:
    """A·S as the first columns of a table that is at least as wide as `_split` says."""
    from hoscpool.objectives.operators.kernels.sparse_product import multiply_rows

    width, blocks = _split(dense.shape[1])
    table = _padded(dense.detach(), width)
    values = None if matrix.values is None else matrix.values.to(dense.dtype).numpy()
    arrays = (matrix.indptr.numpy(), matrix.indices.numpy(), values, table.numpy(), out.detach().numpy())
    ahead = AHEAD if table.nbytes > NEAR else None

    def rows(begin: int, end: int) -> None:
        for column, columns in blocks:
            multiply_rows((0,) * columns, ahead, *arrays, column, begin, end)

    threads = _worth_threads(len(matrix.indices) * width)
    _over_ranges(rows, balanced_ranges(arrays[0], 1 if threads == 1 else 4 * threads), threads)


def _worth_threads(multiplications: int) -> int:
    """As many threads as torch uses, or one if more would cost more than they gain."""
    return torch.get_num_threads() if multiplications > WORTH_A_THREAD else 1


def _over_ranges(work: Callable[[int, int], None], ranges: Iterable[tuple[int, int]], threads: int) -> None:
    """Work on ranges of rows, in a pool of threads if there is more than one. The work must release the GIL."""
    if threads == 1:
        for begin, end in ranges:
            work(begin, end)
    else:
        list(_pool(threads, os.getpid()).map(lambda ends: work(*ends), ranges))


def _split(num_columns: int) -> tuple[int, list[tuple[int, int]]]:
    """The width of the tables, and the blocks that cover them: the first column and the width of each block.

    A single block covers a padded table. The last of several blocks ends at the last column, so it may repeat columns.

    Examples:
        >>> _split(3), _split(15), _split(47), _split(130)
        ((4, [(0, 4)]), (16, [(0, 16)]), (47, [(0, 32), (31, 16)]), (130, [(0, 64), (64, 64), (122, 8)]))
    """
    left = num_columns if num_columns <= BLOCKS[-1] else -(-num_columns // 8) * 8
    blocks, column = [], 0
    while column < left:
        blocks.append((column, next((width for width in BLOCKS if width <= left - column), BLOCKS[-1])))
        column += blocks[-1][1]
    if len(blocks) < 2:
        return column, blocks
    return num_columns, [(min(begin, num_columns - width), width) for begin, width in blocks]


def _padded(dense: Tensor, width: int) -> Tensor:
    """S padded with zero columns to that width, contiguous."""
    if dense.shape[1] == width:
        return dense.contiguous()
    padded = dense.new_zeros(len(dense), width)
    padded[:, : dense.shape[1]] = dense
    return padded


@lru_cache(maxsize=1)
def _pool(threads: int, _process: int) -> ThreadPoolExecutor:
    """A pool of threads that is kept. A forked process gets its own pool."""
    return ThreadPoolExecutor(threads, thread_name_prefix="hoscpool-product")


@contextmanager
def quiet_sparse() -> Iterator[None]:
    """Build sparse tensors without "beta state" and "invariant checks" warnings."""
    with (
        ignoring(message="Sparse CSR tensor support is in beta"),
        ignoring(message="Sparse invariant checks are implicitly disabled"),
    ):
        yield


HALVES = (torch.float16, torch.bfloat16)


def is_half(tensor: Tensor) -> bool:
    """Whether a tensor is float16 or bfloat16."""
    return tensor.dtype in HALVES


def widen(tensor: Tensor) -> Tensor:
    """Convert half precision to float32. Return other tensors unchanged."""
    return tensor.float() if tensor.dtype in HALVES else tensor


def is_autocast(device: torch.device) -> bool:
    """Whether torch lowers the precision of products on this device."""
    return torch.is_autocast_enabled(device.type)


def without_autocast(device: torch.device) -> AbstractContextManager[object]:
    """A context in which products keep the precision of their factors."""
    return torch.autocast(device.type, enabled=False) if is_autocast(device) else nullcontext()
