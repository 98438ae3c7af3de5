"""Turns the arguments of `fit` and `predict` into one `Graph` with features, and checks it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
import torch
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import kneighbors_graph
from sklearn.utils.validation import validate_data

from hoscpool.graph import Graph, as_graph, check_structure, divide_by_mean
from hoscpool.motifs import get_motif, motif_adjacencies
from hoscpool.objectives import Adjacency, as_adjacency
from hoscpool.support.errors import GraphWarning, ignoring


def resolve_graph(estimator: Any, x: Any, graph: Any, *, n_neighbors: int, reset: bool) -> Graph:
    """The graph that the arguments of ``fit(x, graph=…)`` describe, with its features.

    Args:
        estimator: Its ``n_features_in_`` is set (``reset``) or checked.
        x: Features ``[N, F]`` (an array or a SciPy matrix is always features), ``None``, or, without ``graph``, a graph
            of any other kind that `as_graph` takes.
        graph: Anything that `as_graph` takes. ``None``: ``x`` is the graph, or a graph of nearest neighbours is built.
        n_neighbors: Neighbours of every node in the graph of nearest neighbours.
        reset: Whether this is a fit.

    Raises:
        ValueError: Nothing was given, or the parts do not fit each other.
    """
    if graph is None and x is None:
        raise ValueError(
            "graph: expected features, a graph or both, got neither; call fit(x), fit(x, graph=g) or fit(g)"
        )
    if graph is None and not is_table(x):
        graph, x = x, None
    found = None if graph is None else as_graph(graph)
    if x is None:
        x = None if found is None else found.features
    if isinstance(x, str | os.PathLike):
        x = as_graph(found, features=x).features
    if x is None:
        _check_no_features(estimator, reset)
        assert found is not None
        return found
    table = _check_table(estimator, _from_torch(x), found, reset)
    return _neighbour_graph(table, n_neighbors) if found is None else replace(found, features=_as_float32(table))


def is_table(x: Any) -> bool:
    """Whether x is a table of features: an array, matrix, data frame or nested list, not a graph or a path."""
    if isinstance(x, Graph | str | os.PathLike | tuple):
        return False
    libraries = {cls.__module__.partition(".")[0] for cls in type(x).__mro__}
    return not ("networkx" in libraries or ("torch_geometric" in libraries and "torch" not in libraries))


def _from_torch(x: Any) -> Any:
    from hoscpool.graph import to_numpy

    return to_numpy(x) if hasattr(x, "detach") else x


def _check_no_features(estimator: Any, reset: bool) -> None:
    if reset:
        for name in ("n_features_in_", "feature_names_in_"):
            vars(estimator).pop(name, None)
    elif getattr(estimator, "n_features_in_", 0):
        raise ValueError(f"x: expected {estimator.n_features_in_} features per node as in fit, got none; pass x")


def _check_table(estimator: Any, x: Any, graph: Graph | None, reset: bool) -> Any:
    if graph is not None and len(getattr(x, "shape", ())) == 2 and x.shape[0] != graph.num_nodes:
        raise ValueError(
            f"x: expected {graph.num_nodes:,} rows, one for every node of the graph, got {x.shape[0]:,}; "
            "give the features of the same nodes in the same order"
        )
    if not reset and not hasattr(estimator, "n_features_in_"):
        raise ValueError("x: expected no features, because fit saw none; leave x out")
    if sp.issparse(x):
        check_structure(x, "x")
    least = 1 if graph is not None else 2
    return validate_data(
        estimator, x, accept_sparse="csr", dtype=[np.float32, np.float64], reset=reset, ensure_min_samples=least
    )


def _as_float32(table: Any) -> Any:
    limit = np.finfo(np.float32).max
    values = table.data if sp.issparse(table) else table
    if values.size and max(values.max(), -values.min()) > limit:
        raise ValueError(f"x: expected numbers within float32, got one beyond {limit:.3g}; scale the features")
    return sp.csr_array(table, dtype=np.float32) if sp.issparse(table) else np.asarray(table, dtype=np.float32)


def _neighbour_graph(x: Any, n_neighbors: int) -> Graph:
    """An unweighted graph that joins nodes to their nearest neighbours by Euclidean distance, in either direction."""
    count = min(n_neighbors, x.shape[0] - 1)
    nearest = kneighbors_graph(x, count, mode="connectivity")
    with ignoring(GraphWarning):
        return as_graph(sp.csr_array(nearest.maximum(nearest.T)), directed=False, features=_as_float32(x))


def without_directions(graph: Graph) -> Graph:
    """The graph without directions. Warns if there were any."""
    if graph.is_directed:
        message = "the graph is directed: directions are ignored, except by directed motifs"
        warnings.warn(message, GraphWarning, stacklevel=4)
    return graph.undirected()


def edge_matrix(graph: Graph) -> sp.csr_array:
    """A, without the eight bytes an entry that `Graph.adjacency` takes."""
    if graph.is_weighted:
        return graph.adjacency
    entries = np.ones(len(graph.indices), np.uint8)
    matrix = sp.csr_array((entries, graph.indices, graph.indptr), shape=(graph.num_nodes, graph.num_nodes))
    matrix.has_sorted_indices = True  # as in every graph; nobody needs to look
    matrix.has_canonical_format = True
    return matrix


def motif_matrices(graph: Graph, motifs: Iterable[str], n_threads: int | None = None) -> dict[str, sp.csr_array]:
    """A_M of every motif on the edges of the graph, counted by so many threads (``None``: one for every core).

    As in `HoscPool`, an open motif counts only for joined pairs of nodes. On a weighted graph every instance counts
    with the product of its edge weights, and the entries are divided by their mean.

    Raises:
        ValueError: The products span more than float32 can hold.
    """
    names = list(motifs)
    matrices = {"edge": graph.undirected().adjacency} if "edge" in names else {}
    for is_directed in (False, True):
        seen = graph if is_directed else graph.undirected()
        kind = [name for name in names if name != "edge" and get_motif(name).is_directed == is_directed]
        weights = "product" if seen.is_weighted else None
        found = motif_adjacencies(seen, kind, on_edges=True, weights=weights, n_threads=n_threads)
        for name, matrix in found.items():
            if weights and matrix.nnz:
                matrix.data = divide_by_mean(matrix.data, f"their products over a {name}")
        matrices |= found
    return {name: matrices[name] for name in names}


def as_operator(matrix: sp.csr_array) -> Adjacency:
    """A matrix in float32, in the form that the losses take."""
    return as_adjacency(sp.csr_array(matrix, dtype=np.float64), dtype=torch.float32)


FEW = 0.1
"""If a smaller share of the nodes is in a motif, its cut says little."""


def check_clusters(n_clusters: Any, graph: Graph) -> int:
    """The number of clusters.

    Raises:
        ValueError: It is not a whole number from 1 to the number of nodes.
    """
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, int | np.integer) or n_clusters < 1:
        raise ValueError(f"n_clusters: expected a whole number ≥ 1 or 'auto', got {n_clusters!r}")
    if n_clusters > graph.num_nodes:
        raise ValueError(
            f"n_clusters: expected at most {graph.num_nodes:,}, the number of nodes (n_samples={graph.num_nodes}), "
            f"got {n_clusters:,}; ask for fewer clusters"
        )
    return int(n_clusters)


def check_levels(levels: Any, n_clusters: int, graph: Graph) -> tuple[int, ...]:
    """The numbers of clusters of all pools; the last one is ``n_clusters``.

    Raises:
        ValueError: A number is not smaller than the one before, or the first exceeds the number of nodes.
    """
    sizes = (*(check_clusters(k, graph) for k in levels or ()), n_clusters)
    if any(a <= b for a, b in pairwise(sizes)):
        raise ValueError(f"levels: expected decreasing numbers of clusters above n_clusters={n_clusters}, got {levels}")
    return sizes


def check_graph(graph: Graph) -> None:
    """Refuse a graph without edges and features, and warn about a graph in pieces.

    Raises:
        ValueError: There are no nodes, or neither edges nor features.
    """
    if graph.num_nodes == 0:
        raise ValueError("graph: expected at least one node, got an empty graph")
    if graph.num_nodes > 1 and not graph.num_edges and graph.features is None:
        raise ValueError("graph: expected edges or features, got neither, so all nodes look the same; pass x")
    if graph.num_nodes == 1:
        return
    if not graph.num_edges:
        _warn("the graph has no edges: nodes are clustered by their features alone")
        return
    count = _count_pieces(graph)
    if count > 1:
        _warn(f"the graph has {count:,} connected components: no edge says which of them belong together")


MANY = 500_000
"""From this many edges on, compiled code counts the pieces of a graph."""


def _count_pieces(graph: Graph) -> int:
    """The number of connected pieces."""
    if graph.num_edges < MANY:
        count = sp.csgraph.connected_components(graph.adjacency, directed=False, return_labels=False)
        return int(count)
    from hoscpool.cluster.engine.kernels.pieces import count_pieces

    scratch = np.empty(graph.num_nodes, np.int32), np.zeros(graph.num_nodes, np.int32)
    return int(count_pieces(graph.indptr, graph.indices, not graph.is_directed, *scratch))


def check_motifs(matrices: Mapping[str, sp.csr_array]) -> None:
    """Warn about a motif that does not occur, or that contains few nodes."""
    for name, matrix in matrices.items():
        share = np.count_nonzero(np.diff(matrix.indptr)) / max(matrix.shape[0], 1)
        if name != "edge" and not matrix.nnz:
            _warn(f"motifs: the graph has no {name}, so its cut is 0")
        elif name != "edge" and share < FEW:
            _warn(f"motifs: only {share:.1%} of the nodes are in a {name}; its cut says nothing about the others")


def warn_collapse(labels: npt.NDArray[Any], n_clusters: int) -> None:
    """Warn about empty clusters."""
    live = len(np.unique(labels))
    if live < n_clusters:
        message = f"{n_clusters - live} of {n_clusters} clusters are empty: raise mu or n_init, or lower n_clusters"
        warnings.warn(message, ConvergenceWarning, stacklevel=3)


def _warn(message: str) -> None:
    warnings.warn(message, GraphWarning, stacklevel=4)
