"""How an encoder multiplies by a graph: edge lists, dense and flat batches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Protocol

import torch
from torch import Tensor
from torch_geometric.utils import add_self_loops, remove_self_loops, softmax

from hoscpool.nn.batch.edge_cache import cached
from hoscpool.objectives import HALVES, Adjacency, multiply_flat, quiet_sparse, without_autocast
from hoscpool.support.lazy import lazy


class Product(Protocol):
    """A graph that multiplies. It uses a method, because torch.compile does not follow ``@``."""

    def propagate(self, h: Tensor) -> Tensor:
        """Sum over the neighbours j of node i of A_ij h_j, in the type of h."""


class Propagation(Product, Protocol):
    """What an encoder needs from a graph, for every kind of storage."""

    @property
    def degree(self) -> Tensor:
        """Sum of the weights that arrive at every node, ``[..., N, 1]``."""

    def attend(
        self, source: Tensor, target: Tensor, values: Tensor, slope: float, on_edge: Tensor | None = None
    ) -> Tensor:
        """Σ_j α_ij values_j with α_ij ∝ A_ij exp(leaky_relu(source_j + target_i + on_edge_ij)) and A_ii = 1.

        ``on_edge`` ``[E, H]`` belongs to ``edge_attr``. For A_ii it is the mean over the edges that arrive at node i.
        """

    @property
    def edge_attr(self) -> Tensor | None:
        """Features of the edges ``[E, D]``; ``None`` for a graph without them, as every coarsened graph is."""

    def gather(self, messages: Callable[[Tensor], Tensor]) -> Tensor:
        """Σ_j A_ij m_ij over the edges of `edge_attr`; ``messages`` takes the source of every edge ``[E]``."""


def propagation(
    x: Tensor,
    edge_index: Tensor | None,
    edge_weight: Tensor | None,
    adjacency: Tensor | None,
    edge_attr: Tensor | None = None,
) -> Propagation:
    """The graph as an operator. Without edge features it is cached with ``edge_index`` for the next layer."""
    if adjacency is not None:
        return DensePropagation(adjacency)
    assert edge_index is not None  # the caller checked
    index, size, dtype = edge_index, x.size(0), x.dtype
    if edge_attr is not None:
        return SparsePropagation(index, edge_weight, size, dtype, edge_attr)
    key = ("propagation", size, dtype)
    return cached(key, index, edge_weight, lambda: SparsePropagation(index, edge_weight, size, dtype))


class _WithoutEdgeFeatures:
    """A coarsened graph: its edges have weights and no features."""

    edge_attr = None

    def gather(self, messages: Callable[[Tensor], Tensor]) -> Tensor:
        """There is nothing to gather."""
        raise NotImplementedError


class DensePropagation(_WithoutEdgeFeatures):
    """A·H for an adjacency ``[B, N, N]``."""

    def __init__(self, adjacency: Tensor) -> None:
        self.adjacency = adjacency

    @lazy
    def degree(self) -> Tensor:
        """Row sums, ``[B, N, 1]``."""
        return self.adjacency.sum(dim=-1, keepdim=True)

    def propagate(self, h: Tensor) -> Tensor:
        """A·H."""
        return self.adjacency.to(h.dtype) @ h

    def attend(
        self, source: Tensor, target: Tensor, values: Tensor, slope: float, on_edge: Tensor | None = None
    ) -> Tensor:
        """Weighted attention, see `Propagation`."""
        assert on_edge is None  # there are no edge features
        eye = torch.eye(self.adjacency.size(-1), dtype=torch.bool, device=self.adjacency.device)
        weight = self.adjacency.masked_fill(eye, 1.0)  # [B, N, N], in its own type: half precision has no 1e5 or 1e-8
        score = torch.nn.functional.leaky_relu(source.unsqueeze(1) + target.unsqueeze(2), slope)  # [B, N, N, H]
        alpha = (score + log_weight(weight).unsqueeze(-1)).softmax(dim=2)
        return torch.einsum("bijh,bjhc->bihc", alpha.to(values.dtype), values)


class FlatPropagation(_WithoutEdgeFeatures):
    """A·H for an adjacency ``[B, n, n]`` over a flat table of B·n nodes."""

    def __init__(self, adjacency: Tensor) -> None:
        self._dense = DensePropagation(adjacency)
        self._shape = adjacency.shape[:2]

    @lazy
    def degree(self) -> Tensor:
        """Row sums, ``[B·n, 1]``."""
        return self._dense.degree.flatten(0, 1)

    def propagate(self, h: Tensor) -> Tensor:
        """A·H."""
        return multiply_flat(self._dense.adjacency.to(h.dtype), h)

    def attend(
        self, source: Tensor, target: Tensor, values: Tensor, slope: float, on_edge: Tensor | None = None
    ) -> Tensor:
        """Weighted attention, see `Propagation`."""
        assert on_edge is None  # there are no edge features
        source, target, values = (part.view(*self._shape, *part.shape[1:]) for part in (source, target, values))
        return self._dense.attend(source, target, values, slope).flatten(0, 1)


class SymmetricPropagation:
    """A·H by an existing operator. Its edges are listed only for attention.

    Args:
        adjacency: The operator over N nodes.
        edges: Lists its entries: ``(edge_index, edge_weight)``.
        counts: How many nodes every row stands for, ``[N]``. The rows of the operator are sums over them.
        edge_attr: Features of the entries that ``edges`` lists, or ``None``.
    """

    def __init__(
        self,
        adjacency: Adjacency,
        edges: Callable[[], tuple[Tensor, Tensor | None]],
        counts: Tensor | None = None,
        edge_attr: Tensor | None = None,
    ) -> None:
        self._adjacency, self._edges, self.edge_attr = adjacency, edges, edge_attr
        self._counts = None if counts is None else counts.unsqueeze(1)

    @property
    def degree(self) -> Tensor:
        """Row sums, ``[N, 1]``."""
        degree = self._adjacency.degree.unsqueeze(-1)
        return degree if self._counts is None else degree / self._counts

    def propagate(self, h: Tensor) -> Tensor:
        """A·H."""
        arriving = self._adjacency.dot(h)
        return arriving if self._counts is None else arriving / self._counts

    def attend(
        self, source: Tensor, target: Tensor, values: Tensor, slope: float, on_edge: Tensor | None = None
    ) -> Tensor:
        """Weighted attention, see `Propagation`."""
        return self._listed(values.dtype).attend(source, target, values, slope, on_edge)

    def gather(self, messages: Callable[[Tensor], Tensor]) -> Tensor:
        """Sum of messages, see `Propagation`."""
        return self._listed(torch.float32).gather(messages)

    def _listed(self, dtype: torch.dtype) -> SparsePropagation:
        return SparsePropagation(*self._edges(), self._adjacency.num_nodes, dtype)


class SparsePropagation:
    """A·H for a PyG edge list: column e sends from ``edge_index[0, e]`` to ``edge_index[1, e]``.

    Args:
        edge_index: Edges ``[2, E]``.
        edge_weight: Weights ``[E]``. 1 if ``None``.
        num_nodes: N.
        dtype: Type of the computation. Half precision is computed in float32.
        edge_attr: Features of the edges ``[E, D]``, or ``None``.
    """

    def __init__(
        self,
        edge_index: Tensor,
        edge_weight: Tensor | None,
        num_nodes: int,
        dtype: torch.dtype,
        edge_attr: Tensor | None = None,
    ) -> None:
        self.edge_attr = edge_attr
        self._source, self._target = edge_index.detach().clone()  # a cached value must not hold a reference to its key
        dtype = torch.float32 if dtype in HALVES else dtype
        ones = torch.ones(edge_index.size(1), dtype=dtype, device=edge_index.device)
        self._weight = ones if edge_weight is None else edge_weight.to(dtype)
        self._num_nodes = num_nodes

    @lazy
    def degree(self) -> Tensor:
        """Sum of arriving weights, ``[N, 1]``."""
        # a layer may need it in its backward pass, even if inference mode computed it first
        with torch.inference_mode(False) if torch.is_inference_mode_enabled() else nullcontext():
            zeros = self._weight.new_zeros(self._num_nodes)
            return zeros.index_add(0, self._target, self._weight).unsqueeze(-1)

    def propagate(self, h: Tensor) -> Tensor:
        """A·H."""
        wide = h.to(self._weight.dtype)
        # the fast product has no gradient for the weights, and torch.compile cannot look into it
        if self._weight.requires_grad or torch.compiler.is_compiling():
            sent = self._weight.unsqueeze(-1) * wide[self._source]
            return torch.zeros_like(wide).index_add(0, self._target, sent).to(h.dtype)
        return _Product.apply(wide, self, False).to(h.dtype)  # type: ignore[no-any-return, no-untyped-call]

    def gather(self, messages: Callable[[Tensor], Tensor]) -> Tensor:
        """Sum of messages, see `Propagation`."""
        sent = messages(self._source)
        wide = self._weight.unsqueeze(-1) * sent.to(self._weight.dtype)
        return wide.new_zeros(self._num_nodes, wide.size(1)).index_add(0, self._target, wide).to(sent.dtype)

    def attend(
        self, source: Tensor, target: Tensor, values: Tensor, slope: float, on_edge: Tensor | None = None
    ) -> Tensor:
        """Weighted attention, see `Propagation`."""
        source, target, wide = (part.to(self._weight.dtype) for part in (source, target, values))
        index, weight = remove_self_loops(torch.stack([self._source, self._target]), self._weight)
        index, weight = add_self_loops(index, weight, fill_value=1.0, num_nodes=self._num_nodes)
        score = source[index[0]] + target[index[1]]  # [E, H]
        if on_edge is not None:
            score = score + self._with_loops(on_edge.to(score.dtype))
        score = torch.nn.functional.leaky_relu(score, slope)
        alpha = softmax(score + log_weight(weight).unsqueeze(-1), index[1], num_nodes=self._num_nodes)
        sent = alpha.unsqueeze(-1) * wide[index[0]]
        return torch.zeros_like(wide).index_add(0, index[1], sent).to(values.dtype)

    def _with_loops(self, on_edge: Tensor) -> Tensor:
        """Values of the edges without self-loops, then for every node the mean of those that arrive there."""
        apart = self._source != self._target
        kept, target = on_edge[apart], self._target[apart]
        arriving = kept.new_zeros(self._num_nodes, kept.size(1)).index_add(0, target, kept)
        count = torch.bincount(target, minlength=self._num_nodes).clamp(min=1)
        return torch.cat([kept, arriving / count.unsqueeze(-1)])

    @lazy
    def matrix(self) -> Tensor:
        """A as a CSR tensor: rows receive."""
        return _csr(self._target, self._source, self._weight, self._num_nodes)

    @lazy
    def transposed(self) -> Tensor:
        """Aᵀ as a CSR tensor; the backward pass multiplies by it."""
        return _csr(self._source, self._target, self._weight, self._num_nodes)


class _Product(torch.autograd.Function):
    """A·H whose backward pass is a second CSR product, unlike torch's own."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, graph: SparsePropagation, transpose: bool) -> Tensor:
        ctx.graph, ctx.transpose = graph, transpose
        with without_autocast(h.device):  # torch has no sparse product of half precision
            return (graph.transposed if transpose else graph.matrix) @ h

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        return _Product.apply(grad, ctx.graph, not ctx.transpose), None, None  # type: ignore[no-untyped-call]


def _csr(rows: Tensor, cols: Tensor, weight: Tensor, size: int) -> Tensor:
    if bool((rows[1:] < rows[:-1]).any()):
        rows, order = rows.sort(stable=True)
        cols, weight = cols[order], weight[order]
    counts = torch.bincount(rows, minlength=size)
    indptr = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    with quiet_sparse():
        return torch.sparse_csr_tensor(indptr, cols, weight, (size, size), check_invariants=False)


def log_weight(weight: Tensor) -> Tensor:
    """Log A_ij, and −∞ where there is no edge, with a finite gradient there."""
    tiny = torch.finfo(weight.dtype).tiny
    return torch.where(weight > 0, weight.clamp(min=tiny).log(), -torch.inf)
