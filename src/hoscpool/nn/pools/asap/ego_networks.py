"""ASAP's ego networks in compiled loops: PyG's ``ASAPooling`` without its tables of edges times channels."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from hoscpool.nn.sums.kernels import as_array


class EgoNetworks:
    """Every node with the nodes that send to it and itself, as in PyG's ``add_remaining_self_loops``.

    Args:
        edge_index: Edges ``[2, E]``, on the CPU.
        edge_weight: Weights ``[E]``.
        num_nodes: N.
    """

    def __init__(self, edge_index: Tensor, edge_weight: Tensor, num_nodes: int) -> None:
        from hoscpool.nn.pools.asap.kernels.ego_attention import group_edges

        source, target = as_array(edge_index)
        weight = as_array(edge_weight)
        loop, grouped = np.ones(num_nodes, weight.dtype), np.empty(len(weight) + num_nodes, weight.dtype)
        self._indptr = np.zeros(num_nodes + 1, np.int64)
        self._indices = group_edges(source, target, weight, loop, self._indptr, grouped)
        self._weight = grouped[: len(self._indices)]

    @property
    def entries(self) -> tuple[Any, Any]:
        """Where every ego network begins in the list of their nodes, and that list."""
        return self._indptr, self._indices

    @cached_property
    def edges(self) -> tuple[Any, Any, Any]:
        """The weighted edges by source."""
        from hoscpool.nn.pools.asap.kernels.ego_edges import transpose

        return transpose(self._indptr, self._indices, self._weight)  # type: ignore[no-any-return]

    def max(self, x: Tensor) -> Tensor:
        """The largest entry of every column, ``[N, C]``."""
        return _Max.apply(x, self)  # type: ignore[no-any-return, no-untyped-call]

    def attend(self, x: Tensor, near: Tensor, far: Tensor, slope: float) -> tuple[Tensor, Tensor]:
        """Σ_j α_ij x_j with α_ij ∝ exp(leaky_relu(near_j + far_i)), ``[N, C]``, and α of every entry as constants."""
        return _Attend.apply(x, near, far, self, slope)  # type: ignore[no-any-return, no-untyped-call]

    def sum_differences(self, near: Tensor, far: Tensor) -> Tensor:
        """Σ_j (near_j − far_i), ``[N]``."""
        return _Differences.apply(near, far, self)  # type: ignore[no-any-return, no-untyped-call]

    def coarsen(self, score: Tensor, kept: Tensor, batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The coarsened graph when only some ego networks are kept.

        Args:
            score: α of every entry.
            kept: The M nodes whose ego networks stay, by graph.
            batch: The graph of every node, ascending.

        Returns:
            Their edges ``[2, E']`` by SᵀAS without self-loops, the weights, and the pairs of a node and an ego network
            that it is in, ``[2, P]``, in order.
        """
        from hoscpool.nn.pools.asap.kernels.ego_edges import coarsen, list_members

        alpha, chosen = as_array(score), as_array(kept)
        ptr, clusters, values = list_members(*self.entries, alpha, chosen)
        begin = np.append(0, np.bincount(as_array(batch)).cumsum())
        rows, cols, weights = coarsen((*self.entries, alpha), chosen, (ptr, clusters, values), self.edges, begin)
        nodes = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
        index, pairs = (torch.from_numpy(np.stack(part)) for part in ((rows, cols), (nodes, clusters)))
        return index, torch.from_numpy(weights.copy()), pairs  # a copy, because the memory behind it is larger


class _Max(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, egos: EgoNetworks) -> Tensor:
        from hoscpool.nn.pools.asap.kernels.ego_attention import find_max

        largest = torch.empty_like(x, memory_format=torch.contiguous_format)
        find_max(*egos.entries, as_array(x), as_array(largest))
        ctx.save_for_backward(x, largest)
        ctx.egos = egos
        return largest

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        from hoscpool.nn.pools.asap.kernels.ego_attention import back_max

        x, largest = map(as_array, ctx.saved_tensors)
        to_x = np.zeros_like(x)
        back_max(*ctx.egos.entries, x, largest, as_array(gradient), to_x)
        return torch.from_numpy(to_x), None


class _Attend(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, near: Tensor, far: Tensor, egos: EgoNetworks, slope: float
    ) -> tuple[Tensor, Tensor]:
        from hoscpool.nn.pools.asap.kernels.ego_attention import attend

        out, score = torch.empty_like(x, memory_format=torch.contiguous_format), x.new_empty(len(egos.entries[1]))
        ctx.egos, ctx.slope = egos, as_array(x).dtype.type(slope)  # a double would make the sums double
        attend(*egos.entries, *map(as_array, (x, near, far)), ctx.slope, as_array(score), as_array(out))
        ctx.save_for_backward(x, near, far, score)
        ctx.mark_non_differentiable(score)
        return out, score

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        from hoscpool.nn.pools.asap.kernels.ego_attention import back_attend

        x, near, far, score = map(as_array, ctx.saved_tensors)
        found = tuple(np.zeros_like(part) for part in (x, near, far))
        back_attend(*ctx.egos.entries, x, near, far, ctx.slope, score, as_array(gradient), *found)
        return *map(torch.from_numpy, found), None, None


class _Differences(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, near: Tensor, far: Tensor, egos: EgoNetworks) -> Tensor:
        from hoscpool.nn.pools.asap.kernels.ego_attention import sum_differences

        ctx.egos, out = egos, torch.empty_like(near, memory_format=torch.contiguous_format)
        sum_differences(*egos.entries, as_array(near), as_array(far), as_array(out))
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        from hoscpool.nn.pools.asap.kernels.ego_attention import back_differences

        slope = as_array(gradient)
        to_near, to_far = np.zeros_like(slope), np.zeros_like(slope)
        back_differences(*ctx.egos.entries, slope, to_near, to_far)
        return torch.from_numpy(to_near), torch.from_numpy(to_far), None
