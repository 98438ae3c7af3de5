"""Adjacency matrices for losses: all storages share one interface with products and degrees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import torch
from torch import Tensor

from hoscpool.objectives.operators.product import Csr, multiply
from hoscpool.support.lazy import lazy


class Adjacency(ABC):
    """A symmetric matrix A ``[N, N]`` of weights ≥ 0 that can be multiplied with a flat assignment ``[N, K]``.

    Use [`as_adjacency`][hoscpool.objectives.as_adjacency] or
    [`wedge_operator`][hoscpool.objectives.wedge_operator] to build one.

    Attributes:
        degree: Row sums d = A·1, ``[N]``.
        batch: Graph of every node if the storage separates graphs (dense ``[B, n, n]``), else ``None``.
        mask: Which nodes are real, ``[N]``, if the storage has padding, else ``None``.
        requires_grad: Whether gradients flow to the matrix itself.
    """

    degree: Tensor
    batch: Tensor | None = None
    mask: Tensor | None = None
    requires_grad: bool = False

    @property
    def num_nodes(self) -> int:
        """Number of nodes N over all graphs, padding included."""
        return len(self.degree)

    @property
    def dtype(self) -> torch.dtype:
        """Type of the weights."""
        return self.degree.dtype

    @property
    def device(self) -> torch.device:
        """Where the matrix is kept."""
        return self.degree.device

    @property
    def is_empty(self) -> bool:
        """Whether there is no edge. Then every cut on this matrix is 0."""
        return not bool(self.degree.any())

    @abstractmethod
    def multiply(self, dense: Tensor) -> Tensor:
        """A·S ``[N, K]`` without gradients to S."""

    @abstractmethod
    def row_squares(self) -> Tensor:
        """Σ_j A_ij² of every node, ``[N]``."""

    @abstractmethod
    def to(self, dtype: torch.dtype | None = None, device: torch.device | str | None = None) -> Adjacency:
        """The same matrix in another type or on another device. Itself if nothing changes."""

    def dot(self, dense: Tensor) -> Tensor:
        """A·S ``[N, K]``, differentiable in S any number of times."""
        product: Tensor = _SymmetricProduct.apply(dense, self)  # type: ignore[no-untyped-call]
        return product

    def add_up(self, sums: Tensor) -> Tensor:
        """Sums over the rows that are stored here, as sums over all rows. Other processes may store the rest."""
        return sums

    def __matmul__(self, dense: Tensor) -> Tensor:
        """``A @ S`` is ``A.dot(S)``. Layers call the method, because torch.compile does not follow the operator."""
        return self.dot(dense)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.num_nodes:,} nodes, {self.dtype}, {self.device})"

    def _is_already(self, dtype: torch.dtype | None, device: torch.device | str | None) -> bool:
        return dtype in (None, self.dtype) and (device is None or torch.device(device) == self.device)


class SparseAdjacency(Adjacency):
    """Compressed sparse rows. Weights are constants.

    Args:
        matrix: The rows.
        degree: The sum of every row.
        squares: The result of `row_squares`, if it is not the sum of the squared entries.
    """

    def __init__(self, matrix: Csr, degree: Tensor, squares: Tensor | None = None) -> None:
        self.matrix = matrix
        self.degree = degree
        self._squares = squares

    def multiply(self, dense: Tensor) -> Tensor:
        """A·S ``[N, K]`` without gradients to S."""
        return multiply(self.matrix, dense)

    def row_squares(self) -> Tensor:
        """Σ_j A_ij² of every node, ``[N]``."""
        if self._squares is not None:
            return self._squares
        if self.matrix.values is None:
            return self.degree
        return multiply(self.matrix._replace(values=self.matrix.values**2), torch.ones_like(self.degree)[:, None])[:, 0]

    def to(self, dtype: torch.dtype | None = None, device: torch.device | str | None = None) -> Adjacency:
        """The same matrix in another type or on another device. Itself if nothing changes."""
        if self._is_already(dtype, device):
            return self
        degree = self.degree.to(device, dtype)
        squares = None if self._squares is None else self._squares.to(device, dtype)
        return SparseAdjacency(self.matrix.to(degree.dtype, degree.device), degree, squares)


class DenseAdjacency(Adjacency):
    """Dense ``[B, n, n]``, flattened to B·n nodes. Gradients flow to the matrix if it requires them."""

    def __init__(self, tensor: Tensor, mask: Tensor | None) -> None:
        self.tensor = tensor
        self.requires_grad = tensor.requires_grad
        self.mask = None if mask is None else mask.flatten()

    @lazy
    def degree(self) -> Tensor:
        """Row sums d = A·1, ``[N]``."""
        return self.tensor.sum(-1).flatten()

    @lazy
    def batch(self) -> Tensor | None:
        """Graph of every node, or ``None`` if there is only one graph."""
        graphs, size = self.tensor.shape[:2]
        return torch.arange(graphs, device=self.tensor.device).repeat_interleave(size) if graphs > 1 else None

    def multiply(self, dense: Tensor) -> Tensor:
        """A·S ``[N, K]``."""
        return multiply_flat(self.tensor, dense)

    def dot(self, dense: Tensor) -> Tensor:
        """A·S ``[N, K]``, differentiable in both."""
        return self.multiply(dense)

    def row_squares(self) -> Tensor:
        """Σ_j A_ij² of every node, ``[N]``."""
        return self.tensor.square().sum(-1).flatten()

    def to(self, dtype: torch.dtype | None = None, device: torch.device | str | None = None) -> Adjacency:
        """The same matrix in another type or on another device. Itself if nothing changes."""
        if self._is_already(dtype, device):
            return self
        return DenseAdjacency(self.tensor.to(device, dtype), None if self.mask is None else self.mask.to(device))


def multiply_flat(matrices: Tensor, dense: Tensor) -> Tensor:
    """Multiply every matrix ``[B, n, n]`` with its rows of a flat ``[B·n, K]``. The result is flat too."""
    return torch.bmm(matrices, dense.reshape(*matrices.shape[:2], dense.shape[1])).flatten(0, 1)


class _SymmetricProduct(torch.autograd.Function):
    """A·S for a constant symmetric A. The gradient is one more product with the same A."""

    @staticmethod
    def forward(ctx: Any, dense: Tensor, adjacency: Adjacency) -> Tensor:
        ctx.adjacency = adjacency
        return adjacency.multiply(dense)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return ctx.adjacency @ gradient, None


class MaskedAdjacency(Adjacency):
    """The matrices ``[B, n, n]`` without the rows and columns of padding. It multiplies ``[N, K]`` of N real nodes.

    Args:
        tensor: Symmetric weights ``[B, n, n]``, 0 outside the mask. Gradients flow to them.
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
        return self._padded.dot(padded)[self._rows]

    def dot(self, dense: Tensor) -> Tensor:
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
