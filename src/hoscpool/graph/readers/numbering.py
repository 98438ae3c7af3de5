"""Convert the ids of an edge list to node indices 0 … N−1 and node names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.readers.opening import FileFormatError
from hoscpool.graph.validate import check_node_names, check_num_nodes, first_few, names_as_text

Ids = npt.NDArray[np.int64]


def number_integers(rows: Ids, cols: Ids) -> tuple[Ids, Ids, Ids]:
    """Node indices of integer ids, and the sorted ids.

    Examples:
        >>> number_integers(np.array([7, 3]), np.array([3, 9]))
        (array([1, 0]), array([0, 2]), array([3, 7, 9]))
    """
    low = int(min(rows.min(), cols.min()))
    span = int(max(rows.max(), cols.max())) - low + 1
    if span > 8 * len(rows) + 1024:  # ids far apart: sort them
        ids = np.unique(np.concatenate((rows, cols)))
        return np.searchsorted(ids, rows), np.searchsorted(ids, cols), ids
    present = np.zeros(span, dtype=bool)
    present[rows - low] = True
    present[cols - low] = True
    ids = np.flatnonzero(present) + low
    if len(ids) == span:
        return rows - low, cols - low, ids
    rank = np.cumsum(present) - 1
    return rank[rows - low], rank[cols - low], ids


def integer_names(ids: Ids) -> list[int] | None:
    """The ids as names, or ``None`` if they are 0 … N−1."""
    return None if np.array_equal(ids, np.arange(len(ids))) else ids.tolist()


def match_nodes(
    path: Path, ids: list[Any], num_nodes: int | None, node_names: Any
) -> tuple[npt.NDArray[np.int64], list[Any], int]:
    """Match the ids of a file with the nodes that the user named or counted.

    With ``node_names``, ids are matched with the names as text. If no id is a name and all are integers, they are
    positions. With ``num_nodes``, the ids are the indices 0 … N−1.

    Returns:
        The index of each id, the names of all nodes, and their number.

    Raises:
        ValueError: An id is not among the nodes.
    """
    if node_names is None:
        num_nodes = check_num_nodes(num_nodes)
        return _positions(path, ids, num_nodes), list(range(num_nodes)), num_nodes
    names = list(check_node_names(node_names, len(node_names)) or ())
    if num_nodes is not None and num_nodes != len(names):
        raise ValueError(f"num_nodes: expected {len(names):,} as in node_names, got {num_nodes:,}; leave one out")
    place = {name: index for index, name in enumerate(names_as_text(names))}
    unknown = [name for name in ids if str(name) not in place]
    if not unknown:
        return np.array([place[str(name)] for name in ids], dtype=np.int64), names, len(names)
    if len(unknown) < len(ids) or not all(isinstance(name, int) for name in ids):
        raise FileFormatError(path, f"expected only nodes of node_names, got {first_few(unknown)}")
    return _positions(path, ids, len(names)), names, len(names)


def _positions(path: Path, ids: list[Any], num_nodes: int) -> npt.NDArray[np.int64]:
    bad = [name for name in ids if not (isinstance(name, int) and 0 <= name < num_nodes)]
    if bad:
        raise FileFormatError(
            path,
            f"node ids {first_few(bad)} are out of range; with {num_nodes:,} nodes expected 0 to {num_nodes - 1:,}",
        )
    return np.array(ids, dtype=np.int64)
