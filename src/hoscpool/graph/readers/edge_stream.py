"""Edges of a source of any size, part by part. Memory: one part, and what the nodes take."""

from __future__ import annotations

import os
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.core import Graph
from hoscpool.graph.raw import Notes
from hoscpool.graph.readers import edge_list_exact as exact
from hoscpool.graph.readers.edge_columns import Row
from hoscpool.graph.readers.edge_list_fast import FastReading, NamedError, UnusualError, find_layout, is_large
from hoscpool.graph.readers.formats import READERS, read_edge_list
from hoscpool.graph.readers.numbering import integer_names
from hoscpool.graph.readers.numpy_files import check_members, read_header, read_stream
from hoscpool.graph.readers.opening import FileFormatError, check_claimed_nodes, check_file, extension, reporting
from hoscpool.graph.readers.parquet import Texts, read_parts
from hoscpool.graph.validate import check_square

PART = 1 << 21
"""Edges of one part, where a source does not say."""

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Part:
    """Some edges.

    Attributes:
        rows: One end of every edge: an id.
        cols: The other end.
        weights: The weights, or ``None`` if every edge counts.
    """

    rows: npt.NDArray[np.integer]
    cols: npt.NDArray[np.integer]
    weights: npt.NDArray[Any] | None = None


@dataclass(frozen=True)
class Numbering:
    """The nodes of a source whose edges were all read.

    Attributes:
        nodes: The node of every id, in the order of the ids, ``[I]``.
        num_nodes: Number of nodes.
        names: Names of the nodes; ``None`` if they are 0 … N−1.
        more: Edges between nodes that are in no part.
        notes: What the user should know about the reading.
    """

    nodes: Ids
    num_nodes: int
    names: list[Any] | None
    more: Part
    notes: Notes


class EdgeStream(ABC):
    """A source of edges.

    Attributes:
        has_both_directions: Whether an edge is usually given in both directions.
        path: The file, if it is one.
    """

    has_both_directions = False
    path: Path | None = None

    @abstractmethod
    def parts(self) -> Iterator[Part | None]:
        """The edges. ``None`` means that all parts so far are void and come again, under other ids."""

    @abstractmethod
    def number(self, ids: Ids) -> Numbering:
        """The nodes, after the last part. They are numbered as `as_graph` numbers them.

        Args:
            ids: All ids that were in the parts, ascending.
        """


