"""The immutable graph that everything else in the library works on."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

Features = Any
"""A dense ``[N, F]`` float array or a SciPy ``csr_array`` of that shape."""


@dataclass(frozen=True, eq=False)
class Graph:
    """An immutable graph: sorted CSR structure without self-loops or duplicates, and what is known of its nodes.

    Built by `as_graph`, which validates and canonicalises; the constructor trusts its arguments.

    Attributes:
        indptr: Row pointers of the adjacency, int64 ``[N + 1]``.
        indices: Column indices, int32, sorted within each row. An undirected graph stores both directions.
        weights: Edge weights, float64, aligned with ``indices``; ``None`` when every edge weighs 1.
        is_directed: Whether the adjacency is to be read as directed (arc i → j at row i, column j).
        features: Node features ``[N, F]``, a dense array or a SciPy sparse array, or ``None``.
        labels: Ground-truth classes, int64 ``[N]``, or ``None``.
        node_names: The user's own names of the nodes, one each, or ``None`` when the nodes are 0 … N−1.
        name: A name for titles and tables.
        notes: What was changed on the way in (self-loops dropped, duplicates merged, …), one sentence each.
    """

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64] | None = None
    is_directed: bool = False
    features: Features | None = None
    labels: npt.NDArray[np.int64] | None = None
    node_names: Sequence[Any] | None = None
    name: str | None = None
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        for key in ("indptr", "indices", "weights", "labels", "features"):
            value = getattr(self, key)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, key, _read_only(value))
        if sp.issparse(self.features):
            _lock(self.features)

    @property
    def num_nodes(self) -> int:
        """Number of nodes N."""
        return len(self.indptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of edges: arcs of a directed graph, unordered pairs of an undirected one."""
        return len(self.indices) if self.is_directed else len(self.indices) // 2

    @property
    def num_features(self) -> int:
        """Width of the feature table, 0 without one."""
        return 0 if self.features is None else int(self.features.shape[1])

    @property
    def is_weighted(self) -> bool:
        """Whether edges carry weights other than 1."""
        return self.weights is not None

    @property
    def adjacency(self) -> sp.csr_array:
        """The adjacency matrix as a SciPy ``csr_array`` of float64, 1 for every edge of an unweighted graph.

        Its arrays are those of the graph and cannot be written; ``adjacency.copy()`` can.
        """
        return copy(self._matrix)  # a new object: some methods of SciPy's exchange the arrays of theirs

    @cached_property
    def _matrix(self) -> sp.csr_array:
        data = _read_only(np.ones(len(self.indices))) if self.weights is None else self.weights
        matrix = sp.csr_array((data, self.indices, self.indptr), shape=(self.num_nodes, self.num_nodes))
        matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        _lock(matrix)
        return matrix

    @property
    def degree(self) -> npt.NDArray[np.int64]:
        """Number of neighbours of every node (out-neighbours in a directed graph), ``[N]``."""
        return np.diff(self.indptr)

    @property
    def names(self) -> Sequence[Any]:
        """The node names, or ``range(N)`` when the user gave none."""
        return range(self.num_nodes) if self.node_names is None else self.node_names

    def undirected(self) -> Graph:
        """This graph without directions: i and j are joined when either arc exists, with the heavier of two weights."""
        if not self.is_directed:
            return self
        adjacency = self.adjacency
        both = sp.csr_array(adjacency.maximum(adjacency.T))
        both.sort_indices()
        return replace(
            self,
            indptr=both.indptr.astype(np.int64),
            indices=both.indices.astype(np.int32),
            weights=None if self.weights is None else both.data,
            is_directed=False,
            notes=(*self.notes, "directed edges were symmetrised"),
        )

    def subgraph(self, nodes: npt.ArrayLike) -> Graph:
        """The induced subgraph on ``nodes`` (indices or a boolean mask), with their features, labels and names."""
        chosen = np.asarray(nodes)
        index = np.arange(self.num_nodes)[chosen if chosen.size else chosen.astype(np.int64)]
        if len(np.unique(index)) < len(index):
            raise ValueError("nodes: expected every node at most once, got some twice")
        part = sp.csr_array(self.adjacency[index][:, index])
        part.sort_indices()
        return replace(
            self,
            indptr=part.indptr.astype(np.int64),
            indices=part.indices.astype(np.int32),
            weights=None if self.weights is None else part.data,
            features=None if self.features is None else self.features[index],
            labels=None if self.labels is None else self.labels[index],
            node_names=tuple(self.names[i] for i in index.tolist()),
        )

    def largest_component(self) -> Graph:
        """The induced subgraph on the largest (weakly) connected component; the first of equals."""
        if self.num_nodes == 0:
            return self
        _, component = sp.csgraph.connected_components(self.adjacency, directed=self.is_directed, connection="weak")
        return self.subgraph(component == np.bincount(component).argmax())

    def __repr__(self) -> str:
        parts = [
            f"{self.num_nodes:,} nodes",
            f"{self.num_edges:,} edges",
            "directed" if self.is_directed else "undirected",
        ]
        parts += ["weighted"] if self.is_weighted else []
        parts += [f"{self.num_features:,} features"] if self.features is not None else []
        parts += [f"{len(np.unique(self.labels))} classes"] if self.labels is not None else []
        title = f"{self.name!r}: " if self.name else ""
        return f"Graph({title}{', '.join(parts)})"


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view that cannot be written through; the caller's own array stays as it is."""
    view = array.view()
    view.flags.writeable = False
    return view


def _lock(matrix: Any) -> None:
    """Make the arrays of a sparse matrix read-only."""
    matrix.data, matrix.indices, matrix.indptr = map(_read_only, (matrix.data, matrix.indices, matrix.indptr))
