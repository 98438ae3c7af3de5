"""A dense adjacency with padding, over its real nodes only."""

from __future__ import annotations

import torch
from torch import Tensor

from hoscpool.objectives import Adjacency
from hoscpool.objectives.adjacency import DenseAdjacency


class MaskedAdjacency(Adjacency):
    """The matrices ``[B, n, n]`` without the rows and columns of padding: it multiplies ``[N, K]``, N real nodes.

    Args:
        tensor: Symmetric weights ``[B, n, n]``, 0 outside the mask; gradients reach them.
        mask: Real nodes ``[B, n]``.
    """

    def __init__(self, tensor: Tensor, mask: Tensor) -> None:
        self._padded: Adjacency = DenseAdjacency(tensor, None)
        self._rows = mask.flatten().nonzero().view(-1)
        self.degree = self._padded.degree[self._rows]
        self.requires_grad = tensor.requires_grad

    def multiply(self, dense: Tensor) -> Tensor:
        """A·S ``[N, K]``."""
        padded = dense.new_zeros(self._padded.num_nodes, dense.size(1)).index_copy(0, self._rows, dense)
        return (self._padded @ padded)[self._rows]

    def __matmul__(self, dense: Tensor) -> Tensor:
        """A·S ``[N, K]``, differentiable in both."""
        return self.multiply(dense)

    def row_squares(self) -> Tensor:
        """Σ_j A_ij² of every node, ``[N]``."""
        return self._padded.row_squares()[self._rows]

    def to(self, dtype: torch.dtype | None = None, device: torch.device | str | None = None) -> Adjacency:
        """The same matrix in another type or on another device."""
        moved = MaskedAdjacency.__new__(MaskedAdjacency)
        moved._padded, moved._rows = self._padded.to(dtype, device), self._rows.to(device)
        moved.degree, moved.requires_grad = moved._padded.degree[moved._rows], self.requires_grad
        return moved
