"""The sums over the nodes of small graphs: compiled loops, and one fused backward step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.sums.kernels import as_array, has_kernels
from hoscpool.nn.sums.plain_sums import Parts, Request
from hoscpool.objectives import Adjacency, Csr, DenseAdjacency, SparseAdjacency

SMALL = 3_000_000
"""Up to this many multiplications the loops take less time than the calls of a few dozen tensor operations."""
DENSE_SHARE = 0.1
"""The limit for dense graphs is this share of `SMALL`, because torch multiplies dense matrices at full speed."""


def sum_small(s: Tensor, request: Request) -> Parts | None:
    """The sums, differentiable once in all inputs. ``None`` if this backend does not suit the graphs."""
    if not _is_small(s, request):
        return None
    values = [matrix.tensor for matrix in request.matrices if isinstance(matrix, DenseAdjacency)]
    graph = request.graph
    parts: Parts = _Sums.apply(s, graph.weigh(graph.x), request, *values)  # type: ignore[no-untyped-call]
    return parts


def _is_small(s: Tensor, request: Request) -> bool:
    graph, matrices = request.graph, request.matrices
    kinds = {type(matrix) for matrix in matrices}
    if not has_kernels(s) or s.dtype != graph.x.dtype or kinds not in ({SparseAdjacency}, {DenseAdjacency}):
        return False
    entries = sum(_count_entries(matrix) for matrix in matrices)
    work = s.size(1) * (entries + len(s) * (len(matrices) * s.size(1) + graph.x.size(1)))
    return work <= SMALL * (1 if kinds == {SparseAdjacency} else DENSE_SHARE)


def _count_entries(matrix: Adjacency) -> int:
    return matrix.tensor.numel() if isinstance(matrix, DenseAdjacency) else len(matrix.matrix.indices)  # type: ignore[attr-defined]


def _read(matrices: Sequence[Adjacency], dtype: torch.dtype) -> Iterator[tuple[Any, Any, Any]]:
    """Row pointers, columns and entries of every matrix. Entries are ``None`` if all are 1."""
    for matrix in matrices:
        if isinstance(matrix, DenseAdjacency):
            rows = _full_rows(*matrix.tensor.shape[:2])._replace(values=matrix.tensor)
        else:
            assert isinstance(matrix, SparseAdjacency)
            rows = matrix.matrix
        values = None if rows.values is None else as_array(rows.values.to(dtype)).reshape(-1)
        yield rows.indptr.numpy(), rows.indices.numpy(), values


@lru_cache(maxsize=16)
def _full_rows(graphs: int, size: int) -> Csr:
    """Dense graphs as full sparse rows. The order of entries is that of ``[B, n, n]``."""
    columns = torch.arange(graphs * size, dtype=torch.int32).view(graphs, 1, size).expand(graphs, size, size)
    return Csr(torch.arange(graphs * size + 1) * size, columns.reshape(-1), None)


class _Sums(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, request: Request, *values: Tensor) -> Parts:
        from hoscpool.nn.sums.kernels.pooled import sum_features, sum_matrix, sum_squares

        ctx.save_for_backward(s, x, *values)
        ctx.request, ptr = request, request.graph.ptr
        members, features = as_array(s), as_array(x)
        (nodes, k), dtype = members.shape, members.dtype
        matrices, graphs, kept = len(request.matrices), len(ptr) - 1, slice(request.cuts)
        ctx.product, ctx.degree = np.zeros((matrices, nodes, k), dtype), np.zeros((matrices, nodes), dtype)
        association, volume, total = (np.zeros((matrices, graphs, *last), dtype) for last in ((k,), (k,), ()))
        squares, inside = np.zeros((graphs, k), dtype), np.zeros((graphs, k, k), dtype)
        pooled = np.zeros((graphs, k, features.shape[1]), dtype)
        outputs = zip(ctx.product, ctx.degree, association, volume, total, strict=True)
        for m, (matrix, output) in enumerate(zip(_read(request.matrices, s.dtype), outputs, strict=True)):
            sum_matrix(*matrix, members, ptr, request.soft, *output, inside if m == request.edge else None)
        sum_squares(members, ptr, request.counts, squares)
        sum_features(members, features, ptr, pooled)
        returned = (association[kept], volume[kept], total[kept], squares, inside, pooled)
        return tuple(torch.from_numpy(part) for part in returned)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        from hoscpool.nn.sums.kernels.pooled import back_cut, back_features, back_inside, back_squares, back_values

        request: Request = ctx.request
        ptr = request.graph.ptr
        s, x, *values = ctx.saved_tensors
        members, features = as_array(s), as_array(x)
        association, volume, total, squares, inside, pooled = map(as_array, gradients)
        nothing = np.zeros_like(squares)  # the gradient of a cut along A, if no loss uses that cut
        to_s, to_x = np.zeros_like(members), np.zeros_like(features)
        to_values = [np.empty(tuple(matrix.shape), members.dtype) for matrix in values]
        for m, (indptr, indices, _) in enumerate(_read(request.matrices, s.dtype)):
            slopes = (association[m], volume[m]) if m < request.cuts else (nothing, nothing)
            to_total = total[m] if m < request.cuts else nothing[:, 0]
            within = inside if m == request.edge else None
            if m < request.cuts:
                back_cut(members, ptr, request.soft, ctx.product[m], ctx.degree[m], *slopes, to_s)
            if within is not None:
                back_inside(members, ptr, ctx.product[m], within, to_s)
            if to_values:
                into = to_values[m].reshape(-1)
                back_values(indptr, indices, members, ptr, request.soft, *slopes, to_total, within, into)
        back_squares(members, ptr, request.counts, squares, to_s)
        back_features(members, features, ptr, pooled, to_s, to_x)
        return torch.from_numpy(to_s), torch.from_numpy(to_x), None, *map(torch.from_numpy, to_values)
