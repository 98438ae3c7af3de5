"""Checks of user input. Each message names the argument, what was expected, what was given and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph.sparse_structure import check_structure
from hoscpool.support.plain_text import shortened

MAX_NODES = int(np.iinfo(np.int32).max)
"""Node indices are int32 throughout the library."""


def first_few(items: Sequence[Any], limit: int = 5) -> str:
    """The first few items in words, for messages.

    Examples:
        >>> first_few(["a", "b", "c"], limit=2)
        "'a', 'b' and 1 more"
    """
    shown = ", ".join(shortened(repr(item), 100) for item in items[:limit])
    return shown if len(items) <= limit else f"{shown} and {len(items) - limit:,} more"


def count_of(number: int, noun: str) -> str:
    """A number with its noun, in the plural unless the number is 1.

    Examples:
        >>> count_of(1, "self-loop"), count_of(1200, "self-loop")
        ('1 self-loop', '1,200 self-loops')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def check_num_nodes(num_nodes: Any) -> int:
    """The number of nodes as an int.

    Raises:
        ValueError: It is not a whole number in [0, 2³¹ − 1].
    """
    if isinstance(num_nodes, bool) or not isinstance(num_nodes, int | np.integer):
        raise ValueError(f"num_nodes: expected a whole number, got {num_nodes!r}")
    if not 0 <= num_nodes <= MAX_NODES:
        raise ValueError(f"num_nodes: expected a number between 0 and {MAX_NODES:,}, got {int(num_nodes):,}")
    return int(num_nodes)


def check_same_nodes(num_nodes: Any, actual: int) -> None:
    """Check a number of nodes that the user gave for a graph whose number is known.

    Raises:
        ValueError: The two differ.
    """
    if num_nodes is not None and check_num_nodes(num_nodes) != actual:
        raise ValueError(f"num_nodes: expected {actual:,} as in the graph, got {num_nodes:,}; leave num_nodes out")


def check_numeric(dtype: np.dtype[Any], what: str) -> None:
    """Check that a dtype holds real numbers (bool counts as 0 and 1).

    Raises:
        ValueError: It is complex, object, text or time.
    """
    if dtype.kind not in "buif":
        kind = {"c": "complex", "O": "object"}.get(dtype.kind, dtype.name)
        raise ValueError(f"{what}: expected real numbers, got {kind} dtype; convert to float first")


def check_square(shape: tuple[int, ...], what: str = "adjacency") -> int:
    """The number of nodes of an adjacency matrix of this shape.

    Raises:
        ValueError: It is not two-dimensional or not square.
    """
    if len(shape) != 2:
        raise ValueError(
            f"{what}: expected a square two-dimensional matrix, got {len(shape)} dimensions, shape {shape}"
        )
    if shape[0] != shape[1]:
        raise ValueError(
            f"{what}: expected a square matrix, got shape {shape}; "
            "for a list of edges pass an integer edge_index of shape (2, E)"
        )
    return check_num_nodes(shape[0])


def check_index(rows: npt.NDArray[Any], cols: npt.NDArray[Any], num_nodes: int) -> None:
    """Check the two ends of every arc.

    Raises:
        ValueError: The arrays are not two integer vectors of one length, or an index is not in [0, N).
    """
    check_num_nodes(num_nodes)
    if rows.ndim != 1 or rows.shape != cols.shape:
        raise ValueError(f"edges: expected two vectors of one length, got shapes {rows.shape} and {cols.shape}")
    for index in (rows, cols):
        if index.size and index.dtype.kind not in "iu":
            raise ValueError(f"edges: expected integer node indices, got {index.dtype} dtype")
        _check_range(index, num_nodes)


def _check_range(index: npt.NDArray[Any], num_nodes: int) -> None:
    if not index.size:
        return
    low, high = int(index.min()), int(index.max())
    if low < 0 or high >= num_nodes:
        bad = low if low < 0 else high
        at = int(np.flatnonzero(index == bad)[0])
        raise ValueError(
            f"edges: node index {bad} of edge {at:,} is out of range; "
            f"expected 0 to {num_nodes - 1:,} because the graph has {num_nodes:,} nodes"
        )


def check_weights(weights: Any, num_arcs: int) -> npt.NDArray[np.float64]:
    """The edge weights as float64.

    Raises:
        ValueError: There is not one real, finite number ≥ 0 for every edge.
    """
    values = np.asarray(weights)
    check_numeric(values.dtype, "weights")
    if values.ndim != 1:
        raise ValueError(f"weights: expected one number for every edge, got an array of shape {values.shape}")
    if len(values) != num_arcs:
        raise ValueError(f"weights: expected {num_arcs:,} numbers, one for every edge, got {len(values):,}")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        at = int(np.flatnonzero(~np.isfinite(values))[0])
        raise ValueError(f"weights: expected finite numbers, got {values[at]} at edge {at:,}; remove or replace it")
    if values.size and values.min() < 0:
        at = int(np.flatnonzero(values < 0)[0])
        raise ValueError(
            f"weights: expected numbers ≥ 0, got {values[at]} at edge {at:,}; motifs need positive weights"
        )
    return values.astype(np.float64, copy=False)


