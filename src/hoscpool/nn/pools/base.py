"""The base class of all pools. It checks the arguments and converts them to a `GraphBatch`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.read_graphs import check_count, check_one_graph, read_graphs
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.support.errors import GraphWarning
from hoscpool.support.seeding import reset

Motifs = Mapping[str, tuple[Tensor, Tensor]]
"""Motif adjacency matrices of a batch by motif: ``(index [2, M], weight [M])``, as `AddMotifs` stores them."""


class Pool(nn.Module):
    """A layer that coarsens graphs.

    Call it as in PyG with ``pool(x, edge_index, batch=batch)``, or on the output of another pool with
    ``pool(out.x, **out.graph)``.

    Args:
        in_channels: Width of the input features.

    Attributes:
        lazy_width: Whether ``in_channels=-1`` means the width of the first batch, as in PyG's lazy layers.
        takes_counts: Whether it supports `GraphBatch.counts`, that is, rows that stand for several nodes.
        rounds: Number of its own message-passing rounds before it sums over nodes.
    """

    lazy_width: ClassVar[bool] = False
    takes_counts: ClassVar[bool] = False
    rounds: ClassVar[int] = 0

    def __init__(self, in_channels: int) -> None:
        super().__init__()
        self.in_channels = -1 if self.lazy_width and in_channels == -1 else check_count(in_channels, "in_channels")
        self._said: set[str] = set()

    @property
    def out_channels(self) -> int:
        """Width of the features of supernodes."""
        return self.in_channels

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        for module in self.children():
            reset(module)

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor | None = None,
        edge_weight: Tensor | None = None,
        batch: Tensor | None = None,
        *,
        adjacency: Tensor | None = None,
        mask: Tensor | None = None,
        motifs: Motifs | None = None,
        adj: Tensor | None = None,
    ) -> PoolingOutput:
        """Coarsen one or several graphs.

        Args:
            x: Features ``[N, F]`` with ``edge_index``, or ``[B, N, F]`` with ``adjacency``.
            edge_index: Edges ``[2, E]``, both directions of each. A clustering pool reads the graph as
                [`as_graph`][hoscpool.as_graph] does: it drops self-loops, merges repeated edges and adds missing
                opposite edges. It warns about each change once.
            edge_weight: Weights ``[E]``, finite and not negative. Default: 1. In a clustering pool they are constants:
                no gradient flows to them.
            batch: Graph of every node ``[N]``, ascending. Default: one graph.
            adjacency: Dense symmetric adjacency ``[B, N, N]`` instead of ``edge_index``, as a pool returns it.
                Gradients flow to it.
            mask: Real nodes of a dense batch ``[B, N]``. Default: all nodes.
            motifs: Motif adjacency matrices from ``motifs_of(data)``. Pools that use no motifs ignore them.
            adj: Another name of ``adjacency``, the one that PyG's dense pools use.

        Returns:
            The coarsened graphs and the losses.

        Raises:
            ValueError: An argument is not valid. The message names it, what was expected and what was given.
        """
        if adj is not None:
            check_one_graph(adjacency, adj, "adjacency, adj")
            adjacency = adj
        if adjacency is None and torch.compiler.is_compiling():
            out: PoolingOutput = self._forward_uncompiled(x, edge_index, edge_weight, batch, motifs)
            return out
        width = x.size(-1) if self.in_channels == -1 else self.in_channels
        graph = read_graphs(x, edge_index, edge_weight, batch, adjacency, mask, width)
        self.in_channels = width
        return self.pool(graph, motifs)

    @torch.compiler.disable(  # type: ignore[no-untyped-call, untyped-decorator]
        reason="a pool reads an edge list with SciPy and compiled code of its own, not with torch"
    )
    def _forward_uncompiled(
        self,
        x: Tensor,
        edge_index: Tensor | None,
        edge_weight: Tensor | None,
        batch: Tensor | None,
        motifs: Motifs | None,
    ) -> PoolingOutput:
        """The same outside torch.compile: one break of the graph instead of dozens, at any size of the batch."""
        return self.forward(x, edge_index, edge_weight, batch, motifs=motifs)

    def pool(self, graph: GraphBatch, motifs: Motifs | None) -> PoolingOutput:
        """Coarsen checked graphs."""
        raise NotImplementedError

    def say_once(self, message: str, key: str | None = None) -> None:
        """Warn the first time only that this layer is called with this key or message."""
        if (key or message) not in self._said and not torch.compiler.is_compiling():
            self._said.add(key or message)
            warnings.warn(message, GraphWarning, stacklevel=2)
