"""Matrix Market files. This module parses them itself, because SciPy's reader crashes on some damaged files."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.converters.arrays import from_dense
from hoscpool.graph.raw import RawGraph
from hoscpool.graph.readers.opening import (
    FileFormatError,
    check_claimed_nodes,
    encoding_of,
    is_compressed,
    iterate_lines,
    open_text,
    reporting,
    unpacking_limit,
)
from hoscpool.graph.validate import check_square

FORMATS = ("coordinate", "array")
FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern")
SYMMETRIES = ("general", "symmetric")


@dataclass(frozen=True)
class Header:
    """The first lines of a Matrix Market file.

    Attributes:
        layout: ``coordinate`` or ``array``.
        field: The type of the entries. ``pattern`` has no values.
        symmetric: Whether only one triangle is stored.
        sizes: Rows, columns and, for ``coordinate``, the number of entries.
        lines: The number of lines up to and including the sizes.
    """

    layout: str
    field: str
    symmetric: bool
    sizes: tuple[int, ...]
    lines: int


def read_matrix_market(path: Path) -> RawGraph:
    """Raw arcs of a Matrix Market file. ``symmetric`` is undirected. ``general`` is undirected if it is symmetric.

    Raises:
        ValueError: The file is damaged, complex, skew-symmetric or not square.
    """
    with reporting(path, "a Matrix Market file"):
        header = _read_header(path)
    if header.sizes[0] == header.sizes[1]:
        check_claimed_nodes(path, header.sizes[0])  # first, because it names the file
    check_square(header.sizes[:2], f"{path}: adjacency")
    _check_claims(path, header)
    with reporting(path, "a Matrix Market file"):
        raw = _read_entries(path, header) if header.layout == "coordinate" else _read_array(path, header)
    raw.directed = False if header.symmetric else None
    return raw


def _check_claims(path: Path, header: Header) -> None:
    """Compare the sizes in the header with the size of the file. An entry takes at least two bytes, or four with a row.

    Raises:
        ValueError: The file is too small for what it claims to hold.
    """
    size = header.sizes[0]
    check_claimed_nodes(path, size)
    room = unpacking_limit(path) if is_compressed(path) else path.stat().st_size
    triangle = size * (size + 1) // 2 if header.symmetric else size * size
    least = 4 * header.sizes[2] if header.layout == "coordinate" else 2 * triangle
    if path.is_file() and least > room + 2:
        count = header.sizes[2] if header.layout == "coordinate" else triangle
        raise FileFormatError(path, f"expected {count:,} entries as in the header, but the file is too short for them")


def _read_header(path: Path) -> Header:
    lines = iterate_lines(path)
    words = next(lines)[1].lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise FileFormatError(
            path, "expected a first line such as '%%MatrixMarket matrix coordinate real symmetric'", 1
        )
    for word, known in zip(words[2:], (FORMATS, FIELDS, SYMMETRIES), strict=True):
        if word not in known:
            raise FileFormatError(path, f"expected {' or '.join(known)} for an adjacency matrix, got {word}", 1)
    number, sizes = next((number, line) for number, line in lines if line.strip() and not line.startswith("%"))
    return Header(words[2], words[3], words[4] == "symmetric", _sizes(path, number, sizes, words[2]), number)


def _sizes(path: Path, number: int, line: str, layout: str) -> tuple[int, ...]:
    cells = line.split()
    names = ["rows", "columns", "entries"][: 3 if layout == "coordinate" else 2]
    if len(cells) != len(names) or not all(cell.isascii() and cell.isdigit() and len(cell) < 20 for cell in cells):
        raise FileFormatError(path, f"expected the number of {', '.join(names)}, got {line.strip()[:100]!r}", number)
    return tuple(map(int, cells))


def _read_entries(path: Path, header: Header) -> RawGraph:
    size, _, count = header.sizes
    fields: Any = [("i", np.int64), ("j", np.int64), ("value", np.float64)][: 2 if header.field == "pattern" else 3]
    table = _read_body(path, header, count, fields)
    for index in (table["i"], table["j"]):
        if count and not 1 <= index.min() <= index.max() <= size:
            bad = index.min() if index.min() < 1 else index.max()
            raise FileFormatError(path, f"index {bad} is out of range; expected 1 to {size:,}")
    rows, cols = table["i"] - 1, table["j"] - 1
    values = None if header.field == "pattern" else np.ascontiguousarray(table["value"])
    if header.symmetric:
        mirrored = np.flatnonzero(rows != cols)
        rows, cols = np.concatenate((rows, cols[mirrored])), np.concatenate((cols, rows[mirrored]))
        values = None if values is None else np.concatenate((values, values[mirrored]))
    return RawGraph(rows, cols, values, size)


def _read_array(path: Path, header: Header) -> RawGraph:
    """A dense matrix, stored by columns. A symmetric file stores only the lower triangle."""
    size = header.sizes[0]
    count = size * (size + 1) // 2 if header.symmetric else size * size
    values = _read_body(path, header, count, np.float64)
    if not header.symmetric:
        return from_dense(values.reshape(size, size).T)
    dense = np.zeros((size, size))
    cols, rows = np.triu_indices(size)
    dense[rows, cols] = dense[cols, rows] = values
    return from_dense(dense)


def _read_body(path: Path, header: Header, count: int, dtype: Any) -> npt.NDArray[Any]:
    """All entries. Their number must be as in the header."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="loadtxt: input contained no data")
        warnings.filterwarnings("ignore", message="Input line .* contained no data")
        with open_text(path) as text:  # NumPy reads a plain file faster by its path
            source, encoding = text if is_compressed(path) else path, encoding_of(path)
            table: npt.NDArray[Any] = np.loadtxt(
                source, dtype, comments="%", skiprows=header.lines, encoding=encoding, ndmin=1, max_rows=count + 1
            )
    if len(table) != count:
        more = "more" if len(table) > count else f"{len(table):,}"
        raise FileFormatError(path, f"expected {count:,} entries as in the header, got {more}; it may be truncated")
    return table
