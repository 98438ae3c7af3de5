"""Many graphs collated once, as one disjoint union; a batch is cut out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from hoscpool.classify.features import structural_features
from hoscpool.graph import Graph
from hoscpool.motifs import motif_adjacency
from hoscpool.nn.graphs import GraphBatch
from hoscpool.nn.scale import scale_weights
from hoscpool.objectives.adjacency import SparseAdjacency
from hoscpool.objectives.product import Csr

Indices = npt.NDArray[np.int64]


class Rows(NamedTuple):
    """A matrix over the nodes of all graphs: row pointers, columns counted within each graph, values, row sums."""

    indptr: Indices
    indices: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32] | None
    degree: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Union:
    """All graphs as one, and everything that is worked out once about them.

    Attributes:
        structure: The graphs side by side, without directions.
        ptr: Where the nodes of every graph begin, ``[G + 1]``.
        x: Features of all nodes, float32 ``[N, F]``, or ``None``.
        labels: Class of every graph, int64 ``[G]``, or ``None``.
    """

    structure: Graph
    ptr: Indices
    x: Tensor | None
    labels: Indices | None

    @cached_property
    def sizes(self) -> Indices:
        """Number of nodes of every graph."""
        return np.diff(self.ptr)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that a fit could depend on."""
        digest, structure = blake2b(digest_size=16), self.structure
        for array in (structure.indptr, structure.indices, structure.weights, self.ptr, self.labels,
                      None if self.x is None else self.x.numpy()):  # fmt: skip
            digest.update(b"-" if array is None else repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def features(self, structural: bool) -> Tensor:
        """What the network sees of every node: its features, or a constant; and its structure, if asked."""
        if structural not in self._features:
            own = torch.ones(int(self.ptr[-1]), 1) if self.x is None else self.x
            parts = [own, torch.from_numpy(structural_features(self.structure))] if structural else [own]
            self._features[structural] = torch.cat(parts, dim=1) if structural else own
        return self._features[structural]

    def rows(self, motif: str) -> Rows:
        """The motif adjacency of all graphs; computed once."""
        if motif not in self._rows:
            self._rows[motif] = self._count(motif)
        return self._rows[motif]

    def _count(self, motif: str) -> Rows:
        matrix = self.structure.adjacency
        if motif != "edge":
            weights = "product" if self.structure.is_weighted else None
            structure = scale_weights(self.structure, np.repeat(np.arange(len(self.sizes)), self.sizes))
            matrix = motif_adjacency(structure, motif, on_edges=True, weights=weights)
        counts = np.diff(matrix.indptr)
        first = np.repeat(np.repeat(self.ptr[:-1], self.sizes), counts)  # where the own graph of every entry begins
        values = None if (matrix.data == 1).all() else matrix.data.astype(np.float32)
        degree = np.asarray(matrix.sum(axis=1)).astype(np.float32)
        return Rows(matrix.indptr.astype(np.int64), (matrix.indices - first).astype(np.int32), values, degree)

    @cached_property
    def _rows(self) -> dict[str, Rows]:
        return {}

    @cached_property
    def _features(self) -> dict[bool, Tensor]:
        return {}


class GraphSet:
    """Some of the graphs of a union, in their order. An index or a slice gives fewer of them, copying nothing.

    Made by [`collate`][hoscpool.classify.collate]; `GraphClassifier` takes it wherever it takes a list of graphs, so
    that several fits on one dataset share the work.
    """

    def __init__(self, union: Union, index: Indices) -> None:
        self.union, self.index = union, index

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, chosen: Any) -> GraphSet:
        return GraphSet(self.union, np.atleast_1d(self.index[chosen]))

    def __iter__(self) -> Iterator[GraphSet]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"GraphSet({len(self):,} graphs, {int(self.sizes.sum()):,} nodes)"

    @property
    def sizes(self) -> Indices:
        """Number of nodes of every graph."""
        sizes: Indices = self.union.sizes[self.index]
        return sizes

    @property
    def labels(self) -> Indices | None:
        """Class of every graph, or ``None``."""
        return None if self.union.labels is None else self.union.labels[self.index]

    def fingerprint(self) -> str:
        """A digest of these graphs: structure, weights, features, classes, order."""
        return blake2b(self.union.fingerprint.encode() + self.index.tobytes(), digest_size=16).hexdigest()

    @property
    def num_features(self) -> int:
        """Width of the features that came with the graphs; 0 for none."""
        return 0 if self.union.x is None else self.union.x.size(1)

    def batch(self, places: Indices, motifs: Sequence[str], structural: bool = False) -> GraphBatch:
        """Some of the graphs as the input of a network.

        Args:
            places: Which, by their place in this set.
            motifs: The matrices to cut along, beside the edge's.
            structural: Whether structural features stand beside the others.
        """
        from hoscpool.classify.kernels.slicing import list_nodes

        chosen = self.index[places]
        sizes = self.union.sizes[chosen]
        nodes, graph = np.empty((2, int(sizes.sum())), dtype=np.int64)
        list_nodes(self.union.ptr, chosen, nodes, graph)
        matrices = {name: self._cut(name, chosen, nodes) for name in ("edge", *motifs)}
        x = self.union.features(structural).index_select(0, torch.from_numpy(nodes))
        return GraphBatch(x, torch.from_numpy(graph), tuple(sizes.tolist()), matrices=matrices)

    def _cut(self, motif: str, chosen: Indices, nodes: Indices) -> SparseAdjacency:
        from hoscpool.classify.kernels.slicing import cut_rows

        rows, ptr = self.union.rows(motif), self.union.ptr
        count = int((rows.indptr[ptr[chosen + 1]] - rows.indptr[ptr[chosen]]).sum())
        indptr, indices = np.empty(len(nodes) + 1, dtype=np.int64), np.empty(count, dtype=np.int32)
        values = None if rows.values is None else np.empty(count, dtype=np.float32)
        cut_rows(rows.indptr, rows.indices, rows.values, ptr, chosen, indptr, indices, values)
        weights = None if values is None else torch.from_numpy(values)
        matrix = Csr(torch.from_numpy(indptr), torch.from_numpy(indices), weights)
        return SparseAdjacency(matrix, torch.from_numpy(rows.degree[nodes]))
