"""Build a canonical `Graph` from raw arcs: treat self-loops, duplicates, weights, their scale, and directions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph.core import Graph
from hoscpool.graph.raw import Notes
from hoscpool.graph.validate import (
    check_classes,
    check_features,
    check_index,
    check_node_names,
    check_weights,
    count_of,
)
from hoscpool.support.progress import Progress

_CHUNK = 1 << 22


def build_graph(
    rows: npt.NDArray[Any],
    cols: npt.NDArray[Any],
    weights: npt.NDArray[Any] | None,
    num_nodes: int,
    *,
    directed: bool | None = None,
    features: Any = None,
    labels: Any = None,
    node_names: Any = None,
    name: str | None = None,
    notes: Notes | None = None,
) -> Graph:
    """Validate arcs and node data and put them in canonical form.

    Self-loops and arcs of weight 0 are dropped. Repeated arcs are merged and their weights summed. Every such change
    gives a `GraphWarning` and a note on the graph.

    Args:
        rows: Source of every arc, integers ``[E]``.
        cols: Target of every arc, integers ``[E]``.
        weights: Weight of every arc ``[E]``, or ``None`` when each is 1.
        num_nodes: Number of nodes N.
        directed: ``True`` keeps the arcs. ``False`` makes every arc an undirected edge; of two opposite arcs the
            heavier counts. ``None`` makes the graph directed if the arcs are not symmetric, with a warning.
        features: Node features ``[N, F]``, dense or sparse.
        labels: Node classes ``[N]``.
        node_names: Names of the nodes ``[N]``, all different.
        name: A name for titles and tables.
        notes: Earlier notes on this graph. New notes are appended.

    Returns:
        The graph.

    Raises:
        ValueError: An index is out of range, a weight is negative or not finite, or node data have the wrong size.

    Examples:
        >>> build_graph(np.array([0, 1]), np.array([1, 2]), None, 3, directed=False)
        Graph(3 nodes, 2 edges, undirected)
    """
    check_index(rows, cols, num_nodes)
    if weights is not None:
        weights = check_weights(weights, len(rows))
    classes, class_names = check_classes(labels, num_nodes)
    node_data = {
        "features": check_features(features, num_nodes),
        "labels": classes,
        "class_names": class_names,
        "node_names": check_node_names(node_names, num_nodes),
    }
    notes = Notes() if notes is None else notes
    with Progress("building the graph", 3) as progress:
        kept = _drop(rows, cols, weights, notes)
        progress.advance(1)
        matrix = _merge(*kept, num_nodes, notes)
        progress.advance(1)
        matrix, is_directed = settle_direction(matrix, directed, notes)
    notes.emit()
    return Graph(
        indptr=matrix.indptr.astype(np.int64),
        indices=matrix.indices.astype(np.int32, copy=False),
        weights=None if matrix.dtype == np.int8 or (matrix.data == 1.0).all() else matrix.data,
        is_directed=is_directed,
        name=name,
        notes=notes.texts,
        **node_data,
    )


def _drop(rows: Any, cols: Any, weights: Any, notes: Notes) -> tuple[Any, Any, Any]:
    """Drop self-loops and arcs of weight 0."""
    keep = rows != cols
    loops = len(keep) - int(np.count_nonzero(keep))
    if loops:
        notes.warn(f"{count_of(loops, 'self-loop')} {'was' if loops == 1 else 'were'} dropped")
    if weights is not None:
        zeros = int(np.count_nonzero(keep & (weights == 0)))
        keep &= weights != 0
        if zeros:
            notes.warn(f"{count_of(zeros, 'edge')} of weight 0 {'was' if zeros == 1 else 'were'} dropped")
    if keep.all():
        return rows, cols, weights
    return rows[keep], cols[keep], None if weights is None else weights[keep]


def _merge(rows: Any, cols: Any, weights: Any, num_nodes: int, notes: Notes) -> sp.csr_array:
    """Return the arcs as a sorted CSR matrix with its own memory. Values of int8 mean that there are no weights."""
    shape = (num_nodes, num_nodes)
    is_sorted = _is_sorted(rows, cols)
    if weights is not None and is_sorted and (weights == 1.0).all():  # no weights to sum: use one byte per arc
        weights = None
    data = np.ones(len(rows), dtype=np.int8) if weights is None else weights
    if is_sorted:
        counts = np.bincount(rows, minlength=num_nodes) if len(rows) else np.zeros(num_nodes, dtype=np.int64)
        indptr = np.concatenate(([0], np.cumsum(counts)))
        return sp.csr_array((data.copy(), cols.astype(np.int32), indptr), shape=shape)
    matrix = sp.csr_array(sp.coo_array((data, (rows, cols)), shape=shape))  # sums duplicates
    matrix.sort_indices()
    if weights is not None and not np.isfinite(matrix.data).all():
        raise ValueError(
            "weights: the sum of the weights of a repeated edge is beyond 64-bit numbers; divide all weights"
        )
    repeated = len(rows) - matrix.nnz
    if repeated:
        how = "merged" if weights is None else "merged and the weights summed"
        notes.warn(f"{count_of(repeated, 'repeated edge')} {'was' if repeated == 1 else 'were'} {how}")
    if weights is None:
        matrix.data[:] = 1
    return matrix


def _is_sorted(rows: Any, cols: Any) -> bool:
    """Whether rows are in order and columns rise within each row. Then no arc is repeated."""
    for start in range(0, len(rows) - 1, _CHUNK):
        row, col = rows[start : start + _CHUNK + 1], cols[start : start + _CHUNK + 1]
        if not ((row[1:] > row[:-1]) | ((row[1:] == row[:-1]) & (col[1:] > col[:-1]))).all():
            return False
    return True


ROUNDING = 1e-6
"""Opposite weights count as equal if they differ by less than this fraction, as after float32 arithmetic."""


def settle_direction(matrix: sp.csr_array, directed: bool | None, notes: Notes) -> tuple[sp.csr_array, bool]:
    """Return the adjacency to store, and whether it is directed.

    Args:
        matrix: Sorted CSR without self-loops or duplicates.
        directed: ``True`` keeps the arcs. ``False`` joins i and j if either arc exists. ``None`` decides by symmetry.
        notes: Receives a note or warning about asymmetry.

    Returns:
        The matrix, and whether it is directed. If not, the matrix is symmetric.
    """
    if directed:
        return matrix, True
    transposed = _transpose(matrix)
    same_pattern = _same_pattern(matrix, transposed)
    if same_pattern and np.array_equal(matrix.data, transposed.data):
        return matrix, False
    rounding = same_pattern and np.allclose(matrix.data, transposed.data, rtol=ROUNDING, atol=0)
    if directed is None and not rounding:
        notes.warn(
            "the adjacency is not symmetric, so the graph was read as directed; "
            "pass directed=True to confirm, or directed=False to join both directions"
        )
        return matrix, True
    both = sp.csr_array(matrix.maximum(transposed))
    both.sort_indices()
    _report(matrix, both, notes, rounding=bool(rounding))
    return both, False


def _transpose(matrix: sp.csr_array) -> sp.csr_array:
    transposed = sp.csr_array(matrix.T)
    transposed.sort_indices()
    return transposed


def _same_pattern(matrix: sp.csr_array, transposed: sp.csr_array) -> bool:
    return np.array_equal(matrix.indptr, transposed.indptr) and np.array_equal(matrix.indices, transposed.indices)


def _report(matrix: sp.csr_array, both: sp.csr_array, notes: Notes, *, rounding: bool) -> None:
    """Report how the two directions were joined. An edge list normally has one direction of every edge: no warning."""
    twice = matrix.nnz - both.nnz // 2  # pairs that came in both directions
    if rounding:
        notes.note("opposite weights that differ only by rounding were both set to the heavier one")
    elif not twice:
        notes.note("every edge was given in one direction and was read as undirected")
    else:
        weight = "" if matrix.dtype == np.int8 else ", with the heavier of the two weights"
        some, verb = ("1 edge that was", "counts") if twice == 1 else (f"{twice:,} edges that were", "count")
        notes.warn(f"{some} given in both directions {verb} once{weight}")


SPAN = 1e30
"""The largest weight may be this many times the smallest. Then no weight is lost in float32, whose span is 1e76."""


def in_mean_weights(graph: Graph) -> Graph:
    """The graph with its weights divided by their mean, and without weights if all are equal.

    Cuts are ratios, so the scale of the weights does not change them. But networks train on float32, products of small
    weights vanish, and a graph convolution sees the scale.

    Raises:
        ValueError: The weights span more than `SPAN`, or their sum is not a number of 64 bits.

    Examples:
        >>> graph = Graph(np.array([0, 1, 2]), np.array([1, 0], np.int32), weights=np.array([1e-300, 1e-300]))
        >>> in_mean_weights(graph).is_weighted
        False
    """
    if graph.weights is None or not len(graph.weights):
        return graph
    scaled = divide_by_mean(graph.weights, "the edge weights")
    with np.errstate(over="ignore"):
        if not np.isfinite(graph.weights.sum()):
            raise ValueError("weights: their sum is beyond 64-bit numbers; divide all weights by a large number")
    return replace(graph, weights=None if scaled.min() == scaled.max() else scaled)


def divide_by_mean(weights: npt.NDArray[np.float64], what: str) -> npt.NDArray[np.float64]:
    """Positive numbers divided by their mean.

    Args:
        weights: The numbers, at least one.
        what: What they are, for the message.

    Raises:
        ValueError: They span more than `SPAN`.
    """
    low, high = float(weights.min()), float(weights.max())
    if not low > high / SPAN:
        raise ValueError(
            f"weights: expected numbers within a factor of {SPAN:.0e}, but {what} go from {low:.3g} to {high:.3g}, so "
            "the small ones would be lost; leave these edges out, take the logarithm of the weights, or drop them"
        )
    shares = weights / high  # first: the sum of large numbers could be infinite
    mean = float(shares.mean())
    return np.ones_like(shares) if low == high else shares / mean
