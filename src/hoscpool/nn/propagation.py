"""One step of message passing, A·H, on an edge list or on a dense adjacency."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Protocol

import torch
from torch import Tensor

from hoscpool.nn.cache import cached
from hoscpool.nn.sparse_propagation import SparsePropagation, log_weight
from hoscpool.objectives import Adjacency
from hoscpool.objectives.adjacency import multiply_flat


class Product(Protocol):
    """A graph that can multiply. A method and not ``@``, which torch.compile does not follow."""

    def propagate(self, h: Tensor) -> Tensor:
        """Sum over the neighbours j of node i of A_ij h_j, in the type of h."""


class Propagation(Product, Protocol):
    """What an encoder needs of a graph, whatever its storage."""

    @property
    def degree(self) -> Tensor:
        """Sum of the weights that arrive at every node, ``[..., N, 1]``."""

    def attend(self, source: Tensor, target: Tensor, values: Tensor, slope: float) -> Tensor:
        """Σ_j α_ij values_j with α_ij ∝ A_ij exp(leaky_relu(source_j + target_i)) and A_ii = 1; ``[..., N, H, C]``."""


def propagation(
    x: Tensor, edge_index: Tensor | None, edge_weight: Tensor | None, adjacency: Tensor | None
) -> Propagation:
    """The graph as an operator, kept with ``edge_index`` for the next layer that asks."""
    if adjacency is not None:
        return DensePropagation(adjacency)
    assert edge_index is not None  # the caller checked
    index, size, dtype = edge_index, x.size(0), x.dtype
    key = ("propagation", size, dtype)
    return cached(key, index, edge_weight, lambda: SparsePropagation(index, edge_weight, size, dtype))


class DensePropagation:
    """A·H for an adjacency ``[B, N, N]``."""

    def __init__(self, adjacency: Tensor) -> None:
        self.adjacency = adjacency

    @cached_property
    def degree(self) -> Tensor:
        """Row sums, ``[B, N, 1]``."""
        return self.adjacency.sum(dim=-1, keepdim=True)

    def propagate(self, h: Tensor) -> Tensor:
        """A·H."""
        return self.adjacency.to(h.dtype) @ h

    def attend(self, source: Tensor, target: Tensor, values: Tensor, slope: float) -> Tensor:
        """Weighted attention, see `Propagation`."""
        eye = torch.eye(self.adjacency.size(-1), dtype=torch.bool, device=self.adjacency.device)
        weight = self.adjacency.to(values.dtype).masked_fill(eye, 1.0)  # [B, N, N]
        score = torch.nn.functional.leaky_relu(source.unsqueeze(1) + target.unsqueeze(2), slope)  # [B, N, N, H]
        alpha = (score + log_weight(weight).unsqueeze(-1)).softmax(dim=2)
        return torch.einsum("bijh,bjhc->bihc", alpha.to(values.dtype), values)


class FlatPropagation:
    """A·H for an adjacency ``[B, n, n]`` over a flat table of B·n nodes."""

    def __init__(self, adjacency: Tensor) -> None:
        self._dense = DensePropagation(adjacency)
        self._shape = adjacency.shape[:2]

    @cached_property
    def degree(self) -> Tensor:
        """Row sums, ``[B·n, 1]``."""
        return self._dense.degree.flatten(0, 1)

    def propagate(self, h: Tensor) -> Tensor:
        """A·H."""
        return multiply_flat(self._dense.adjacency.to(h.dtype), h)

    def attend(self, source: Tensor, target: Tensor, values: Tensor, slope: float) -> Tensor:
        """Weighted attention, see `Propagation`."""
        source, target, values = (part.view(*self._shape, *part.shape[1:]) for part in (source, target, values))
        return self._dense.attend(source, target, values, slope).flatten(0, 1)


class SymmetricPropagation:
    """A·H by an operator that is already there; its edges are listed for attention alone.

    Args:
        adjacency: The operator over N nodes.
        edges: Lists its entries: ``(edge_index, edge_weight)``.
        counts: How many nodes every row stands for, ``[N]``; the rows of the operator are sums over these.
    """

    def __init__(
        self, adjacency: Adjacency, edges: Callable[[], tuple[Tensor, Tensor | None]], counts: Tensor | None = None
    ) -> None:
        self._adjacency, self._edges = adjacency, edges
        self._counts = None if counts is None else counts.unsqueeze(1)

    @property
    def degree(self) -> Tensor:
        """Row sums, ``[N, 1]``."""
        degree = self._adjacency.degree.unsqueeze(-1)
        return degree if self._counts is None else degree / self._counts

    def propagate(self, h: Tensor) -> Tensor:
        """A·H."""
        arriving = self._adjacency @ h
        return arriving if self._counts is None else arriving / self._counts

    def attend(self, source: Tensor, target: Tensor, values: Tensor, slope: float) -> Tensor:
        """Weighted attention, see `Propagation`."""
        edge_index, edge_weight = self._edges()
        listed = SparsePropagation(edge_index, edge_weight, self._adjacency.num_nodes, values.dtype)
        return listed.attend(source, target, values, slope)
