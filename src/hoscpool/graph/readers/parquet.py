"""Parquet files with one edge in every row. They need pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, Notes, RawGraph, describe_columns
from hoscpool.graph.readers.edge_columns import Columns, find_columns
from hoscpool.graph.readers.numbering import integer_names, number_integers
from hoscpool.graph.readers.opening import FileFormatError, check_unpacked, reporting
from hoscpool.support.errors import MissingDependencyError

BYTES_OF_CELL = 8
"""What a cell takes at least when it is unpacked."""
BUFFER = 1 << 20
"""Bytes that are read of a column at a time."""


def read_frame(path: Path) -> Any:
    """All columns as a pandas data frame.

    Raises:
        MissingDependencyError: pyarrow is not installed.
        ValueError: The file is damaged, or too large when unpacked.
    """
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError("pyarrow", "parquet", "reading a .parquet file") from error
    with reporting(path, "a Parquet file"), pq.ParquetFile(path) as file:
        _read(path, file, file.schema_arrow.names)
        return file.read(use_threads=False).to_pandas()


@dataclass(frozen=True)
class Texts:
    """Ids that are texts: the different texts, and a place among them for every row."""

    texts: list[str]
    places: npt.NDArray[np.integer]


Ids = npt.NDArray[np.int64] | Texts


def read_parquet(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph:
    """Raw arcs of a table with the columns source, target and perhaps weight. Rows are undirected edges.

    Columns are found by their names as in an edge list with a header; otherwise they are the first two. Ids
    are integers, which are sorted, or text, in the order of their first appearance.

    Raises:
        MissingDependencyError: pyarrow is not installed.
        ValueError: The file is damaged, too large when unpacked, or has no such columns, or an id is missing.
    """
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError("pyarrow", "parquet", "reading a .parquet file") from error
    with reporting(path, "a Parquet file"):
        with pq.ParquetFile(path) as file:
            names = list(file.schema_arrow.names)
        notes = Notes()
        wanted, weight = _wanted(path, names, notes, fields)
        # texts as codes and a list of different texts: one long text in every row would fill the memory otherwise
        with pq.ParquetFile(path, read_dictionary=wanted[:2]) as file:
            cells = _read(path, file, wanted)
        raw = _number(path, *(_ids(path, cells[place], wanted[place]) for place in (0, 1)))
        if weight is not None:
            raw.weights = _weights(path, cells[2], weight)
    raw.directed, raw.notes = False, notes
    return raw


def read_parts(path: Path, size: int, notes: Notes) -> Iterator[tuple[Ids, Ids, npt.NDArray[np.float64] | None]]:
    """Both ends and the weights, if there are any, of so many rows after the other. Columns as in `read_parquet`.

    Raises:
        MissingDependencyError: pyarrow is not installed.
        ValueError: The file is damaged, has no such columns or no rows, or an id is missing.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError("pyarrow", "parquet", "reading a .parquet file") from error
    with reporting(path, "a Parquet file"), ExitStack() as stack:
        file = stack.enter_context(pq.ParquetFile(path))
        names = list(file.schema_arrow.names)
        wanted, weight = _wanted(path, names, notes)
        if not file.metadata.num_rows:
            raise FileFormatError(path, "the file has no edges, because it has no rows")
        # otherwise pyarrow keeps what it has read of all row groups
        sparing = {"pre_buffer": False, "buffer_size": BUFFER}
        file = stack.enter_context(pq.ParquetFile(path, read_dictionary=wanted[:2], **sparing))
        for batch in file.iter_batches(size, columns=wanted, use_threads=False):
            table = pa.Table.from_batches([batch])
            rows, cols = (_ids(path, table.column(name), name) for name in wanted[:2])
            _check_kinds(path, rows, cols)
            yield rows, cols, None if weight is None else _weights(path, table.column(weight), weight)


