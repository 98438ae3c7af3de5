"""The fast reader of large edge lists. It gives the result of the exact reader, or leaves the file to it."""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from hoscpool.graph.raw import EVERYTHING_GUESSED, Fields, RawGraph
from hoscpool.graph.readers.edge_columns import Columns, survey
from hoscpool.graph.readers.edge_list_exact import Edges, finish
from hoscpool.graph.readers.opening import encoding_of, is_compressed, open_bytes
from hoscpool.graph.readers.text_lines import to_number
from hoscpool.support.progress import Progress

LARGE = 8 << 20
"""Files of so many bytes or more are worth the compiled reader. It takes longer to load than others to be read."""
COMPRESSION = 4
"""A compressed file is taken for so many times its size."""
BLOCK = 1 << 24
"""Bytes that are read at a time."""
SHORTEST = 4
"""Bytes of the shortest edge with its end of line."""


def read_fast(path: Path, fields: Fields = EVERYTHING_GUESSED) -> RawGraph | None:
    """Raw arcs of an edge list without quotes below its first line, inner comments and other rare things, or ``None``.

    Memory: 16 bytes an edge, 24 with weights; for named nodes 8 or 16, and the names.
    """
    layout = find_layout(path, fields)
    if layout is None:
        return None
    try:
        edges = FastReading(layout, integers=True).read()
    except NamedError:
        edges = FastReading(layout, integers=False).read()
    return None if edges is None else finish((layout.number, layout.first), edges)


def find_layout(path: Path, fields: Fields = EVERYTHING_GUESSED) -> Layout | None:
    """What the first lines say, or ``None`` if the exact reader has to read the file."""
    if encoding_of(path) == "utf-16":
        return None
    found = survey(path, fields)
    number, first = found.first
    if found.has_data:
        return None
    return Layout(path, found.columns, first, found.delimiter, number)


def is_large(path: Path) -> bool:
    """Whether a file is worth the compiled reader."""
    return path.stat().st_size * (COMPRESSION if is_compressed(path) else 1) >= LARGE


def _skip_lines(stream: IO[bytes], count: int) -> bool:
    """Skip lines. Returns whether their ends are clear: a carriage return alone ends a line too."""
    return all(b"\r" not in stream.readline().removesuffix(b"\n").removesuffix(b"\r") for _ in range(count))


class NamedError(Exception):
    """An id is not an integer, so ids are names."""


class UnusualError(Exception):
    """The exact reader has to read the file."""


@dataclass(frozen=True)
class Layout:
    """What is known from the first lines: the columns, the cells of the first line, and its number."""

    path: Path
    columns: Columns
    first: list[str]
    delimiter: str | None
    number: int

    @property
    def width(self) -> int:
        """Number of cells in a line."""
        return len(self.first)

    def as_array(self, integers: bool) -> npt.NDArray[np.int64]:
        """The layout as the kernel takes it."""
        from hoscpool.graph.readers.kernels.tokenizer import WHITE_SPACE

        weight = -1 if self.columns.weight is None else self.columns.weight
        delimiter = WHITE_SPACE if self.delimiter is None else ord(self.delimiter)
        return np.array([delimiter, self.width, self.columns.source, self.columns.target, weight, integers])


