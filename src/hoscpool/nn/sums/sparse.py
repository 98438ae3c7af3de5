"""Everything a pool sums over the nodes of large sparse graphs, in few passes, as one node of the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums.kernels import as_array, has_kernels
from hoscpool.nn.sums.reduction import Reduction, side_by_side
from hoscpool.nn.sums.result import NodeSums, with_edge
from hoscpool.nn.sums.segments import Sizes
from hoscpool.objectives import Adjacency
from hoscpool.objectives.cuts import Volume


def sum_sparse(graph: GraphBatch, s: Tensor, matrices: Sequence[Adjacency], volume: Volume = "soft") -> NodeSums | None:
    """The sums of an assignment ``[N, K]``, differentiable once in S and X; ``None`` where this is not the way.

    Args:
        graph: The graphs.
        s: S.
        matrices: Constant symmetric matrices over the nodes of the batch.
        volume: ``"soft"`` or ``"diagonal"``.
    """
    every, edge = with_edge(graph, matrices)
    if not matrices or not has_kernels(s) or graph.x.dtype != s.dtype or graph.dense is not None:
        return None
    counts = None if graph.counts is None else as_array(graph.counts)
    call = _Call(every, graph.sizes, graph.ptr, counts, len(matrices), edge, volume == "soft")
    return NodeSums(*_Sums.apply(s, graph.weigh(graph.x), call))  # type: ignore[no-untyped-call]


class _Call(NamedTuple):
    """What is not differentiated; not the graph, which keeps the results and would so keep itself alive.

    Matrices, sizes of the graphs, where they begin, nodes of a row, sums to return, A's place, volume.
    """

    matrices: Sequence[Adjacency]
    sizes: Sizes
    ptr: Any
    counts: Any
    cuts: int
    edge: int
    soft: bool


class _Sums(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, s: Tensor, x: Tensor, call: _Call) -> tuple[Tensor, ...]:
        from hoscpool.nn.sums.kernels.pooled import sum_cuts

        both, cut = side_by_side(s, x, call.matrices[call.edge]), call.matrices[: call.cuts]
        reduction = Reduction.of(s, both, s.size(1) + x.size(1), call.sizes)
        kept = [both if m == call.edge else matrix.multiply(s) for m, matrix in enumerate(cut)]
        degree = torch.stack([matrix.degree for matrix in cut]).to(s.dtype)  # [M, N]
        tables, ctx.rest = reduction[:2], reduction[2:]
        ctx.save_for_backward(*tables, s, degree, *kept)
        ctx.call = call
        table = s.new_zeros(2 * call.cuts + 1, len(call.sizes), s.size(1))
        total = s.new_zeros(call.cuts, len(call.sizes))
        ctx.mark_non_differentiable(total)
        arrays = tuple(map(as_array, kept)), as_array(degree), table.numpy(), total.numpy()
        sum_cuts(as_array(s), call.ptr, call.counts, call.soft, *arrays)
        features, inside = reduction.reduce()
        return table[: call.cuts], table[call.cuts : -1], total, table[-1], inside, features

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None]:
        from hoscpool.nn.sums.kernels.pooled import back_cuts

        call: _Call = ctx.call
        first, second, s, degree, *products = ctx.saved_tensors
        association, volume, _total, squares, inside, features = gradients
        reduction, to_s = Reduction(first, second, *ctx.rest), torch.empty_like(s)
        slopes = torch.cat([association, volume, squares.unsqueeze(0)])
        arrays = tuple(map(as_array, products)), *map(as_array, (degree, slopes, reduction.lift_to_s(features, inside)))
        back_cuts(as_array(s), call.ptr, call.counts, call.soft, *arrays, to_s.numpy())
        return to_s, reduction.lift_to_x(features), None
