"""From PyG datasets and lists of `Data` to a `GraphSet`. Graphs are checked here."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch_geometric.data import Data

from hoscpool.classify.data.disjoint_union import EdgeTable, Union
from hoscpool.classify.data.graph_set import GraphSet
from hoscpool.graph import Graph, build_graph
from hoscpool.support.errors import GraphWarning


def collate(graphs: Any, name: str = "graphs") -> GraphSet:
    """Prepare graphs once for several fits. A `GraphSet` is returned as it is.

    Edges are treated as by [`as_graph`][hoscpool.as_graph]: directions are dropped, repeated edges merged, self-loops
    dropped, each with a warning. An ``edge_weight`` is used. An ``edge_attr`` is kept for classifiers with
    ``edge_features=True``; repeated edges have its mean.

    Args:
        graphs: A PyG dataset, or a list of `Data` with ``edge_index`` and ``y``, and with ``x`` in all graphs or none.
        name: Name of the graphs in messages.

    Returns:
        The set.

    Raises:
        ValueError: There is no graph, or one is not valid. The message says which, and what was expected.
    """
    if isinstance(graphs, GraphSet):
        if not len(graphs):
            raise ValueError(f"{name}: expected at least one graph, got none")
        return graphs
    listed = _listed(graphs, name)
    sizes = np.array([_count_nodes(data, f"{name}[{i}]") for i, data in enumerate(listed)], dtype=np.int64)
    ptr = np.concatenate([[0], np.cumsum(sizes)])
    edges = _edges(listed, ptr, name)
    weights = _joined(listed, "edge_weight", [part.shape[1] for part in edges], name)
    rows, cols = np.concatenate([part + ptr[i] for i, part in enumerate(edges)], axis=1)
    x = _features(listed, sizes, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        structure = build_graph(rows, cols, weights, int(ptr[-1]))
    if structure.notes:
        warnings.warn(f"{name}: {'; '.join(structure.notes)}", GraphWarning, stacklevel=2)
    structure = structure.undirected()
    features, problem = read_edge_features(listed, name)
    aligned = None if features is None else align_edge_features(features, rows, cols, structure)
    union = Union(structure, ptr, x, _labels(listed, name), EdgeTable(aligned, problem))
    return GraphSet(union, np.arange(len(listed)))


def _listed(graphs: Any, name: str) -> Sequence[Data]:
    if isinstance(graphs, Data) or not isinstance(graphs, Iterable):
        raise ValueError(f"{name}: expected a PyG dataset or a list of Data, got a {type(graphs).__name__}")
    listed = list(graphs)
    if not listed:
        raise ValueError(f"{name}: expected at least one graph, got none")
    for i, data in enumerate(listed):
        if not isinstance(data, Data):
            raise ValueError(f"{name}[{i}]: expected a PyG Data, got a {type(data).__name__}")
    return listed


def _count_nodes(data: Data, name: str) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyG warns that it counts the nodes by the edges
        size = data.num_nodes
    if not size:
        raise ValueError(f"{name}: expected at least one node, got none; leave the graph out, or give it a node")
    return int(size)


def _edges(listed: Sequence[Data], ptr: npt.NDArray[np.int64], name: str) -> list[npt.NDArray[np.int64]]:
    found = []
    for i, data in enumerate(listed):
        edges = torch.empty(2, 0, dtype=torch.int64) if data.edge_index is None else data.edge_index
        if edges.dim() != 2 or edges.size(0) != 2 or edges.is_floating_point():
            got = f"{edges.dtype} of shape {list(edges.shape)}"
            raise ValueError(f"{name}[{i}].edge_index: expected integers of shape [2, E], got {got}")
        array, size = edges.cpu().numpy().astype(np.int64), int(ptr[i + 1] - ptr[i])
        if array.size and (array.min() < 0 or array.max() >= size):
            got = f"{array.min()} to {array.max()}"
            raise ValueError(f"{name}[{i}].edge_index: expected nodes 0 to {size - 1}, got {got}")
        found.append(array)
    return found


def _features(listed: Sequence[Data], sizes: npt.NDArray[np.int64], name: str) -> Tensor | None:
    """The features of all graphs in one table."""
    table = _joined(listed, "x", sizes.tolist(), name)
    if table is None:
        return None
    bad = ~np.isfinite(table).all(axis=1)
    if bad.any():
        graph = int(np.searchsorted(np.cumsum(sizes), int(bad.argmax()), side="right"))
        raise ValueError(f"{name}[{graph}].x: expected finite features, got NaN or infinity; clean or drop the graph")
    return torch.from_numpy(table)


def _joined(listed: Sequence[Data], key: str, lengths: Sequence[int], name: str) -> npt.NDArray[np.float32] | None:
    """The rows of one tensor of all graphs; ``None`` when no graph has it."""
    parts = [data.get(key) for data in listed]
    if all(part is None for part in parts):
        return None
    for i, (part, length) in enumerate(zip(parts, lengths, strict=True)):
        _check_part(part, parts[0], length, key, f"{name}[{i}]")
    return torch.cat([part.detach().cpu().to(torch.float32) for part in parts]).numpy()


def _check_part(part: Tensor | None, first: Tensor | None, length: int, key: str, name: str) -> None:
    if part is None or first is None:
        missing = name if part is None else "the first graph"
        raise ValueError(f"{name}.{key}: expected all graphs or none to have it, but {missing} has none")
    shape = (length, *first.shape[1:])
    if part.dim() != (2 if key == "x" else 1) or part.size(0) != length:
        expected = f"[{length}, F], one row for each node" if key == "x" else f"[{length}], one for each edge"
        raise ValueError(f"{name}.{key}: expected shape {expected}, got {list(part.shape)}")
    if part.shape != shape:
        raise ValueError(
            f"{name}.{key}: expected {shape[1]} features per node as in the first graph, got {part.size(1)}; "
            "give all graphs the same features"
        )


def _labels(listed: Sequence[Data], name: str) -> npt.NDArray[np.int64] | None:
    """The class of every graph; ``None`` when no graph has one."""
    labels = [data.get("y") for data in listed]
    if all(label is None for label in labels):
        return None
    found = np.empty(len(labels), dtype=np.int64)
    for i, label in enumerate(labels):
        value = np.asarray([] if label is None else label)
        if value.size != 1 or value.dtype.kind not in "biuf" or not float(value.item()).is_integer():
            got = "none" if label is None else f"{value.dtype} of shape {list(value.shape)}"
            raise ValueError(f"{name}[{i}].y: expected one class, a whole number, got {got}")
        found[i] = int(value.item())
    return found


Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


def read_edge_features(listed: Sequence[Data], name: str) -> tuple[Floats | None, str]:
    """The ``edge_attr`` of all graphs, one row for every edge of the input; or ``None`` and the reason.

    A tensor ``[E]`` counts as one feature. It is not an error if there is none, or one that cannot be used: only a
    classifier with ``edge_features=True`` needs it.
    """
    parts = [data.get("edge_attr") for data in listed]
    if all(part is None for part in parts):
        return None, f"{name}: expected features of edges in edge_attr, got none; set data.edge_attr in every graph"
    tables = []
    for i, (data, part) in enumerate(zip(listed, parts, strict=True)):
        where, count = f"{name}[{i}].edge_attr", 0 if data.edge_index is None else data.edge_index.size(1)
        if part is None:
            return None, f"{where}: expected all graphs to have it, got none"
        if not isinstance(part, torch.Tensor) or part.is_complex() or part.dim() not in (1, 2) or len(part) != count:
            got = list(part.shape) if isinstance(part, torch.Tensor) else type(part).__name__
            return None, f"{where}: expected shape [{count}, D], one row for each edge, got {got}"
        table = part.detach().cpu().to(torch.float32).reshape(count, -1 if count else part.shape[-1])
        tables.append(table.numpy())
        if table.size(1) != tables[0].shape[1]:
            return (
                None,
                f"{where}: expected {tables[0].shape[1]} features per edge as in the first graph, got {table.size(1)}",
            )
        if not bool(table.isfinite().all()):
            return None, f"{where}: expected finite features, got NaN or infinity; clean or drop the graph"
    return np.concatenate(tables), ""


def align_edge_features(features: Floats, rows: Indices, cols: Indices, structure: Graph) -> Floats:
    """The features of every stored entry (i, j) of an undirected structure, ``[nnz, D]``.

    Several input edges from i to j have their mean. An entry without an input edge from i to j has that of j to i.

    Args:
        features: Features of the input edges ``[E, D]``.
        rows: Their sources.
        cols: Their targets.
        structure: The graph that was built of them, without directions and self-loops.
    """
    size, indptr = structure.num_nodes, structure.indptr
    row = np.repeat(np.arange(size, dtype=np.int64), np.diff(indptr))
    col = structure.indices.astype(np.int64)
    keys = row * size + col  # ascending: rows are in order and sorted
    kept = rows != cols
    place = np.searchsorted(keys, rows[kept] * size + cols[kept])
    count = np.bincount(place, minlength=len(keys))
    sums = [np.bincount(place, column[kept], len(keys)) for column in features.T.astype(np.float64)]
    found = np.stack(sums, axis=1) / np.maximum(count, 1)[:, None]
    one_way = np.flatnonzero(count == 0)
    found[one_way] = found[np.searchsorted(keys, col[one_way] * size + row[one_way])]
    aligned: Floats = found.astype(np.float32)
    return aligned