class FastReading:
    """The names and edges found so far."""

    def __init__(self, layout: Layout, *, integers: bool) -> None:
        self._known, self._integers = layout, integers
        self._layout = layout.as_array(integers)
        self._seed = secrets.randbits(62)
        self._table, self._starts = np.full(1 << 16, -1, np.int32), np.zeros(1 << 15, np.int64)
        self._letters, self._counts = np.zeros(1 << 20, np.uint8), np.zeros(4, np.int64)
        self._edges: list[npt.NDArray[np.integer]] = []
        self._weights: list[npt.NDArray[np.float64]] = []

    def read(self) -> Edges | None:
        """All edges, or ``None`` if the exact reader has to read them.

        Raises:
            NamedError: An id is not an integer.
        """
        try:
            edges, weights = (np.concatenate(parts) for parts in zip(*self.parts(), strict=True))
            return self.table(edges[:, 0], edges[:, 1], weights if self._known.columns.weight is not None else None)
        except UnusualError:
            return None

    def parts(self) -> Iterator[tuple[npt.NDArray[np.integer], npt.NDArray[np.float64]]]:
        """The edges ``[E, 2]`` of one piece of the file after the other, and their weights, if there are any.

        Raises:
            NamedError: An id is not an integer.
            UnusualError: The exact reader has to read the file.
        """
        path, rest = self._known.path, b""
        words = None if is_compressed(path) else f"reading {path.name}"
        with open_bytes(path) as stream, Progress(words, path.stat().st_size) as progress:
            if not _skip_lines(stream, self._known.number):
                raise UnusualError
            block = b"\n"
            while block:
                block = stream.read(BLOCK)
                text = np.frombuffer(rest + block, np.uint8)
                used = self._take(text, is_last=not block)
                rest = text[used:].tobytes()
                if len(rest) > BLOCK:  # a line without end
                    raise UnusualError
                yield np.concatenate(self._edges), np.concatenate(self._weights)
                self._edges.clear()
                self._weights.clear()
                progress.advance(len(block))

    def _take(self, text: npt.NDArray[np.uint8], *, is_last: bool) -> int:
        """Read the whole lines of a text. Returns how many bytes they are."""
        from hoscpool.graph.readers.kernels.tokenizer import EDGES, GROW, LATER, MORE, NAMED, tokenize

        most = len(text) // SHORTEST + 2
        edges = np.empty((most, 2), np.int64 if self._integers else np.int32)
        weighted = most if self._known.columns.weight is not None else 0
        weights, later = np.empty(weighted), np.empty((weighted, 3), np.int64)
        used, why = 0, GROW
        while why == GROW:
            part = text[used:]
            self._counts[[EDGES, LATER]] = 0
            step, why = tokenize(
                part, is_last, self._layout, self._seed, self._table, self._starts, self._letters, edges, weights,
                later, self._counts,
            )  # fmt: skip
            if not _parse_later(part, later[: self._counts[LATER]], weights):
                raise UnusualError
            found = int(self._counts[EDGES])
            self._edges.append(edges[:found].copy())
            self._weights.append(weights[:found].copy())
            used += step
            if why == GROW:
                self._grow(len(part))
        if why == NAMED:
            raise NamedError
        if why != MORE:
            raise UnusualError
        return used

    def _grow(self, length: int) -> None:
        """Make room for more names."""
        from hoscpool.graph.readers.kernels.tokenizer import LETTERS, NAMES, rehash

        names = int(self._counts[NAMES])
        if 2 * (names + 2) >= len(self._starts):
            self._starts = np.concatenate([self._starts, np.zeros_like(self._starts)])
        if 4 * (names + 2) >= len(self._table):
            self._table = np.full(4 * len(self._table), -1, np.int32)
            rehash(self._table, self._starts, self._letters, names, self._seed)
        if len(self._letters) - int(self._counts[LETTERS]) < length:
            more = max(len(self._letters), min(length, BLOCK))
            self._letters = np.concatenate([self._letters, np.zeros(more, np.uint8)])

    def table(
        self, rows: npt.NDArray[np.integer], cols: npt.NDArray[np.integer], weights: npt.NDArray[np.float64] | None
    ) -> Edges:
        """These edges with the names that were found.

        Raises:
            UnusualError: The exact reader has to read the file.
        """
        from hoscpool.graph.readers.kernels.tokenizer import NAMES

        known = self._known
        names = None if self._integers else self._names(int(self._counts[NAMES]))
        return Edges(known.path, known.columns, known.width, rows, cols, weights, names).with_integers()

    def _names(self, count: int) -> list[str]:
        """The names as text. A rare kind of white space would have been cut off, or would separate cells."""
        bounds, letters = self._starts[: count + 1].tolist(), self._letters.tobytes()
        names = []
        for begin, end in pairwise(bounds):
            try:
                name = letters[begin:end].decode()
            except UnicodeDecodeError:  # the exact reader says where
                raise UnusualError from None
            if not name.isascii() and any(map(str.isspace, name)):
                raise UnusualError
            names.append(name)
        return names


def _parse_later(text: npt.NDArray[np.uint8], later: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]) -> bool:
    """Fill in the weights that the kernel did not parse. Returns whether all are finite numbers ≥ 0."""
    for edge, begin, end in later.tolist():
        cell = text[begin:end].tobytes().decode("ascii")
        weight = to_number(cell)
        if not (math.isfinite(weight) and weight >= 0):
            return False
        weights[edge] = weight
    return True
