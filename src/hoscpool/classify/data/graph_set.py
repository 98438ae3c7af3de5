"""Some of the graphs of a dataset, and batches of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import torch

from hoscpool.classify.data.disjoint_union import Indices, NodeTable, Union
from hoscpool.nn import GraphBatch
from hoscpool.objectives import Csr, SparseAdjacency


class GraphSet:
    """Some of the graphs of a union, in order. An index or a slice gives a smaller set without copying.

    [`collate`][hoscpool.classify.collate] makes it. `GraphClassifier` takes it wherever it takes a list of graphs, so
    several fits on one dataset share the preparation.
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
        """Width of the features of the graphs; 0 for none."""
        return 0 if self.union.x is None else self.union.x.size(1)

    @property
    def num_edge_features(self) -> int:
        """Width of the features of edges; 0 for none."""
        return self.union.edges.width

    def batch(
        self,
        places: Indices,
        motifs: Sequence[str],
        structural: bool = False,
        depth: int = 0,
        edge_features: bool = False,
    ) -> GraphBatch:
        """Some of the graphs as the input of a network.

        Args:
            places: Their indices in this set.
            motifs: The motifs besides the edge whose matrices are needed.
            structural: Whether to add structural features.
            depth: Merge nodes with the same embedding after this many rounds of message passing; 0 merges none.
            edge_features: Whether to add the features of edges. Nodes are not merged then.
        """
        from hoscpool.classify.data.kernels.slicing import list_nodes

        table, chosen = self.union.table(structural, depth), self.index[places]
        sizes = table.sizes[chosen]
        nodes, graph = np.empty((2, int(sizes.sum())), dtype=np.int64)
        list_nodes(table.ptr, chosen, nodes, graph)
        rows = torch.from_numpy(nodes)
        return GraphBatch(
            x=table.x.index_select(0, rows),
            batch=torch.from_numpy(graph),
            sizes=tuple(sizes.tolist()),
            matrices={name: _cut(table, name, chosen, nodes) for name in ("edge", *motifs)},
            counts=None if table.counts is None else torch.from_numpy(table.counts[nodes]),
            edge_attr=self._edge_features(chosen) if edge_features else None,
        )

    def _edge_features(self, chosen: Indices) -> torch.Tensor:
        """Features of all edges of some graphs, in the order of the matrix that `_cut` makes."""
        table, ptr, indptr = self.union.edges.features, self.union.ptr, self.union.structure.indptr
        assert table is not None  # the classifier checked
        return torch.from_numpy(np.concatenate([table[indptr[ptr[g]] : indptr[ptr[g + 1]]] for g in chosen]))


def _cut(table: NodeTable, motif: str, chosen: Indices, nodes: Indices) -> SparseAdjacency:
    """The rows of some graphs in a motif adjacency."""
    from hoscpool.classify.data.kernels.slicing import cut_rows

    rows, ptr = table.rows(motif), table.ptr
    count = int((rows.indptr[ptr[chosen + 1]] - rows.indptr[ptr[chosen]]).sum())
    indptr, indices = np.empty(len(nodes) + 1, dtype=np.int64), np.empty(count, dtype=np.int32)
    values = None if rows.values is None else np.empty(count, dtype=np.float32)
    cut_rows(rows.indptr, rows.indices, rows.values, ptr, chosen, indptr, indices, values)
    weights = None if values is None else torch.from_numpy(values)
    matrix = Csr(torch.from_numpy(indptr), torch.from_numpy(indices), weights)
    squares = None if rows.squares is None else torch.from_numpy(rows.squares[nodes])
    return SparseAdjacency(matrix, torch.from_numpy(rows.degree[nodes]), squares)


WINDOW = 8
"""The graphs of this many batches are sorted by size together."""


def mixed_batches(sizes: Indices, batch_size: int, rng: np.random.RandomState) -> list[Indices]:
    """All graphs in random batches of similar sizes, in random order.

    The graphs are shuffled. Then the graphs of every `WINDOW` batches are sorted by size. A batch has graphs of similar
    size, but no batch is the same in two epochs.
    """
    order, step = rng.permutation(len(sizes)), WINDOW * batch_size
    windows = [order[start : start + step] for start in range(0, len(order), step)]
    batches = [
        batch for window in windows for batch in _cut_into(window[np.argsort(sizes[window], kind="stable")], batch_size)
    ]
    return [batches[i] for i in rng.permutation(len(batches))]


def sorted_batches(sizes: Indices, batch_size: int) -> list[Indices]:
    """Batches of all graphs in order of size."""
    return _cut_into(np.argsort(sizes, kind="stable"), batch_size)


def _cut_into(order: Indices, batch_size: int) -> list[Indices]:
    return [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
