"""Sets of graphs in the TU format: ``X_A.txt``, ``X_graph_indicator.txt``, ``X_graph_labels.txt`` and more.

The values are those of PyG's reader. Unlike PyG's, this reader checks every index, counts graphs and nodes without
edges, and takes any file name.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph import FileFormatError, check_unpacked, reporting

Arrays = dict[str, npt.NDArray[Any]]


def read_tu_arrays(folder: Path, prefix: str) -> Arrays:
    """All graphs as concatenated arrays; see `hoscpool.datasets.cache.check_arrays`.

    Edges of a graph are sorted, without self-loops and repeats; the rows of repeated edges are summed. Attributes stand
    before one-hot labels, in ``x`` of the nodes and in ``edge_attr``.

    Raises:
        FileNotFoundError: One of the three files is missing.
        ValueError: A file is damaged, or the files do not fit each other. The message names the file.
    """

    def path(part: str) -> Path:
        return folder / f"{prefix}_{part}.txt"

    indicator, classes = _column(path("graph_indicator")), _column(path("graph_labels"))
    sizes = _sizes(path("graph_indicator"), indicator, len(classes))
    attributes = _optional(path("node_attributes"), len(indicator), "node", _read_table)
    labels = _optional(path("node_labels"), len(indicator), "node", _one_hot)
    columns = [part for part in (attributes, labels) if part.shape[1]]
    edges = _read(path("A"), np.int64)
    edges = edges if edges.size else edges.reshape(0, 2)
    edge_attributes = _optional(path("edge_attributes"), len(edges), "edge", _read_table)
    edge_labels = _optional(path("edge_labels"), len(edges), "edge", _one_hot)
    first = np.concatenate([[0], np.cumsum(sizes)])
    edge_columns = np.concatenate([edge_attributes, edge_labels], axis=1)
    index, edge_columns = _distinct(_check_edges(path("A"), edges, indicator), edge_columns)
    graph_of = indicator[index[0]] - 1
    arrays = {
        "num_nodes": sizes,
        "num_edges": np.bincount(graph_of, minlength=len(sizes)),
        "edge_index": (index - first[graph_of]).astype(np.int32),
        "y": np.unique(classes, return_inverse=True)[1].astype(np.int64),
        "num_attributes": np.array(attributes.shape[1]),
        "num_edge_attributes": np.array(edge_attributes.shape[1]),
    }
    if columns:
        arrays["x"] = np.concatenate(columns, axis=1)
    if edge_columns.shape[1]:
        arrays["edge_attr"] = edge_columns
    return arrays


def _read(path: Path, kind: Any) -> npt.NDArray[Any]:
    """The numbers of a file, one row per line."""
    with reporting(path, "a file of the TU format"):
        with path.open(encoding="utf-8") as text:
            if not any(line.strip() for line in text):  # NumPy would warn
                return np.empty((0, 0), kind)
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)  # old versions of NumPy take 1.5 for the integer 1
            return np.loadtxt(path, kind, comments=None, delimiter=",", encoding="utf-8", ndmin=2)


def _column(path: Path) -> npt.NDArray[np.int64]:
    values = _read(path, np.int64)
    if values.shape[1] > 1 or not len(values):
        raise FileFormatError(
            path, f"expected one whole number per line, got {values.shape[1]} on {len(values):,} lines"
        )
    return values[:, 0]


def _sizes(path: Path, indicator: npt.NDArray[np.int64], num_graphs: int) -> npt.NDArray[np.int64]:
    """The number of nodes of every graph."""
    if indicator.min() < 1 or indicator.max() > num_graphs:
        raise FileFormatError(
            path, f"expected the numbers 1 to {num_graphs:,}, one for every graph with a label, "
            f"got {indicator.min()} to {indicator.max()}"
        )  # fmt: skip
    if (indicator[1:] < indicator[:-1]).any():
        line = int(np.flatnonzero(indicator[1:] < indicator[:-1])[0]) + 2
        raise FileFormatError(path, "expected the nodes graph by graph, but the number of the graph decreases", line)
    return np.bincount(indicator - 1, minlength=num_graphs)


def _optional(path: Path, rows: int, what: str, read: Any) -> npt.NDArray[np.float32]:
    """A table with one row for every node or edge; without columns if there is no such file."""
    if not path.exists():
        return np.empty((rows, 0), np.float32)
    table: npt.NDArray[np.float32] = read(path)
    if len(table) != rows:
        raise FileFormatError(path, f"expected {rows:,} lines, one for every {what}, got {len(table):,}")
    return table


def _read_table(path: Path) -> npt.NDArray[np.float32]:
    table: npt.NDArray[Any] = _read(path, np.float64)
    if not (np.abs(table) <= np.finfo(np.float32).max).all():
        raise FileFormatError(path, "expected finite numbers within float32")
    return table.astype(np.float32)


def _one_hot(path: Path) -> npt.NDArray[np.float32]:
    """One column for every number between the smallest and the largest, for each column of the file."""
    labels = _read(path, np.int64)
    if not len(labels):
        return np.empty((0, 0), np.float32)
    low = labels.min(axis=0)
    widths = [int(high) - int(least) + 1 for high, least in zip(labels.max(axis=0), low, strict=True)]
    check_unpacked(path, 4 * sum(widths) * len(labels), f"has labels up to {labels.max():,}, whose columns would take")
    parts = [np.zeros((len(labels), width), np.float32) for width in widths]
    for part, column, least in zip(parts, labels.T, low, strict=True):
        part[np.arange(len(labels)), column - least] = 1
    return np.concatenate(parts, axis=1)


def _check_edges(path: Path, edges: npt.NDArray[np.int64], indicator: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Both ends of every edge, from 0 on."""
    if edges.shape[1] != 2:
        raise FileFormatError(path, f"expected two nodes per line, got {edges.shape[1]} numbers")
    if len(edges) and not 1 <= edges.min() <= edges.max() <= len(indicator):
        line = int(np.flatnonzero(((edges < 1) | (edges > len(indicator))).any(axis=1))[0]) + 1
        raise FileFormatError(
            path, f"expected nodes from 1 to {len(indicator):,}, got {edges[line - 1].tolist()}", line
        )
    index = edges.T - 1
    apart = np.flatnonzero(indicator[index[0]] != indicator[index[1]])
    if len(apart):
        raise FileFormatError(path, "expected an edge within one graph, got one between two graphs", int(apart[0]) + 1)
    return index


def _distinct(
    index: npt.NDArray[np.int64], columns: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """The edges sorted, without self-loops and repeats."""
    kept = index[0] != index[1]
    index, columns = index[:, kept], columns[kept]
    order = np.lexsort((index[1], index[0]))
    index, columns = index[:, order], columns[order]
    new = np.ones(index.shape[1], dtype=bool)
    new[1:] = (index[:, 1:] != index[:, :-1]).any(axis=0)
    summed = np.add.reduceat(columns, np.flatnonzero(new), axis=0) if columns.size else columns[new]
    return index[:, new], summed
