"""The skeleton of every pool: arguments are checked and brought into one form here, once."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.batch.layer_checks import check_count
from hoscpool.nn.batch.read_graphs import read_graphs
from hoscpool.nn.pools.output import PoolingOutput
from hoscpool.support.errors import GraphWarning
from hoscpool.support.seeding import reset

Motifs = Mapping[str, tuple[Tensor, Tensor]]
"""Motif adjacency matrices of a batch by motif: ``(index [2, M], weight [M])``, as `AddMotifs` stores them."""


class Pool(nn.Module):
    """A layer that coarsens graphs.

    Called as ``pool(x, edge_index, batch=batch)`` as in PyG, or on the output of another pool as
    ``pool(out.x, **out.graph)``.

    Args:
        in_channels: Width of the input features.

    Attributes:
        takes_counts: Whether it heeds `GraphBatch.counts`, rows that stand for several nodes.
        rounds: Rounds of message passing of its own before it sums over nodes.
    """

    takes_counts: ClassVar[bool] = False
    rounds: ClassVar[int] = 0

    def __init__(self, in_channels: int) -> None:
        super().__init__()
        self.in_channels = check_count(in_channels, "in_channels")
        self._said: set[str] = set()

    @property
    def out_channels(self) -> int:
        """Width of the supernodes' features."""
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
    ) -> PoolingOutput:
        """Coarsen one or several graphs.

        Args:
            x: Features ``[N, F]`` beside ``edge_index``, or ``[B, N, F]`` beside ``adjacency``.
            edge_index: Edges ``[2, E]``, both directions of each. A clustering pool sees the graph as
                [`as_graph`][hoscpool.as_graph] does: self-loops dropped, repeated edges merged, one-way edges made
                two-way, each said once by a warning.
            edge_weight: Weights ``[E]``, finite and not negative; 1 when left out. A clustering pool takes them as
                constants: no gradient flows to them.
            batch: Graph of every node ``[N]``, ascending; one graph when left out.
            adjacency: Dense symmetric adjacency ``[B, N, N]`` instead of ``edge_index``, as a pool returns it;
                gradients flow to it.
            mask: Real nodes of a dense batch ``[B, N]``; all when left out.
            motifs: Motif adjacency matrices from ``motifs_of(data)``, for pools that use motifs; the others ignore it.

        Returns:
            The coarsened graphs and the losses.

        Raises:
            ValueError: An argument does not fit; the message says which, what was expected and what arrived.
        """
        graph = read_graphs(x, edge_index, edge_weight, batch, adjacency, mask, self.in_channels)
        return self.pool(graph, motifs)

    def pool(self, graph: GraphBatch, motifs: Motifs | None) -> PoolingOutput:
        """Coarsen checked graphs."""
        raise NotImplementedError

    def say_once(self, message: str, key: str | None = None) -> None:
        """Warn, but only the first time that this layer has to say it."""
        if (key or message) not in self._said and not torch.compiler.is_compiling():
            self._said.add(key or message)
            warnings.warn(message, GraphWarning, stacklevel=2)
