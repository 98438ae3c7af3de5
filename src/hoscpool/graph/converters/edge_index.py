"""Lists of arcs: an integer array ``[2, E]``, PyG's ``edge_index``."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.raw import RawGraph
from hoscpool.graph.validate import check_num_nodes


def from_edge_index(edge_index: Any, num_nodes: Any = None, weights: Any = None) -> RawGraph:
    """Raw arcs of an ``edge_index``: column e is the arc ``edge_index[0, e]`` → ``edge_index[1, e]``.

    Args:
        edge_index: Integers ``[2, E]``.
        num_nodes: Number of nodes; the largest index + 1 when left out, which loses isolated nodes at the end.
        weights: Weight of every arc ``[E]``.

    Returns:
        The arcs.

    Raises:
        ValueError: The shape is not ``(2, E)``, or the entries are not integers.
    """
    index = check_edge_index(edge_index)
    raw = RawGraph(index[0], index[1], weights, 0)
    if num_nodes is None:
        raw.num_nodes = int(index.max()) + 1 if index.size else 0
        raw.notes.note(f"the number of nodes, {raw.num_nodes:,}, was taken from the largest index in edge_index")
    else:
        raw.num_nodes = check_num_nodes(num_nodes)
    return raw


def check_edge_index(edge_index: Any) -> npt.NDArray[Any]:
    """The ``edge_index`` as an integer array.

    Raises:
        ValueError: The shape is not ``(2, E)``, or the entries are not integers.
    """
    index = np.asarray(edge_index)
    if index.ndim != 2 or index.shape[0] != 2:
        hint = "; transpose it" if index.ndim == 2 and index.shape[1] == 2 else ""
        raise ValueError(f"edge_index: expected shape (2, E), got {index.shape}{hint}")
    if index.size and index.dtype.kind not in "iu":
        raise ValueError(f"edge_index: expected integers, got {index.dtype} dtype")
    if index.size and index.min() < 0:
        raise ValueError(f"edge_index: node index {index.min()} is out of range; expected indices from 0")
    return index if index.dtype.kind in "iu" else index.astype(np.int64)


def looks_like_edge_index(array: npt.NDArray[Any]) -> bool:
    """Whether a NumPy array is read as ``edge_index``: integers ``[2, E]``; a 2 × 2 array is an adjacency matrix."""
    return array.ndim == 2 and array.shape[0] == 2 and array.shape[1] != 2 and array.dtype.kind in "iu"