class GraphStream(EdgeStream):
    """The edges of an undirected graph in memory, each in one direction."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def parts(self) -> Iterator[Part]:
        """The edges of some rows after the other."""
        indptr, indices = self._graph.indptr, self._graph.indices
        start = 0
        while start < self._graph.num_nodes:
            stop = max(start + 1, int(np.searchsorted(indptr, indptr[start] + 2 * PART, side="right")) - 1)
            rows = np.repeat(np.arange(start, stop), np.diff(indptr[start : stop + 1]))
            cols = indices[indptr[start] : indptr[stop]]
            yield Part(rows[rows < cols], cols[rows < cols])
            start = stop

    def number(self, ids: Ids) -> Numbering:
        """The ids are the nodes."""
        names = self._graph.node_names
        return Numbering(
            ids, self._graph.num_nodes, None if names is None else list(names), _no_edges(), Notes(self._graph.notes)
        )


class TextStream(EdgeStream):
    """The edges of a large edge list, read by the compiled reader if that can read it, otherwise by the exact one."""

    path: Path

    def __init__(self, path: Path) -> None:
        self.path = path
        self._comments: list[tuple[int, str]] = []
        self._first: Row
        self._is_weighted = False
        self._table: Callable[[Ids, Ids, npt.NDArray[np.float64] | None], exact.Edges]

    def parts(self) -> Iterator[Part | None]:
        """The edges below the first line, which may be a header."""
        with reporting(self.path, "an edge list"):
            layout = find_layout(self.path)
            for integers in () if layout is None else (True, False):
                assert layout is not None
                reading = FastReading(layout, integers=integers)
                self._is_weighted = layout.columns.weight is not None
                try:
                    for edges, weights in reading.parts():
                        yield Part(edges[:, 0], edges[:, 1], weights if self._is_weighted else None)
                    empty = np.empty(0, np.int64)
                    reading.table(empty, empty, None)  # the names can be read
                except NamedError:
                    yield None
                    continue
                except UnusualError:
                    break
                self._first, self._table = (layout.number, layout.first), reading.table
                return
            yield None
            yield from self._exact_parts()

    def _exact_parts(self) -> Iterator[Part]:
        self._first, table, rows = exact.open_exact(self.path, self._comments)
        self._is_weighted = table.columns.weight is not None
        for line, cells in rows:
            table.add(line, cells)
            if len(table.rows) >= PART:
                yield self._taken_from(table)
        yield self._taken_from(table)

        def edges_of(rows: Ids, cols: Ids, weights: npt.NDArray[np.float64] | None) -> exact.Edges:
            names = list(table.ids)
            return exact.Edges(table.path, table.columns, table.width, rows, cols, weights, names).with_integers()

        self._table = edges_of

    def _taken_from(self, table: exact.EdgeTable) -> Part:
        """The edges of the table, which is empty then. It keeps the names."""
        rows, cols = np.array(table.rows, np.int64), np.array(table.cols, np.int64)
        weights = np.array(table.weights) if self._is_weighted else None
        for column in (table.rows, table.cols, table.weights):
            del column[:]
        return Part(rows, cols, weights)

    def number(self, ids: Ids) -> Numbering:
        """Integers are sorted, names are in the order of their appearance; the first line comes first."""
        with reporting(self.path, "an edge list"):
            rest = self._table(ids, ids, np.ones(len(ids)) if self._is_weighted else None)
            raw = exact.finish(self._first, rest)  # of every id with itself, and of the first line if it is an edge
            exact.report_comments(self._comments, rest.width, raw)
        head = len(raw.rows) - len(ids)
        more = Part(raw.rows[:head], raw.cols[:head], None if raw.weights is None else raw.weights[:head])
        return Numbering(raw.rows[head:], raw.num_nodes, raw.node_names, more, raw.notes)


class ParquetStream(EdgeStream):
    """The edges of a Parquet file."""

    path: Path

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names: dict[str, int] | None = None
        self._notes = Notes()

    def parts(self) -> Iterator[Part]:
        """The edges of some rows after the other."""
        for rows, cols, weights in read_parts(self.path, PART, self._notes):
            yield Part(*self._ids(rows, cols), weights)

    def _ids(self, rows: Any, cols: Any) -> tuple[Ids, Ids]:
        if not isinstance(rows, Texts):
            return rows, cols
        import pandas as pd

        known = self._names = {} if self._names is None else self._names
        texts = [*rows.texts, *cols.texts]
        both = np.stack([rows.places, cols.places.astype(np.int64) + len(rows.texts)], axis=1).ravel()
        places, used = pd.factorize(both)  # in the order of their first appearance
        ids = np.array([known.setdefault(texts[place], len(known)) for place in used], np.int64)
        ends = ids[places].reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    def number(self, ids: Ids) -> Numbering:
        """Integers are sorted, names are in the order of their appearance."""
        nodes = np.arange(len(ids))
        if self._names is not None:
            return Numbering(nodes, len(ids), list(self._names), _no_edges(), self._notes)
        return Numbering(nodes, len(ids), integer_names(ids), _no_edges(), self._notes)


class MatrixStream(EdgeStream):
    """The entries of a SciPy sparse matrix in an ``.npz`` file, in the format CSR, CSC or COO."""

    has_both_directions = True

    path: Path

    def __init__(self, path: Path) -> None:
        self.path = path
        self._num_nodes = 0

    def parts(self) -> Iterator[Part]:
        """Some entries after the other."""
        with ExitStack() as stack:
            stack.enter_context(reporting(self.path, "a SciPy sparse matrix"))
            archive = stack.enter_context(zipfile.ZipFile(self.path))
            sizes = {info.filename.removesuffix(".npy"): info for info in check_members(self.path, archive)}
            form = _text(_all(archive, "format")) if "format" in sizes else ""
            wanted = {"coo": ("row", "col"), "csr": ("indices",), "csc": ("indices",)}.get(form)
            if wanted is None or not sizes.keys() >= {"shape", "data", *wanted}:
                raise FileFormatError(
                    self.path,
                    "expected a CSR, CSC or COO matrix of scipy.sparse.save_npz; convert it with .tocsr() first",
                )
            self._num_nodes = check_square(tuple(_all(archive, "shape").tolist()))
            check_claimed_nodes(self.path, self._num_nodes)
            data = stack.enter_context(_column(archive, "data"))
            columns = [stack.enter_context(_column(archive, name)) for name in wanted]
            if len({data.size, *(column.size for column in columns)}) > 1:
                raise ValueError("its arrays have different lengths")
            indptr = _all(archive, "indptr") if form != "coo" else np.empty(0, np.int64)
            if form != "coo":
                self._check_pointers(indptr, data.size)
            for start in range(0, data.size, PART):
                stop = min(start + PART, data.size)
                ends = [self._checked(column.read(stop - start)) for column in columns]
                if form != "coo":
                    ends.append(np.searchsorted(indptr, np.arange(start, stop), side="right") - 1)
                yield Part(ends[0], ends[1], data.read(stop - start))

    def _checked(self, ends: npt.NDArray[Any]) -> npt.NDArray[np.integer]:
        if ends.dtype.kind not in "iu" or (len(ends) and not 0 <= int(ends.min()) <= int(ends.max()) < self._num_nodes):
            raise ValueError(f"an index is not a whole number from 0 to {self._num_nodes - 1:,}")
        return ends

    def _check_pointers(self, indptr: npt.NDArray[Any], size: int) -> None:
        right = indptr.dtype.kind in "iu" and len(indptr) == self._num_nodes + 1 and indptr[0] == 0
        if not (right and indptr[-1] == size and bool((indptr[1:] >= indptr[:-1]).all())):
            raise ValueError("its row pointers are damaged")

    def number(self, ids: Ids) -> Numbering:
        """The ids are the nodes."""
        return Numbering(ids, self._num_nodes, None, _no_edges(), Notes())


@dataclass
class _Column:
    """An array of an archive that is read piece by piece."""

    stream: IO[bytes]
    dtype: np.dtype[Any]
    size: int

    def read(self, count: int) -> npt.NDArray[Any]:
        """The next entries."""
        content = self.stream.read(count * self.dtype.itemsize)
        if len(content) < count * self.dtype.itemsize:
            raise ValueError("an array ends too early")
        return np.frombuffer(content, self.dtype)


@contextmanager
def _column(archive: zipfile.ZipFile, name: str) -> Iterator[_Column]:
    with archive.open(f"{name}.npy") as stream:
        shape, _, dtype, _ = read_header(stream)
        if dtype is None or dtype.kind not in "buif" or len(shape) != 1:
            raise ValueError(f"array {name!r}: expected a vector of real numbers")
        yield _Column(stream, dtype, shape[0])


def _all(archive: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    with archive.open(f"{name}.npy") as stream:
        return read_stream(stream, archive.getinfo(f"{name}.npy").file_size)


def _text(array: npt.NDArray[Any]) -> str:
    value = array.item()
    return value.decode("ascii") if isinstance(value, bytes) else str(value)


def _no_edges() -> Part:
    return Part(np.empty(0, np.int64), np.empty(0, np.int64))


def stream_file(source: Any) -> EdgeStream | None:
    """The edges of a large edge list, a Parquet file or an ``.npz`` file. ``None`` for all else, which is read whole.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file is empty or a folder.
    """
    if not isinstance(source, str | os.PathLike):
        return None
    path = check_file(source)
    kind = extension(path)
    if kind in (".parquet", ".npz"):
        return ParquetStream(path) if kind == ".parquet" else MatrixStream(path)
    return TextStream(path) if READERS.get(kind) is read_edge_list and is_large(path) else None