def _wanted(
    path: Path, names: list[str], notes: Notes, fields: Fields = EVERYTHING_GUESSED
) -> tuple[list[str], str | None]:
    """The names of the columns to read, and of the weights. What was decided is noted."""
    columns = _columns(path, names, fields)
    places = [columns.source, columns.target, *([] if columns.weight is None else [columns.weight])]
    notes.note(describe_columns(names, (columns.source, columns.target), columns.weight))
    return [names[place] for place in places], None if columns.weight is None else names[columns.weight]


def _check_kinds(path: Path, rows: Ids, cols: Ids) -> None:
    if isinstance(rows, Texts) != isinstance(cols, Texts):
        raise FileFormatError(path, "expected ids of one kind, got integers in one column and text in the other")


def _columns(path: Path, names: list[str], fields: Fields) -> Columns:
    if len(set(names)) < len(names):
        raise FileFormatError(path, f"expected every column once, got {', '.join(names)}")
    return find_columns(path, names, fields)


def _read(path: Path, file: Any, names: list[str]) -> list[Any]:
    """The wanted columns. Their size is compared with the limit before they are read, as claimed, and while."""
    import pyarrow as pa

    metadata = file.metadata
    if not metadata.num_rows:
        raise FileFormatError(path, "the file has no edges, because it has no rows")
    chunks = [
        chunk
        for group in range(metadata.num_row_groups)
        for place in range(metadata.num_columns)
        if (chunk := metadata.row_group(group).column(place)).path_in_schema in names
    ]
    claimed = max(
        BYTES_OF_CELL * len(names) * metadata.num_rows, sum(chunk.total_uncompressed_size for chunk in chunks)
    )
    check_unpacked(path, claimed, "the table takes")
    tables, size = [], 0
    for group in range(metadata.num_row_groups):
        table = file.read_row_group(group, columns=names, use_threads=False)
        size += table.nbytes
        check_unpacked(path, size, "the table takes")
        tables.append(table)
    table = pa.concat_tables(tables)
    return [table.column(name) for name in names]


def _ids(path: Path, column: Any, name: str) -> Ids:
    import pyarrow as pa

    if column.null_count:
        raise FileFormatError(path, f"column {name!r}: expected an id in every row, got {column.null_count:,} missing")
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_integer(kind):
        return np.asarray(column.cast(kind).cast(pa.int64()).to_numpy())
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise FileFormatError(path, f"column {name!r}: expected integers or text as ids, got {kind}")
    whole = (column if kind is not column.type else column.dictionary_encode()).unify_dictionaries().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    return Texts(whole.dictionary.to_pylist(), whole.indices.to_numpy())


def _number(path: Path, rows: Ids, cols: Ids) -> RawGraph:
    import pandas as pd

    _check_kinds(path, rows, cols)
    if isinstance(rows, Texts) and isinstance(cols, Texts):
        known: dict[str, int] = {}
        ends = [np.array([known.setdefault(text, len(known)) for text in part.texts])[part.places]
                for part in (rows, cols)]  # fmt: skip
        places, used = pd.factorize(np.stack(ends, axis=1).ravel())
        texts = list(known)
        pairs = places.reshape(-1, 2)
        return RawGraph(pairs[:, 0], pairs[:, 1], None, len(used), node_names=[texts[place] for place in used])
    assert not isinstance(rows, Texts)
    assert not isinstance(cols, Texts)
    rows, cols, ids = number_integers(rows, cols)
    return RawGraph(rows, cols, None, len(ids), node_names=integer_names(ids))


def _weights(path: Path, column: Any, name: str) -> npt.NDArray[np.float64]:
    import pyarrow as pa

    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise FileFormatError(path, f"column {name!r}: expected numbers as weights, got {column.type}")
    weights = np.asarray(column.cast(pa.float64()).to_numpy())
    if column.null_count or not (np.isfinite(weights) & (weights >= 0)).all():
        raise FileFormatError(path, f"column {name!r}: expected weights that are finite numbers ≥ 0")
    return weights
