"""The input of a pool, whatever its storage: nodes in one flat table, ordered by graph."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.errors import GraphWarning
from hoscpool.graph import Graph
from hoscpool.graph.build import build_graph
from hoscpool.nn.cache import cached
from hoscpool.nn.checks import (
    check_batch,
    check_dense,
    check_edges,
    check_features,
    check_one_graph,
    check_symmetric_weights,
)
from hoscpool.nn.masked import MaskedAdjacency
from hoscpool.nn.segments import Sizes
from hoscpool.objectives import Adjacency, as_adjacency
from hoscpool.objectives.adjacency import DenseAdjacency

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class GraphBatch:
    """One or several graphs, checked.

    Attributes:
        x: Features of all nodes, ``[N, F]``.
        batch: Graph of every node, ascending, ``[N]``.
        sizes: Number of nodes of every graph.
        edge_index: Edges ``[2, E]``, or ``None`` for dense graphs.
        edge_weight: Weights ``[E]``, or ``None``.
        dense: Adjacency ``[B, n, n]`` of dense graphs, 0 outside the mask, or ``None``.
        mask: Real nodes of dense graphs ``[B, n]``; ``None`` when all are. ``x`` and ``batch`` hold only these.
    """

    x: Tensor
    batch: Tensor
    sizes: Sizes
    edge_index: Tensor | None = None
    edge_weight: Tensor | None = None
    dense: Tensor | None = None
    mask: Tensor | None = None

    @cached_property
    def adjacency(self) -> Adjacency:
        """The symmetric adjacency, which multiplies flat ``[N, K]`` tensors."""
        if self.dense is not None:
            return self.to_adjacency(self.dense)
        return self.keep("adjacency", lambda: self.to_adjacency(self.structure.undirected().adjacency))

    def propagate(self, h: Tensor) -> Tensor:
        """A·H of a flat ``[N, F]``."""
        if self.dense is None or self.mask is not None:
            return self.adjacency @ h
        return (self.dense @ h.view(*self.dense.shape[:2], h.size(1))).flatten(0, 1)

    @cached_property
    def structure(self) -> Graph:
        """The edge list in canonical form on the CPU: self-loops dropped, repeated edges merged."""
        return self.keep("structure", self._build_structure)

    def to_adjacency(self, matrix: Any) -> Adjacency:
        """A symmetric matrix over the nodes of this batch, in any storage, as an operator of the type of ``x``."""
        if not isinstance(matrix, Tensor):
            return as_adjacency(matrix, dtype=self.x.dtype, device=self.x.device)
        return DenseAdjacency(matrix, None) if self.mask is None else MaskedAdjacency(matrix, self.mask)

    def by_graph(self, assignment: Tensor) -> tuple[Tensor, Tensor | None]:
        """A flat assignment as losses take it: with ``batch``, or ``[B, n, K]`` where all graphs are of one size."""
        if self.dense is not None and self.mask is None:
            return assignment.view(*self.dense.shape[:2], assignment.size(1)), None
        return assignment, None if len(self.sizes) == 1 else self.batch

    def edges(self) -> tuple[Tensor, Tensor | None]:
        """The graphs as one edge list: the one that came in, or the positive entries of the dense matrices."""
        if self.dense is None:
            assert self.edge_index is not None
            return self.edge_index, self.edge_weight
        real = torch.ones_like(self.dense[..., 0], dtype=torch.bool) if self.mask is None else self.mask
        row = real.flatten().cumsum(0).view_as(real) - 1  # number of every real node in the flat table
        graph, i, j = (self.dense > 0).nonzero(as_tuple=True)
        return torch.stack([row[graph, i], row[graph, j]]), self.dense[graph, i, j]

    def split(self) -> Iterator[sp.csr_array]:
        """The symmetric adjacency of every graph by itself, on the CPU and without gradient."""
        if self.dense is not None:
            for b, weight in enumerate(self.dense.detach().cpu().double().numpy()):
                real = slice(None) if self.mask is None else self.mask[b].cpu().numpy()
                yield sp.csr_array(weight[real][:, real])
            return
        matrix, start = self.structure.undirected().adjacency, 0
        for size in self.sizes:
            yield matrix[start : start + size, start : start + size]
            start += size

    def keep(self, name: str, build: Callable[[], T]) -> T:
        """``build()``, kept with ``edge_index`` for other layers and later epochs."""
        assert self.edge_index is not None
        key = (name, self.x.size(0), self.x.dtype, self.x.device)
        return cached(key, self.edge_index, self.edge_weight, build)

    def _build_structure(self) -> Graph:
        assert self.edge_index is not None
        rows, cols = self.edge_index.cpu().numpy()
        weight = None if self.edge_weight is None else self.edge_weight.detach().cpu().double().numpy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)  # its notes are reported by the layer, once
            return build_graph(rows, cols, weight, self.x.size(0))


def read_graphs(
    x: Tensor,
    edge_index: Tensor | None,
    edge_weight: Tensor | None,
    batch: Tensor | None,
    adjacency: Tensor | None,
    mask: Tensor | None,
    in_channels: int,
) -> GraphBatch:
    """Check the arguments of a pool's ``forward`` and bring them into flat form.

    Raises:
        ValueError: An argument does not fit; the message names it, what was expected and what arrived.
    """
    check_one_graph(edge_index, adjacency)
    if adjacency is not None:
        return _read_dense(x, adjacency, mask, in_channels)
    assert edge_index is not None
    check_features(x, in_channels, dim=2)
    check_edges(edge_index, edge_weight, x.size(0))
    if batch is None:
        batch, sizes = edge_index.new_zeros(x.size(0), dtype=torch.int64), (x.size(0),)
    else:
        check_batch(batch, x.size(0))
        sizes = tuple(torch.bincount(batch).tolist())
    return GraphBatch(x, batch, sizes, edge_index=edge_index, edge_weight=edge_weight)


def _read_dense(x: Tensor, adjacency: Tensor, mask: Tensor | None, in_channels: int) -> GraphBatch:
    if x.dim() == 2 and adjacency.dim() == 2:  # a single graph
        x, adjacency = x.unsqueeze(0), adjacency.unsqueeze(0)
        mask = mask if mask is None else mask.unsqueeze(0)
    check_features(x, in_channels, dim=3)
    check_dense(x, adjacency, mask)
    if mask is not None:
        adjacency = torch.where(mask.unsqueeze(-1) & mask.unsqueeze(-2), adjacency, 0.0)
    check_symmetric_weights(adjacency)
    graphs, nodes = x.shape[:2]
    batch = torch.arange(graphs, device=x.device).repeat_interleave(nodes)
    if mask is None:
        return GraphBatch(x.flatten(0, 1), batch, (nodes,) * graphs, dense=adjacency)
    sizes = tuple(mask.sum(dim=1).tolist())
    return GraphBatch(x[mask], batch[mask.flatten()], sizes, dense=adjacency, mask=mask)
