"""Sparse features: X Θ without making X dense, and a gradient that costs the same again."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.cluster.bit_table import FILLED, BitTable
from hoscpool.objectives.operators.product import Csr, multiply

DENSE = 0.4
"""Share of filled cells above which a dense table takes less time than a sparse one and its transpose."""
PIECE = 1024
"""Rows of the gradient that a core's own cache holds beside the columns that they are added to."""
WORTH_A_PIECE = 32
"""Entries that a column of X has in a piece on average, below which cutting X costs more than it gains."""


class SparseTable:
    """A constant sparse matrix X ``[N, F]`` with its transpose beside it.

    Torch's own gradient of a sparse product transposes X at every step, which takes ten times as long as the product.

    Args:
        x: A SciPy sparse matrix.
    """

    def __init__(self, x: Any) -> None:
        table = sp.csr_array(x, dtype=np.float32)
        table.sum_duplicates()
        self.shape: tuple[int, int] = table.shape
        rows, columns = table.shape
        as_bits = table.nnz > FILLED * rows * columns and bool((table.data == 1).all())
        self.products: BitTable | CsrTable = BitTable(table) if as_bits else CsrTable(table)

    def __matmul__(self, dense: Tensor) -> Tensor:
        """X Θ ``[N, C]``, differentiable in Θ."""
        product: Tensor = _Product.apply(dense, self.products)  # type: ignore[no-untyped-call]
        return product


class CsrTable:
    """Both products with a sparse X by the kernel of the adjacency; the transpose is in pieces of rows of X.

    Args:
        x: A SciPy CSR matrix.
    """

    def __init__(self, x: Any) -> None:
        rows, columns = x.shape
        worth = x.nnz >= WORTH_A_PIECE * columns * -(-rows // PIECE)
        self.num_columns, self.size = columns, PIECE if worth else max(rows, 1)
        self.matrix = _csr(x)
        self.pieces = [_csr(x[begin : begin + self.size].T) for begin in range(0, max(rows, 1), self.size)]

    def product(self, dense: Tensor) -> Tensor:
        """X Θ ``[N, C]``."""
        return multiply(self.matrix, dense)

    def transposed_product(self, dense: Tensor) -> Tensor:
        """Xᵀ G ``[F, C]``."""
        total = dense.new_zeros(self.num_columns, dense.shape[1])
        for number, piece in enumerate(self.pieces):
            total += multiply(piece, dense[number * self.size : (number + 1) * self.size])
        return total


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, dense: Tensor, products: BitTable | CsrTable) -> Tensor:
        ctx.products = products
        return products.product(dense)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return ctx.products.transposed_product(gradient), None


def _csr(x: Any) -> Csr:
    table = sp.csr_array(x)
    table.sort_indices()
    indptr, indices = torch.tensor(table.indptr, dtype=torch.int64), torch.tensor(table.indices, dtype=torch.int32)
    return Csr(indptr, indices, None if (table.data == 1).all() else torch.tensor(table.data))
