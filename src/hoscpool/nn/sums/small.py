"""Everything a pool sums over the nodes of small graphs, as one compiled pass and one node of the gradient."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums.kernels import as_array, has_kernels
from hoscpool.nn.sums.result import NodeSums, with_edge
from hoscpool.objectives import Adjacency
from hoscpool.objectives.cuts import Volume
from hoscpool.objectives.operators.product import Csr
from hoscpool.objectives.operators.storage import DenseAdjacency, SparseAdjacency

SMALL = 3_000_000
"""Multiplications up to which loops cost less than the calls of a few dozen tensor operations."""
DENSE_SHARE = 0.1
"""How much of that for dense graphs, whose products torch does at the full speed of the processor."""


def sum_small(graph: GraphBatch, s: Tensor, matrices: Sequence[Adjacency], volume: Volume = "soft") -> NodeSums | None:
    """The sums of an assignment ``[N, K]``, differentiable once in everything; ``None`` where loops are not the way.

    Args:
        graph: The graphs.
        s: S.
        matrices: Symmetric matrices over the nodes of the batch.
        volume: ``"soft"`` or ``"diagonal"``.
    """
    every, edge = with_edge(graph, matrices)
    if not _is_small(graph, s, every):
        return None
    layouts = tuple(_layout(matrix, s.dtype) for matrix in every)
    values = [matrix.tensor for matrix in every if isinstance(matrix, DenseAdjacency)]
    counts = None if graph.counts is None else as_array(graph.counts)
    call = _Call(layouts, graph.ptr, counts, len(matrices), edge, volume == "soft")
    return NodeSums(*_Sums.apply(s, graph.weigh(graph.x), call, *values))  # type: ignore[no-untyped-call]


def _is_small(graph: GraphBatch, s: Tensor, matrices: Sequence[Adjacency]) -> bool:
    kinds = {type(matrix) for matrix in matrices}
    if not has_kernels(s) or s.dtype != graph.x.dtype or kinds not in ({SparseAdjacency}, {DenseAdjacency}):
        return False
    entries = sum(_count_entries(matrix) for matrix in matrices)
    work = s.size(1) * (entries + len(s) * (len(matrices) * s.size(1) + graph.x.size(1)))
    return work <= SMALL * (1 if kinds == {SparseAdjacency} else DENSE_SHARE)


def _count_entries(matrix: Adjacency) -> int:
    return matrix.tensor.numel() if isinstance(matrix, DenseAdjacency) else len(matrix.matrix.indices)  # type: ignore[attr-defined]


def _layout(matrix: Adjacency, dtype: torch.dtype) -> Csr:
    if isinstance(matrix, DenseAdjacency):
        return _full_rows(*matrix.tensor.shape[:2])
    assert isinstance(matrix, SparseAdjacency)
    values = matrix.matrix.values
    return matrix.matrix if values is None else matrix.matrix._replace(values=values.to(dtype))


@lru_cache(maxsize=16)
def _full_rows(graphs: int, size: int) -> Csr:
    """Dense graphs seen as sparse ones without a gap; their entries, in this order, are those of ``[B, n, n]``."""
    columns = torch.arange(graphs * size, dtype=torch.int32).view(graphs, 1, size).expand(graphs, size, size)
    return Csr(torch.arange(graphs * size + 1) * size, columns.reshape(-1), None)


class _Call(NamedTuple):
    """What is not differentiated: matrices, where graphs begin, nodes of a row, sums to return, A's place, volume."""

    layouts: tuple[Csr, ...]
    ptr: Any
    counts: Any
    cuts: int
    edge: int
    soft: bool

    def matrices(self, values: Sequence[Tensor]) -> Iterator[tuple[Any, Any, Any]]:
        """Row pointers, columns and entries of every matrix; those of dense ones are given."""
        rest = iter(values)
        for layout in self.layouts:
            own = next(rest, None) if layout.values is None else layout.values
            yield layout.indptr.numpy(), layout.indices.numpy(), None if own is None else as_array(own).reshape(-1)


class _Sums(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, call: _Call, *values: Tensor) -> tuple[Tensor, ...]:
        from hoscpool.nn.sums.kernels.pooled import sum_features, sum_matrix, sum_squares

        ctx.save_for_backward(s, x, *values)
        ctx.call, ptr = call, call.ptr
        members, features = as_array(s), as_array(x)
        (nodes, k), dtype = members.shape, members.dtype
        matrices, graphs, kept = len(call.layouts), len(ptr) - 1, slice(call.cuts)
        ctx.product, ctx.degree = np.zeros((matrices, nodes, k), dtype), np.zeros((matrices, nodes), dtype)
        association, volume, total = (np.zeros((matrices, graphs, *last), dtype) for last in ((k,), (k,), ()))
        squares, inside = np.zeros((graphs, k), dtype), np.zeros((graphs, k, k), dtype)
        pooled = np.zeros((graphs, k, features.shape[1]), dtype)
        outputs = zip(ctx.product, ctx.degree, association, volume, total, strict=True)
        for m, (matrix, output) in enumerate(zip(call.matrices(values), outputs, strict=True)):
            sum_matrix(*matrix, members, ptr, call.soft, *output, inside if m == call.edge else None)
        sum_squares(members, ptr, call.counts, squares)
        sum_features(members, features, ptr, pooled)
        returned = (association[kept], volume[kept], total[kept], squares, inside, pooled)
        tensors = tuple(torch.from_numpy(part) for part in returned)
        ctx.mark_non_differentiable(tensors[2])
        return tensors

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        from hoscpool.nn.sums.kernels.pooled import back_cut, back_features, back_inside, back_squares, back_values

        call: _Call = ctx.call
        s, x, *values = ctx.saved_tensors
        members, features = as_array(s), as_array(x)
        association, volume, _total, squares, inside, pooled = map(as_array, gradients)
        nothing = np.zeros_like(squares)  # the gradient of a cut along A that nobody asked for
        to_s, to_x = np.zeros_like(members), np.zeros_like(features)
        to_values = [np.empty(tuple(matrix.shape), members.dtype) for matrix in values]
        for m, (indptr, indices, _) in enumerate(call.matrices(values)):
            slopes = (association[m], volume[m]) if m < call.cuts else (nothing, nothing)
            within = inside if m == call.edge else None
            if m < call.cuts:
                back_cut(members, call.ptr, call.soft, ctx.product[m], ctx.degree[m], *slopes, to_s)
            if within is not None:
                back_inside(members, call.ptr, ctx.product[m], within, to_s)
            if to_values:
                into = to_values[m].reshape(-1)
                back_values(indptr, indices, members, call.ptr, call.soft, *slopes, within, into)
        back_squares(members, call.ptr, call.counts, squares, to_s)
        back_features(members, features, call.ptr, pooled, to_s, to_x)
        return torch.from_numpy(to_s), torch.from_numpy(to_x), None, *map(torch.from_numpy, to_values)
