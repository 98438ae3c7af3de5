"""The one interface of message-passing layers."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.layer_checks import check_dense, check_edges, check_one_graph
from hoscpool.nn.encoders.propagation import Features, Kinds, Propagation, propagation
from hoscpool.support.seeding import reset


class Encoder(nn.Module):
    """One message-passing layer with one set of parameters for edge lists and for coarsened dense graphs.

    Args:
        in_channels: Width of the input features.
        out_channels: Width of the output.

    Attributes:
        sums: Whether it sees neighbours through sums only, so that several of them can stand in one row.
    """

    sums: ClassVar[bool] = True

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        for module in self.children():
            reset(module)

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor | None = None,
        edge_weight: Tensor | None = None,
        batch: Tensor | None = None,  # noqa: ARG002 (so that **out.graph fits)
        *,
        adjacency: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Encode the nodes; called as ``encoder(x, edge_index)`` or, after a pool, as ``encoder(out.x, **out.graph)``.

        Args:
            x: Features ``[N, F]`` beside ``edge_index`` (a torch sparse tensor is fine) or ``[B, N, F]`` beside
                ``adjacency``.
            edge_index: Edges ``[2, E]``, each sent from the first row to the second.
            edge_weight: Weights ``[E]``; 1 when left out.
            batch: Not used; message passing keeps to the edges.
            adjacency: Dense symmetric adjacency ``[B, N, N]`` instead of ``edge_index``.
            mask: Real nodes of a dense batch ``[B, N]``; the others come out as 0.

        Returns:
            Features ``[N, out_channels]`` or ``[B, N, out_channels]``.
        """
        check_one_graph(edge_index, adjacency)
        self._check(x, edge_index, edge_weight, adjacency, mask)
        h = self.encode(x, propagation(x, edge_index, edge_weight, adjacency))
        return h if mask is None else h * mask.unsqueeze(-1)

    def encode(self, x: Features, graph: Propagation) -> Tensor:
        """The layer's formula, over ``graph.propagate(h)``."""
        raise NotImplementedError

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.in_channels}, {self.out_channels}"

    def _check(self, x: Tensor, edge_index: Tensor | None, edge_weight: Tensor | None, adjacency: Tensor | None,
               mask: Tensor | None) -> None:  # fmt: skip
        if x.size(-1) != self.in_channels:
            raise ValueError(f"x: expected {self.in_channels} features a node, as in_channels says, got {x.size(-1)}")
        if edge_index is not None:
            check_edges(edge_index, edge_weight, x.size(0))
        if adjacency is not None:
            check_dense(x, adjacency, mask)


def apply_linear(layer: nn.Linear, x: Features, offset: Tensor | None = None) -> Tensor:
    """``X Θ``, and the offset if there is one; X may be a torch sparse tensor, which is not made dense."""
    if isinstance(x, Kinds):
        return apply_linear(layer, x.table, offset).index_select(0, x.of_node)
    if x.layout == torch.strided:
        return nn.functional.linear(x, layer.weight, offset)
    h: Tensor = torch.sparse.mm(x, layer.weight.t())
    return h if offset is None else h + offset
