"""Safe readers of graphs with bag-of-words features: raw files to arcs, features and classes.

PyG's readers unpickle Planetoid's files and pass unchecked index arrays of ``.npz`` files to SciPy. The readers here
return the same values, check them, and keep the features sparse.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.datasets.pickled_arrays import decode_array, decode_csr, decode_neighbours, decode_objects, describe
from hoscpool.graph import (
    MAX_NODES,
    check_claimed_nodes,
    check_index,
    check_members,
    check_numeric,
    csr_from_parts,
    read_arrays,
    read_header,
    read_stream,
    reporting,
)


class AttributedGraph(NamedTuple):
    """The content of a dataset with one graph.

    Attributes:
        rows: Source of every arc. There are no repeated arcs and no self-loops.
        cols: Target of every arc.
        features: Float32 ``[N, F]``.
        labels: The class of every node, int64 ``[N]``.
    """

    rows: npt.NDArray[np.int64]
    cols: npt.NDArray[np.int64]
    features: sp.csr_array
    labels: npt.NDArray[np.int64]


def read_planetoid(folder: Path, name: str) -> AttributedGraph:
    """Read the files of Yang et al.: ``ind.cora.allx`` and so on.

    ``allx`` and ``ally`` belong to the first nodes, ``tx`` and ``ty`` to the nodes in ``test.index``. Nodes in neither
    have no features and class 0. ``x`` and ``y`` repeat the first rows of ``allx`` and ``ally``.

    Raises:
        ValueError: A file is damaged or holds something else. The message names it.
    """

    def read(part: str, decode: Callable[[Any], Any]) -> Any:
        path = folder / f"ind.{name.lower()}.{part}"
        try:
            return decode(describe(path.read_bytes()))
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from None

    _, first, last = (read(part, decode_csr).tocoo() for part in ("x", "allx", "tx"))
    _, first_classes, last_classes = (read(part, decode_array) for part in ("y", "ally", "ty"))
    rows, cols = read("graph", decode_neighbours)
    places = _read_places(folder / f"ind.{name.lower()}.test.index", first.shape[0], last.shape[0])
    for part, table, classes in (("ally", first, first_classes), ("ty", last, last_classes)):
        if classes.ndim != 2 or len(classes) != table.shape[0] or not classes.size:
            raise ValueError(
                f"ind.{name.lower()}.{part}: expected {table.shape[0]:,} rows of classes, got the shape {classes.shape}"
            )
    if first.shape[1] != last.shape[1]:
        raise ValueError(
            f"ind.{name.lower()}.tx: expected {first.shape[1]:,} columns as in allx, got {last.shape[1]:,}"
        )
    num_nodes = int(places.max()) + 1
    labels = np.zeros(num_nodes, np.int64)
    labels[: first.shape[0]], labels[places] = first_classes.argmax(axis=1), last_classes.argmax(axis=1)
    index = np.concatenate([first.row, places[last.row]]), np.concatenate([first.col, last.col])
    features = sp.csr_array((np.concatenate([first.data, last.data]), index), shape=(num_nodes, first.shape[1]))
    return AttributedGraph(*_distinct(rows, cols, num_nodes), _as_table(features), labels)


def _read_places(path: Path, begin: int, count: int) -> npt.NDArray[np.int32]:
    """The nodes of ``tx`` and ``ty``: that many different nodes, all after those of ``allx``.

    Raises:
        ValueError: The file has something else, or claims far more nodes than a file of its size can have.
    """
    cells = path.read_bytes().split()
    if not all(cell.isdigit() and len(cell) <= len(str(MAX_NODES)) and int(cell) < MAX_NODES for cell in cells):
        raise ValueError(f"{path.name}: expected one node in every line, a whole number")
    places = np.array([int(cell) for cell in cells], np.int32)
    if len(places) != count or not count or places.min() < begin or len(np.unique(places)) < count:
        raise ValueError(f"{path.name}: expected {count:,} different nodes after those of allx")
    check_claimed_nodes(path, int(places.max()) + 1)
    return places


def read_attributed_npz(path: Path) -> AttributedGraph:
    """Read a file of Shchur et al. or of Bojchevski et al. Opposite arcs are added, and features become 0 or 1.

    Raises:
        ValueError: The file is damaged or holds something else.
    """
    arrays = read_arrays(path)
    adjacency, features = (_csr_of(arrays, prefix) for prefix in ("adj", "attr"))
    check_numeric(arrays["labels"].dtype, "labels")
    labels = arrays["labels"].astype(np.int64)
    table, arcs = _as_table(features), adjacency.tocoo()
    table.data[table.data > 0] = 1
    rows, cols = np.concatenate([arcs.row, arcs.col]), np.concatenate([arcs.col, arcs.row])
    return AttributedGraph(*_distinct(rows, cols, table.shape[0]), table, labels)


def _csr_of(arrays: Any, prefix: str) -> sp.csr_array:
    data, indices, indptr, shape = (arrays[f"{prefix}_{part}"] for part in ("data", "indices", "indptr", "shape"))
    try:
        check_numeric(data.dtype, "data")
        return csr_from_parts(data, indices, indptr, tuple(shape.tolist()))
    except ValueError as error:
        raise ValueError(f"{prefix}: {error}") from None


def _distinct(rows: Any, cols: Any, num_nodes: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The arcs without self-loops and without repeats."""
    check_index(rows, cols, num_nodes)
    keys = np.unique((rows.astype(np.int64) * num_nodes + cols)[rows != cols])
    return keys // num_nodes, keys % num_nodes


def _as_table(features: sp.csr_array) -> sp.csr_array:
    """The features as float32, with sorted rows and without stored zeros."""
    features.sum_duplicates()
    table = features.astype(np.float32)
    table.eliminate_zeros()
    return table


SPLITS = ("train", "val", "test")
_PREFIX = {"train": "tr", "val": "val", "test": "te"}


def read_bench(path: Path) -> list[tuple[str, sp.csr_array, np.ndarray[Any, Any], int]]:
    """Every graph of the file: its split, adjacency ``[n, n]``, features ``[n, F]`` and class.

    Raises:
        ValueError: The file is damaged, or holds other objects than arrays and CSR matrices.
    """
    with reporting(path, "a benchmark file"), zipfile.ZipFile(path) as archive:
        check_members(path, archive)
        return [graph for split in SPLITS for graph in _read_split(archive, split)]


def _read_split(archive: zipfile.ZipFile, split: str) -> list[tuple[str, sp.csr_array, np.ndarray[Any, Any], int]]:
    adjacency, features, classes = (
        _read_member(archive, f"{_PREFIX[split]}_{part}.npy") for part in ("adj", "feat", "class")
    )
    if not isinstance(classes, np.ndarray):
        raise ValueError("expected classes as an array of numbers, got an array of objects")
    return [
        (split, decode_csr(a), decode_array(x).astype(np.float32, copy=False), int(np.argmax(y)))
        for a, x, y in zip(decode_objects(adjacency), decode_objects(features), classes, strict=True)
    ]


def _read_member(archive: zipfile.ZipFile, name: str) -> Any:
    """An array of numbers, or the result of `describe` if the array holds objects."""
    with archive.open(name) as file:
        if read_header(file)[2] is None:  # an array of objects
            return describe(file.read())
    with archive.open(name) as file:
        return read_stream(file, archive.getinfo(name).file_size)
