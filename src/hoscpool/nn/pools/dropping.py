"""The common part of pools that keep, drop or merge nodes and return an edge list."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import torch
from torch import Tensor

from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.pools.base import Motifs, Pool
from hoscpool.nn.pools.output import PoolingOutput


@dataclass(eq=False)
class Kept:
    """The graphs after pooling.

    Attributes:
        x: Features ``[M, F]``.
        edge_index: Edges ``[2, E]``.
        edge_weight: Weights ``[E]`` or ``None``.
        batch: Graph of every supernode ``[M]``, ascending.
        node: Input node of every entry of the assignment.
        supernode: Supernode of every entry.
        weight: Its value; 1 when ``None``.
    """

    x: Tensor
    edge_index: Tensor
    edge_weight: Tensor | None
    batch: Tensor
    node: Tensor
    supernode: Tensor
    weight: Tensor | None = None


class DropPool(Pool):
    """A pool without losses whose coarsened graphs are edge lists. Of a dense input the positive entries are edges.

    Args:
        in_channels: Width of the input features.
    """

    def pool(self, graph: GraphBatch, motifs: Motifs | None) -> PoolingOutput:  # noqa: ARG002
        """Hand the graphs to ``keep``."""
        kept = self.keep(graph.x, *graph.edges(), graph.batch)
        weight = kept.x.new_ones(kept.node.numel()) if kept.weight is None else kept.weight
        size = (graph.x.size(0), kept.x.size(0))
        return PoolingOutput(
            x=kept.x,
            edge_index=kept.edge_index,
            edge_weight=kept.edge_weight,
            batch=kept.batch,
            assignment=_sparse(torch.stack([kept.node, kept.supernode]), weight, size),
            node_batch=graph.batch,
            sizes=graph.sizes,
            loss=graph.x.new_zeros(()),
            objective=graph.x.new_zeros(()),
        )

    def keep(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None, batch: Tensor) -> Kept:
        """The graphs after pooling."""
        raise NotImplementedError

    def extra_repr(self) -> str:
        """The size."""
        return f"{self.in_channels}"


def _sparse(index: Tensor, weight: Tensor, size: tuple[int, int]) -> Tensor:
    place = index[0] * size[1] + index[1]
    in_order = not torch.compiler.is_compiling() and bool((place[1:] > place[:-1]).all())
    return torch.sparse_coo_tensor(
        index, weight, size, check_invariants=False, is_coalesced=in_order or None
    ).coalesce()


def check_ratio(ratio: float | int) -> float | int:
    """Check the share of nodes to keep (a float in (0, 1]) or their number per graph (an integer).

    Raises:
        ValueError: It is neither.
    """
    is_share = isinstance(ratio, float) and 0 < ratio <= 1
    is_count = isinstance(ratio, int) and not isinstance(ratio, bool) and ratio >= 1
    if not (is_share or is_count):
        raise ValueError(f"ratio: expected a share in (0, 1] or a number of nodes of at least 1, got {ratio!r}")
    return ratio


def pyg_ratio(ratio: float | int) -> float | int:
    """The ratio for PyG. PyG reads 1.0 as one node, so for all nodes it gets a number larger than any graph."""
    return sys.maxsize if isinstance(ratio, float) and ratio == 1 else ratio
