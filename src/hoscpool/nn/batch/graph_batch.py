"""The input of a pool, sparse or dense: all nodes in one flat table, ordered by graph."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.graph import Graph, build_graph
from hoscpool.nn.batch.edge_cache import cached
from hoscpool.nn.batch.propagation import (
    FlatPropagation,
    Propagation,
    SparsePropagation,
    SymmetricPropagation,
)
from hoscpool.nn.pools.eigen.fourier import Rows
from hoscpool.nn.sums.segments import Sizes, reduce_segments
from hoscpool.objectives import Adjacency, DenseAdjacency, MaskedAdjacency, SparseAdjacency, as_adjacency, widen
from hoscpool.support.errors import GraphWarning
from hoscpool.support.lazy import lazy

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class GraphBatch:
    """One or several graphs, already checked.

    Attributes:
        x: Features of all nodes, ``[N, F]``.
        batch: Graph of every node, ascending, ``[N]``.
        sizes: Number of nodes of every graph.
        edge_index: Edges ``[2, E]``, or ``None`` for dense graphs.
        edge_weight: Weights ``[E]``, or ``None``.
        dense: Adjacency ``[B, n, n]`` of dense graphs, 0 outside the mask, or ``None``.
        mask: Real nodes of dense graphs ``[B, n]``, or ``None`` if all are real. ``x`` and ``batch`` hold only these.
        matrices: Motif adjacencies that are already computed, ``"edge"`` included, instead of ``edge_index``.
        counts: How many nodes of the input every row of ``x`` stands for, ``[N]``. ``None`` means one. The nodes
            of a row have the same features, and the matrices hold the sums over them; see `classify.merging`.
        edge_attr: Features of the entries of ``matrices["edge"]``, row by row, ``[E, D]``, or ``None``.
        is_pooled: Whether a pool of this library made ``dense``. Then its weights need no scaling.
    """

    x: Tensor
    batch: Tensor
    sizes: Sizes
    edge_index: Tensor | None = None
    edge_weight: Tensor | None = None
    dense: Tensor | None = None
    mask: Tensor | None = None
    matrices: Mapping[str, Adjacency] | None = None
    counts: Tensor | None = None
    edge_attr: Tensor | None = None
    is_pooled: bool = False

    @lazy
    def adjacency(self) -> Adjacency:
        """The symmetric adjacency. It multiplies flat ``[N, K]`` tensors."""
        if self.matrices is not None:
            return self.matrices["edge"]
        if self.dense is not None:
            return self.to_adjacency(self.dense)
        return self.keep("adjacency", lambda: self.to_adjacency(self.structure.undirected().adjacency))

    @lazy
    def ptr(self) -> npt.NDArray[np.int64]:
        """Where the nodes of every graph begin, ``[B + 1]``."""
        ptr = np.zeros(len(self.sizes) + 1, dtype=np.int64)
        np.cumsum(self.sizes, out=ptr[1:])
        return ptr

    @lazy
    def num_nodes(self) -> Tensor:
        """Number of nodes of every graph in the type of ``x``, ``[B]``."""
        if self.counts is not None:
            return self.sum(self.counts.unsqueeze(1)).squeeze(1)
        return self.x.new_tensor(self.sizes)

    def weigh(self, values: Tensor) -> Tensor:
        """Every row ``[N, F]`` times the number of nodes it stands for. Use it before a sum over nodes."""
        return values if self.counts is None else values * self.counts.unsqueeze(1)

    def propagate(self, h: Tensor) -> Tensor:
        """A·H of a flat ``[N, F]``."""
        arriving = self.adjacency.dot(h)
        return arriving if self.counts is None else arriving / self.counts.unsqueeze(1)

    def sum(self, values: Tensor) -> Tensor:
        """Σ over the rows of every graph, ``[N, F]`` → ``[B, F]``."""
        if self.dense is not None and self.mask is None:
            return values.view(*self.dense.shape[:2], values.size(1)).sum(dim=1)
        if len(self.sizes) == 1:
            return values.sum(dim=0, keepdim=True)
        wide = widen(values)
        sums = wide.new_zeros(len(self.sizes), values.size(1)).index_add(0, self.batch, wide)
        return sums.to(values.dtype)

    def add_up(self, sums: Sequence[Tensor]) -> Sequence[Tensor]:
        """Sums over these nodes, as sums over all nodes of the graphs. Other processes may hold the rest."""
        return sums

    def mean(self, per_graph: Tensor) -> Tensor:
        """Mean over the graphs, ``[…, B]`` → ``[…]``. It is 0 without graphs."""
        return per_graph.sum(dim=-1) / max(len(self.sizes), 1)

    def gram(self, assignment: Tensor) -> Tensor:
        """SᵀS of every graph, ``[B, K, K]``."""
        return reduce_segments(self.weigh(assignment), assignment, self.sizes)

    @property
    def is_learned(self) -> bool:
        """Whether gradients flow to the edges, as after a pool that learns its clusters. Edge lists are constant."""
        return self.dense is not None and self.dense.requires_grad

    @lazy
    def messages(self) -> Propagation:
        """The graph as encoders use it. An edge list keeps its directions and repeated edges."""
        if self.edge_index is not None:
            return SparsePropagation(self.edge_index, self.edge_weight, self.x.size(0), self.x.dtype)
        if self.dense is not None and self.mask is None:
            return FlatPropagation(self.dense)
        return SymmetricPropagation(self.adjacency, self.edges, self.counts, self.edge_attr)

    def with_features(self, x: Tensor) -> GraphBatch:
        """The same graphs with other features. Cached values of the graphs are kept."""
        other = object.__new__(GraphBatch)
        other.__dict__.update(self.__dict__, x=x)
        return other

    def widened(self) -> GraphBatch:
        """The same graphs with half precision converted to float32."""
        return replace(self, x=widen(self.x), dense=None if self.dense is None else widen(self.dense))

    @lazy
    def structure(self) -> Graph:
        """The edge list as a `Graph` on the CPU: self-loops dropped, repeated edges merged."""
        return self.keep("structure", self._build_structure)

    def to_adjacency(self, matrix: Any) -> Adjacency:
        """Convert a symmetric matrix over the nodes of this batch, in any storage, to the type of ``x``."""
        if not isinstance(matrix, Tensor):
            return as_adjacency(matrix, dtype=self.x.dtype, device=self.x.device)
        return DenseAdjacency(matrix, None) if self.mask is None else MaskedAdjacency(matrix, self.mask)

    def edges(self) -> tuple[Tensor, Tensor | None]:
        """The graphs as one edge list: the list of the input, or the positive entries of the matrices."""
        if self.matrices is not None:
            return _list_edges(self.matrices["edge"])
        if self.dense is None:
            assert self.edge_index is not None
            return self.edge_index, self.edge_weight
        return dense_edges(self.dense, self.mask)

    def split(self) -> Iterator[Rows]:
        """The symmetric adjacency of each graph, on the CPU and without gradients."""
        if self.dense is not None:
            for b, weight in enumerate(self.dense.detach().cpu().double().numpy()):
                real = slice(None) if self.mask is None else self.mask[b].cpu().numpy()
                own = weight[real][:, real]
                i, j = own.nonzero()
                yield Rows(np.searchsorted(i, np.arange(len(own) + 1)), j, own[i, j])
            return
        matrix = self._to_scipy()
        for node, after in pairwise(self.ptr):
            first, last = matrix.indptr[node], matrix.indptr[after]
            indptr, indices = matrix.indptr[node : after + 1] - first, matrix.indices[first:last] - node
            yield Rows(indptr, indices, matrix.data[first:last])

    def keep(self, name: str, build: Callable[[], T]) -> T:
        """Return ``build()``, cached with ``edge_index`` for other layers and later epochs."""
        assert self.edge_index is not None
        key = (name, self.x.size(0), self.x.dtype, self.x.device)
        return cached(key, self.edge_index, self.edge_weight, build)

    def _to_scipy(self) -> sp.csr_array:
        if self.matrices is None:
            return self.structure.undirected().adjacency
        adjacency, size = self.matrices["edge"], self.x.size(0)
        assert isinstance(adjacency, SparseAdjacency)
        matrix = adjacency.matrix
        values = torch.ones(len(matrix.indices)) if matrix.values is None else matrix.values
        parts = (values.cpu().double().numpy(), matrix.indices.cpu().numpy(), matrix.indptr.cpu().numpy())
        return sp.csr_array(parts, shape=(size, size))

    def _build_structure(self) -> Graph:
        assert self.edge_index is not None
        rows, cols = self.edge_index.cpu().numpy()
        weight = None if self.edge_weight is None else self.edge_weight.detach().cpu().double().numpy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)  # the layer reports the notes once
            return build_graph(rows, cols, weight, self.x.size(0))


def dense_edges(dense: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """The positive entries of dense graphs ``[B, n, n]`` as edges between the real nodes, which are numbered through.

    Args:
        dense: The matrices, 0 outside the mask. Gradients flow to them.
        mask: Real nodes ``[B, n]``; ``None``: all.

    Returns:
        Edges ``[2, E]`` and their weights ``[E]``.
    """
    real = torch.ones_like(dense[..., 0], dtype=torch.bool) if mask is None else mask
    row = real.flatten().cumsum(0).view_as(real) - 1  # number of every real node in the flat table
    graph, i, j = (dense > 0).nonzero(as_tuple=True)
    return torch.stack([row[graph, i], row[graph, j]]), dense[graph, i, j]


def _list_edges(adjacency: Adjacency) -> tuple[Tensor, Tensor | None]:
    """The entries of a sparse matrix, row by row."""
    assert isinstance(adjacency, SparseAdjacency)
    matrix = adjacency.matrix
    rows = torch.repeat_interleave(matrix.indptr.diff())
    return torch.stack([rows, matrix.indices.long()]), matrix.values
