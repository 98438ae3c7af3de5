"""Sparse features: X Θ without making X dense. The gradient costs as much as the product."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.objectives import Csr, multiply

DENSE = 0.4
"""If a larger share of the cells is filled, a dense table is faster than a sparse one with its transpose."""
PIECE = 1024
"""Rows in a piece. This many rows of the gradient, with the columns they are added to, fit into a core's cache."""
WORTH_A_PIECE = 32
"""With fewer entries per column and piece on average, cutting X into pieces costs more than it gains."""


class SparseTable:
    """A constant sparse matrix X ``[N, F]`` with its transpose, which is cut into pieces along the rows of X.

    Both products use the kernel of the adjacency. Torch's own gradient of a sparse product transposes X in every step,
    which takes ten times as long as the product.

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
