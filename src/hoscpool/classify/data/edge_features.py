"""Features of edges (bond types, distances) in the order in which a union of graphs stores its edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch_geometric.data import Data

from hoscpool.graph import Graph

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
