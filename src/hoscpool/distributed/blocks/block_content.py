"""The arrays and names in a folder of blocks, checked when they are read. A checksum finds accidents, not intent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph import FileFormatError, map_array

AGAIN = "build the blocks again with hp.distributed.build_blocks or hoscpool blocks"
ORDER, DEGREE = "order.npy", "degree.npy"
NUMBERS, TEXTS = "names.npy", "names.json"
"""The files of names: whole numbers, or anything else."""


def block_file(a: int, b: int) -> str:
    """The file of the edges from range a to range b."""
    return f"block-{a}-{b}.npy"


def read_vector(path: Path, kind: str, length: int) -> npt.NDArray[Any]:
    """A memory-mapped vector of this type and length.

    Raises:
        ValueError: The file holds something else.
    """
    array = map_array(path)
    if array.dtype != np.dtype(kind) or array.shape != (length,):
        raise FileFormatError(path, f"holds {array.dtype} {array.shape}, expected {kind} ({length:,},); {AGAIN}")
    return array


def check_block(path: Path, indptr: Any, indices: Any, columns: int, is_diagonal: bool) -> None:
    """Check the row pointers and indices of a block, because compiled code trusts them.

    Raises:
        ValueError: They are not those of a block.
    """
    from hoscpool.distributed.blocks.kernels.block_check import is_sound

    if not is_sound(indptr, indices, columns, is_diagonal):
        raise FileFormatError(path, f"does not hold the edges of a block; {AGAIN}")


def read_order(folder: Path, num_nodes: int) -> npt.NDArray[np.int64]:
    """The node of every rank.

    Raises:
        ValueError: Not every node is there once.
    """
    order = read_vector(folder / ORDER, "<i8", num_nodes)
    seen = np.zeros(num_nodes, np.bool_)
    if num_nodes and order.min() >= 0 and order.max() < num_nodes:
        seen[order] = True
    if not seen.all():
        raise FileFormatError(folder / ORDER, f"does not hold every node once; {AGAIN}")
    return order


def read_degrees(folder: Path, num_nodes: int, num_edges: int) -> npt.NDArray[np.int64]:
    """The degree of the node of every rank.

    Raises:
        ValueError: They cannot be the degrees of this graph.
    """
    degree = read_vector(folder / DEGREE, "<i8", num_nodes)
    if num_nodes and (degree.min() < 0 or degree.max() >= num_nodes or int(degree.sum()) != 2 * num_edges):
        raise FileFormatError(folder / DEGREE, f"does not hold the degrees of the nodes; {AGAIN}")
    return degree


def read_names(folder: Path, name: str, num_nodes: int) -> Sequence[Any]:
    """The names of all nodes.

    Raises:
        ValueError: The file does not have a name for every node.
    """
    path = folder / name
    if name == NUMBERS:
        return read_vector(path, "<i8", num_nodes).tolist()  # type: ignore[no-any-return]
    try:
        names = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        names = None
    is_whole = isinstance(names, list) and len(names) == num_nodes
    if not is_whole or not all(isinstance(some, str | int | float) for some in names):
        raise FileFormatError(path, f"does not hold a name for each of {num_nodes:,} nodes; {AGAIN}")
    return names  # type: ignore[no-any-return]
