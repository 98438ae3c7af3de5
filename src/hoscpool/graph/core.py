"""The immutable graph that everything else in the library works on."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import exports
from hoscpool.graph.small_picture import graph_card

Features = Any
"""A dense ``[N, F]`` float array or a SciPy ``csr_array`` of that shape."""


@dataclass(frozen=True, eq=False)
class Graph:
    """An immutable graph: a sorted CSR structure without self-loops or duplicates, and node data.

    Use `as_graph` to build it. `as_graph` validates its input; this constructor does not. Two graphs are equal if all
    their fields are. Copies, and graphs from a pickle, are immutable too.

    Attributes:
        indptr: Row pointers of the adjacency, int64 ``[N + 1]``.
        indices: Column indices, int32, sorted within each row. An undirected graph stores both directions.
        weights: Edge weights, float64, aligned with ``indices``. ``None`` if every weight is 1.
        is_directed: Whether edges have a direction (arc i → j at row i, column j).
        features: Node features ``[N, F]``, a dense array or a SciPy sparse array, or ``None``.
        labels: Ground-truth classes, int64 ``[N]``, or ``None``.
        node_names: The user's name of every node, or ``None`` if the nodes are 0 … N−1.
        name: A name for titles and tables.
        node_titles: What to show for every node, such as its full name, or ``None``. Titles may be equal.
        feature_names: What every column of the features is, or ``None``.
        notes: One sentence for every change made to the input, such as dropped self-loops.
        class_names: What class 0, 1, … is called, or ``None`` if classes are numbers.
    """

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64] | None = None
    is_directed: bool = False
    features: Features | None = None
    labels: npt.NDArray[np.int64] | None = None
    node_names: Sequence[Any] | None = None
    name: str | None = None
    node_titles: Sequence[str] | None = None
    feature_names: Sequence[str] | None = None
    notes: tuple[str, ...] = field(default=())
    class_names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for key in ("indptr", "indices", "weights", "labels", "features"):
            value = getattr(self, key)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, key, _read_only(value))
        if sp.issparse(self.features):
            _lock(self.features)

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: value for name, value in vars(self).items() if name not in ("_matrix", "fingerprint")
        }  # made again when needed

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.__post_init__()  # arrays that were copied or unpickled are writable

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return all(_is_same(getattr(self, part.name), getattr(other, part.name)) for part in fields(self))

    def __hash__(self) -> int:
        return hash((self.num_nodes, len(self.indices), self.is_directed, self.name))

    @property
    def num_nodes(self) -> int:
        """Number of nodes N."""
        return len(self.indptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of edges: arcs in a directed graph, unordered pairs in an undirected graph."""
        return len(self.indices) if self.is_directed else len(self.indices) // 2

    @property
    def num_features(self) -> int:
        """Number of features of a node, 0 without a feature table."""
        return 0 if self.features is None else int(self.features.shape[1])

    @property
    def is_weighted(self) -> bool:
        """Whether edges carry weights other than 1."""
        return self.weights is not None

    @property
    def adjacency(self) -> sp.csr_array:
        """The adjacency matrix as a SciPy ``csr_array`` of float64. Unweighted edges have the value 1.

        It shares its arrays with the graph, so they are read-only. ``adjacency.copy()`` is writable.
        """
        return copy(self._matrix)  # a new object, because some SciPy methods replace the arrays of a matrix

    @cached_property
    def _matrix(self) -> sp.csr_array:
        data = _read_only(np.ones(len(self.indices))) if self.weights is None else self.weights
        matrix = sp.csr_array((data, self.indices, self.indptr), shape=(self.num_nodes, self.num_nodes))
        matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        _lock(matrix)
        return matrix

    @cached_property
    def fingerprint(self) -> str:
        """A short text that identifies the graph with its weights and features, whatever the names of its nodes."""
        digest = blake2b(digest_size=16)
        x: Any = self.features
        arrays = [self.indptr, self.indices, self.weights, *([x.indptr, x.indices, x.data] if sp.issparse(x) else [x])]
        for array in arrays:
            digest.update(b"-" if array is None else np.ascontiguousarray(array).data)
        return digest.hexdigest()

    @property
    def degree(self) -> npt.NDArray[np.int64]:
        """Number of neighbours of every node (out-neighbours in a directed graph), ``[N]``."""
        return np.diff(self.indptr)

    @property
    def names(self) -> Sequence[Any]:
        """The node names, or ``range(N)`` if the user gave none."""
        return range(self.num_nodes) if self.node_names is None else self.node_names

    @property
    def classes(self) -> Sequence[Any] | None:
        """What to show as the class of every node, or ``None`` if classes are not known."""
        if self.labels is None or self.class_names is None:
            return None if self.labels is None else self.labels.tolist()
        return [self.class_names[label] for label in self.labels.tolist()]

    @property
    def titles(self) -> Sequence[Any]:
        """What to show for every node: its title, or its name where there are no titles."""
        return self.names if self.node_titles is None else self.node_titles

    def undirected(self) -> Graph:
        """This graph without directions. An edge exists if either arc does, and has the heavier of the two weights."""
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
            notes=(*self.notes, "directed edges were made undirected"),
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
            node_titles=None if self.node_titles is None else tuple(self.node_titles[i] for i in index.tolist()),
        )

    def largest_component(self) -> Graph:
        """The induced subgraph on the largest (weakly) connected component. On a tie the first one counts."""
        if self.num_nodes == 0:
            return self
        _, component = sp.csgraph.connected_components(self.adjacency, directed=self.is_directed, connection="weak")
        return self.subgraph(component == np.bincount(component).argmax())

    def to_networkx(self) -> Any:
        """A NetworkX graph under the same names, with weights, features (``x``) and classes (``y``) as attributes."""
        return exports.to_networkx(self)

    def to_igraph(self) -> Any:
        """An igraph graph; names become the vertex attribute ``name``. igraph must be installed."""
        return exports.to_igraph(self)

    def to_pyg(self) -> Any:
        """A PyG ``Data`` with ``edge_index``, ``edge_weight``, ``x`` and ``y``. Sparse features become dense."""
        return exports.to_pyg(self)

    def to_pandas(self) -> Any:
        """A data frame of the edges: ``source``, ``target`` and, on a weighted graph, ``weight``."""
        return exports.to_pandas(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: facts, and a picture of a small graph."""
        return graph_card(self)

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


def _is_same(one: Any, other: Any) -> bool:
    """Whether two fields of a graph are equal."""
    if sp.issparse(one) and sp.issparse(other):
        return one.shape == other.shape and not (one != other).nnz
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if sp.issparse(one) or sp.issparse(other) or isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return False
    if isinstance(one, Sequence) and isinstance(other, Sequence) and not isinstance(one, str):
        return list(one) == list(other)
    return bool(one == other)


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A read-only view. The caller's own array stays writable."""
    view = array.view()
    view.flags.writeable = False
    return view


def _lock(matrix: Any) -> None:
    """Make the arrays of a sparse matrix read-only."""
    matrix.data, matrix.indices, matrix.indptr = map(_read_only, (matrix.data, matrix.indices, matrix.indptr))
