"""Parquet files with one edge in every row. They need pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.raw import RawGraph
from hoscpool.graph.readers.edge_list_exact import Columns, find_columns
from hoscpool.graph.readers.numbering import integer_names, number_integers
from hoscpool.graph.readers.opening import FileFormatError, reporting
from hoscpool.graph.readers.unpacking import check_unpacked
from hoscpool.support.errors import MissingDependencyError

BYTES_OF_CELL = 8
"""What a cell takes at least when it is unpacked."""


def read_parquet(path: Path) -> RawGraph:
    """Raw arcs of a table with the columns source, target and perhaps weight. Rows are undirected edges.

    Columns are found by their names as in an edge list with a header; otherwise they are the first two or three. Ids
    are integers, which are sorted, or text, in the order of their first appearance.

    Raises:
        MissingDependencyError: pyarrow is not installed.
        ValueError: The file is damaged, too large when unpacked, or has no such columns, or an id is missing.
    """
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError("pyarrow", "parquet", "reading a .parquet file") from error
    with reporting(path, "a Parquet file"), pq.ParquetFile(path) as file:
        columns = _columns(path, file.schema_arrow.names)
        wanted = [columns.source, columns.target, *([] if columns.weight is None else [columns.weight])]
        if not file.metadata.num_rows:
            raise FileFormatError(path, "the file has no edges, because it has no rows")
        check_unpacked(path, BYTES_OF_CELL * len(wanted) * file.metadata.num_rows, "the table takes")
        names = file.schema_arrow.names
        table = file.read(columns=[names[place] for place in wanted], use_threads=False)
        cells = {place: table.column(names[place]) for place in wanted}
        raw = _number(path, *(_ids(path, cells[place], names[place]) for place in wanted[:2]))
        if columns.weight is not None:
            raw.weights = _weights(path, cells[columns.weight], names[columns.weight])
    raw.directed = False
    unused = [name for place, name in enumerate(names) if place not in wanted]
    if unused:
        raw.notes.note(f"the columns {', '.join(map(repr, unused))} were not used")
    return raw


def _columns(path: Path, names: list[str]) -> Columns:
    columns = find_columns(names)
    if columns is None or len(set(names)) < len(names):
        raise FileFormatError(
            path,
            f"expected the columns source and target, and perhaps weight, each once, got {', '.join(names) or 'none'}",
        )
    return columns


def _ids(path: Path, column: Any, name: str) -> npt.NDArray[Any]:
    import pyarrow as pa

    if column.null_count:
        raise FileFormatError(path, f"column {name!r}: expected an id in every row, got {column.null_count:,} missing")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_integer(column.type):
        return np.asarray(column.cast(pa.int64()).to_numpy())
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return np.asarray(column.to_numpy(), dtype=object)
    raise FileFormatError(path, f"column {name!r}: expected integers or text as ids, got {column.type}")


def _number(path: Path, rows: npt.NDArray[Any], cols: npt.NDArray[Any]) -> RawGraph:
    import pandas as pd

    if (rows.dtype == object) != (cols.dtype == object):
        raise FileFormatError(path, "expected ids of one kind, got integers in one column and text in the other")
    if rows.dtype != object:
        rows, cols, ids = number_integers(rows, cols)
        return RawGraph(rows, cols, None, len(ids), node_names=integer_names(ids))
    places, names = pd.factorize(np.stack([rows, cols], axis=1).ravel())
    ends = places.reshape(-1, 2)
    return RawGraph(ends[:, 0], ends[:, 1], None, len(names), node_names=names.tolist())


def _weights(path: Path, column: Any, name: str) -> npt.NDArray[np.float64]:
    import pyarrow as pa

    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise FileFormatError(path, f"column {name!r}: expected numbers as weights, got {column.type}")
    weights = np.asarray(column.cast(pa.float64()).to_numpy())
    if column.null_count or not (np.isfinite(weights) & (weights >= 0)).all():
        raise FileFormatError(path, f"column {name!r}: expected weights that are finite numbers ≥ 0")
    return weights