def check_features(features: Any, num_nodes: int) -> Any:
    """The feature table as float32: a dense ``[N, F]`` array, or a ``csr_array`` if the input is sparse.

    Raises:
        ValueError: The number of rows is wrong, a value is not a finite real number, or a sparse index is out of range.
    """
    if features is None:
        return None
    features = _from_torch(features)
    if sp.issparse(features):
        check_structure(features, "features")
    table: Any = sp.csr_array(features) if sp.issparse(features) else np.asarray(features)
    check_numeric(table.dtype, "features")
    if table.ndim != 2:
        raise ValueError(f"features: expected a table of shape ({num_nodes}, F), got an array of shape {table.shape}")
    _check_rows("features", table.shape[0], num_nodes)
    with np.errstate(over="ignore"):
        table = table.astype(np.float32, copy=True)
    _check_finite_table(table)
    if sp.issparse(table):
        table.sum_duplicates()
    return table


def _check_finite_table(table: Any) -> None:
    values = table.data if sp.issparse(table) else table
    if np.isfinite(values).all():
        return
    coo = table.tocoo() if sp.issparse(table) else None
    bad = np.argwhere(~np.isfinite(values))[0]
    row, col = (int(coo.row[bad[0]]), int(coo.col[bad[0]])) if coo is not None else (int(bad[0]), int(bad[1]))
    raise ValueError(
        f"features: expected finite numbers within float32, got a NaN, an infinity or a larger number "
        f"at row {row:,}, column {col:,}; fill or remove it"
    )


def check_labels(labels: Any, num_nodes: int) -> npt.NDArray[np.int64] | None:
    """The classes as int64. Text classes are numbered 0, 1, … in sorted order.

    Raises:
        ValueError: There is not one label for every node, or labels are neither whole numbers nor text.
    """
    return check_classes(labels, num_nodes)[0]


def check_classes(labels: Any, num_nodes: int) -> tuple[npt.NDArray[np.int64] | None, tuple[str, ...] | None]:
    """The classes as `check_labels` numbers them, and the names of text classes in the order of their numbers."""
    if labels is None:
        return None, None
    values = np.asarray(_from_torch(labels))
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"labels: expected one label for every node, got an array of shape {values.shape}")
    _check_rows("labels", len(values), num_nodes)
    if values.dtype.kind == "O" and all(isinstance(value, str) for value in values.tolist()):
        values = values.astype(str)
    if values.dtype.kind == "U":
        names, numbers = np.unique(values, return_inverse=True)
        return numbers.astype(np.int64), tuple(names.tolist())
    check_numeric(values.dtype, "labels")
    if values.dtype.kind == "f" and not (np.isfinite(values) & (values == np.floor(values))).all():
        raise ValueError("labels: expected whole numbers or text, got fractions or NaN")
    if values.size and not -(2.0**63) <= float(values.min()) <= float(values.max()) < 2.0**63:
        raise ValueError(f"labels: expected whole numbers within int64, got {values.min()} to {values.max()}")
    return values.astype(np.int64, copy=True), None


def check_node_names(node_names: Any, num_nodes: int) -> tuple[Any, ...] | None:
    """The node names as a tuple of plain Python values.

    Raises:
        ValueError: There is not one name for every node, or a name is repeated or not hashable.
    """
    if node_names is None:
        return None
    names = tuple(node_names.tolist() if hasattr(node_names, "tolist") else node_names)
    _check_rows("node_names", len(names), num_nodes)
    try:
        unique = set(names)
    except TypeError as error:
        raise ValueError(
            f"node_names: expected names that can be compared, such as text or numbers ({error})"
        ) from None
    if len(unique) < len(names):
        raise ValueError(
            f"node_names: expected a different name for every node, got repeated {first_few(_repeated(names))}"
        )
    return names


def names_as_text(names: Sequence[Any]) -> list[str]:
    """The node names as text, as they stand in a file.

    Raises:
        ValueError: Two names are the same as text, such as 1 and "1".
    """
    texts = list(map(str, names))
    if len(set(texts)) < len(texts):
        raise ValueError(
            f"node names: expected different texts, got {first_few(_repeated(texts))} for several nodes; rename them, "
            "so that the rows of a file can be matched with the nodes"
        )
    return texts


def _repeated(names: Sequence[Any]) -> list[Any]:
    return [name for name, times in Counter(names).items() if times > 1]


def _check_rows(what: str, rows: int, num_nodes: int) -> None:
    if rows != num_nodes:
        raise ValueError(
            f"{what}: expected {num_nodes:,} rows, one for every node, got {rows:,}; "
            "they must be in the order of the graph's nodes"
        )


def _from_torch(values: Any) -> Any:
    """A torch tensor as a NumPy array (SciPy if sparse). Other values are returned unchanged."""
    if type(values).__module__.partition(".")[0] != "torch":
        return values
    from hoscpool.graph.converters.tensors import to_numpy

    return to_numpy(values)
