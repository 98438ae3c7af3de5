"""The sums over the nodes of large sparse graphs: few passes over memory, and one fused backward step."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.sums.kernels import as_array, has_kernels
from hoscpool.nn.sums.plain_sums import Parts, Request
from hoscpool.nn.sums.segments import lift_segments, reduce_segments


def sum_sparse(s: Tensor, request: Request) -> Parts | None:
    """The sums for constant matrices, differentiable once in S and X. ``None`` if this backend does not suit."""
    graph = request.graph
    if not request.cuts or not has_kernels(s) or graph.x.dtype != s.dtype or graph.dense is not None:
        return None
    parts: Parts = _Sums.apply(s, graph.weigh(graph.x), request)  # type: ignore[no-untyped-call]
    return parts


class _Sums(torch.autograd.Function):
    """A·S and X are columns of one table, so one product with Sᵀ gives both SᵀAS and SᵀX."""

    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, request: Request) -> Parts:
        from hoscpool.nn.sums.kernels.pooled import sum_cuts

        graph, matrices, cuts, edge, soft = request
        both, k = torch.cat([matrices[edge].multiply(s), x], dim=1), s.size(1)
        kept = [both if m == edge else matrix.multiply(s) for m, matrix in enumerate(matrices[:cuts])]
        degree = torch.stack([matrix.degree for matrix in matrices[:cuts]]).to(s.dtype)  # [M, N]
        ctx.save_for_backward(s, both, degree, *kept)
        ctx.request = request
        table = s.new_zeros(2 * cuts + 1, len(graph.sizes), k)
        total = s.new_zeros(cuts, len(graph.sizes))
        ctx.mark_non_differentiable(total)
        arrays = tuple(map(as_array, kept)), as_array(degree), table.numpy(), total.numpy()
        sum_cuts(as_array(s), graph.ptr, request.counts, soft, *arrays)
        reduced = reduce_segments(s, both, graph.sizes)
        return table[:cuts], table[cuts:-1], total, table[-1], reduced[..., :k], reduced[..., k:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None]:
        """The gradient of S is A S (U + Uᵀ) + X Yᵀ and that of X is S Y. U and Y are those of SᵀAS and SᵀX."""
        from hoscpool.nn.sums.kernels.pooled import back_cuts

        request: Request = ctx.request
        s, both, degree, *products = ctx.saved_tensors
        association, volume, _total, squares, inside, features = gradients
        sizes, to_s = request.graph.sizes, torch.empty_like(s)
        given = lift_segments(both, torch.cat([inside + inside.mT, features.mT], dim=1), sizes)  # [N, K]
        slopes = torch.cat([association, volume, squares.unsqueeze(0)])
        arrays = tuple(map(as_array, products)), *map(as_array, (degree, slopes, given))
        back_cuts(as_array(s), request.graph.ptr, request.counts, request.soft, *arrays, to_s.numpy())
        return to_s, lift_segments(s, features, sizes), None
