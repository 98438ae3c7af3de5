"""Sparse features: X Θ without making X dense, and a gradient that costs the same again."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.objectives import Csr, multiply

DENSE = 0.4
"""Share of filled cells above which a dense table takes less time than a sparse one and its transpose."""
PIECE = 1024
"""Rows of the gradient that a core's own cache holds beside the columns that they are added to."""
WORTH_A_PIECE = 32
"""Entries that a column of X has in a piece on average, below which cutting X costs more than it gains."""


class SparseTable:
    """A constant sparse matrix X ``[N, F]`` with its transpose beside it, in pieces of rows of X.

    Both products are those of the adjacency's kernel. Torch's own gradient of a sparse product transposes X at every
    step, which takes ten times as long as the product.

    Args:
        x: A SciPy sparse matrix.
    """

    def __init__(self, x: Any) -> None:
        table = sp.csr_array(x, dtype=np.float32)
        table.sum_duplicates()
        self.shape: tuple[int, int] = table.shape
        rows, columns = table.shape
        worth = table.nnz >= WORTH_A_PIECE * columns * -(-rows // PIECE)
        self.size = PIECE if worth else max(rows, 1)
        self.matrix = _csr(table)
        self.pieces = [_csr(table[begin : begin + self.size].T) for begin in range(0, max(rows, 1), self.size)]

    def __matmul__(self, dense: Tensor) -> Tensor:
        """X Θ ``[N, C]``, differentiable in Θ."""
        product: Tensor = _Product.apply(dense, self)  # type: ignore[no-untyped-call]
        return product

    def transposed_product(self, dense: Tensor) -> Tensor:
        """Xᵀ G ``[F, C]``."""
        total = dense.new_zeros(self.shape[1], dense.shape[1])
        for number, piece in enumerate(self.pieces):
            total += multiply(piece, dense[number * self.size : (number + 1) * self.size])
        return total


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, dense: Tensor, table: SparseTable) -> Tensor:
        ctx.table = table
        return multiply(table.matrix, dense)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return ctx.table.transposed_product(gradient), None


def _csr(x: Any) -> Csr:
    table = sp.csr_array(x)
    table.sort_indices()
    indptr, indices = torch.tensor(table.indptr, dtype=torch.int64), torch.tensor(table.indices, dtype=torch.int32)
    return Csr(indptr, indices, None if (table.data == 1).all() else torch.tensor(table.data))
