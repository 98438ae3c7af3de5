"""Sparse features: X Θ without making X dense, and a gradient that costs the same again."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.nn.quiet import quiet_sparse


class SparseTable:
    """A constant sparse matrix X ``[N, F]`` with its transpose beside it.

    Torch's own gradient of a sparse product transposes X at every step, which takes ten times as long as the product.

    Args:
        x: A SciPy sparse matrix.
    """

    def __init__(self, x: Any) -> None:
        self.shape: tuple[int, int] = x.shape
        self.matrix, self.transposed = _csr(x), _csr(x.T)

    def __matmul__(self, dense: Tensor) -> Tensor:
        """X Θ ``[N, C]``, differentiable in Θ."""
        product: Tensor = _Product.apply(dense, self)  # type: ignore[no-untyped-call]
        return product


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, dense: Tensor, table: SparseTable) -> Tensor:
        ctx.table = table
        return table.matrix @ dense

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return ctx.table.transposed @ gradient.contiguous(), None


def _csr(x: Any) -> Tensor:
    table = sp.csr_array(x, dtype=np.float32)
    table.sort_indices()
    indptr, indices = (torch.tensor(part, dtype=torch.int64) for part in (table.indptr, table.indices))
    with quiet_sparse():
        return torch.sparse_csr_tensor(indptr, indices, torch.tensor(table.data), table.shape, check_invariants=False)
