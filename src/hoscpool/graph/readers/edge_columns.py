"""Where the ends and the weight of an edge are in the lines of an edge list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from hoscpool.graph.raw import Fields, find_ends, find_weight
from hoscpool.graph.readers.opening import FileFormatError, extension
from hoscpool.graph.readers.text_lines import data_lines, is_number, sniff_delimiter, split_at
from hoscpool.graph.validate import first_few

SAMPLE = 100
"""Lines that decide about the delimiter and the columns."""
Row = tuple[int, list[str]]

_BRACE = re.compile(r"[\s,;|]\{")
_ITEM = re.compile(
    r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*:\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,{}\[\]()]+)"""
)


@dataclass(frozen=True)
class Columns:
    """Where the two ends and the weight of an edge are in a line.

    Attributes:
        source: Column of the first end.
        target: Column of the second end.
        weight: Column of the weight, or ``None``.
        named: Whether the first line has known column names, so that it is a header.
        sure: Whether the user named a column, so that the first line is a header in any case.
        numbers_below: Whether the third cells of the lines below are numbers.
        guessed: Whether the user said nothing about weights.
    """

    source: int = 0
    target: int = 1
    weight: int | None = None
    named: bool = False
    sure: bool = False
    numbers_below: bool = False
    guessed: bool = True

    @property
    def in_order(self) -> bool:
        """Whether source, target and weight are the first columns in this order."""
        return (self.source, self.target) == (0, 1) and self.weight in (None, 2)


@dataclass(frozen=True)
class Survey:
    """What the first lines of an edge list say about the rest.

    Attributes:
        path: The file.
        delimiter: What separates cells; ``None``: white space.
        first: Number and cells of the first line.
        columns: Its columns.
        has_data: Whether lines end with a dict of edge data, as NetworkX writes it.
        key: The key of the weight in this dict; ``None``: there are no weights.
    """

    path: Path
    delimiter: str | None
    first: Row
    columns: Columns
    has_data: bool = False
    key: str | None = None

    @property
    def width(self) -> int:
        """Number of cells in a line."""
        return len(self.first[1])

    def rows(self, comments: list[tuple[int, str]]) -> Iterator[Row]:
        """The cells of every line below the first."""
        for number, line in islice(data_lines(self.path, comments), 1, None):
            yield number, self._cells(number, line)

    def _cells(self, number: int, line: str) -> list[str]:
        if self.has_data:
            return _with_data(self.path, number, line, self.delimiter, self.key)
        return split_at(self.path, number, line, self.delimiter)


def survey(path: Path, fields: Fields) -> Survey:
    """Look at the first lines of an edge list.

    Raises:
        ValueError: There is no line, or the columns are not known.
    """
    sample = list(islice(data_lines(path), SAMPLE))
    if not sample:
        raise FileFormatError(path, "the file has no edges, only blank lines or comments")
    parts = [_split_data(line) for _, line in sample]
    has_data = all(data for _, data in parts)
    bare = [head if has_data else line for (head, _), (_, line) in zip(parts, sample, strict=True)]
    delimiter = "|" if extension(path) == ".psv" else sniff_delimiter(bare, pipes=True)
    key = None if fields.weight is None else str(fields.weight_key)
    if has_data:
        cells = [_with_data(path, number, line, delimiter, key) for number, line in sample[:1]]
        weight = 2 if key is not None and any(_value(line, key) is not None for _, line in sample) else None
        columns = Columns(weight=weight)
        return Survey(path, delimiter, (sample[0][0], cells[0]), columns, True, key)
    rows = [(number, split_at(path, number, line, delimiter)) for number, line in sample]
    first = without_empty_end(rows[0][1], 2)
    below = [cells[2] for _, cells in rows[1:] if len(cells) > 2]
    columns = replace(
        find_columns(path, first, fields, rows[0][0]), numbers_below=bool(below) and all(map(is_number, below))
    )
    return Survey(path, delimiter, (rows[0][0], first), columns)


def without_empty_end(cells: list[str], width: int) -> list[str]:
    """Drop empty cells beyond ``width``, which come from delimiters at the end of a line."""
    while len(cells) > width and not cells[-1]:
        cells = cells[:-1]
    return cells


def find_columns(path: Path, first: list[str], fields: Fields, line: int | None = None) -> Columns:
    """Find the columns from the first line, and from what the user said.

    A third column without a name is no weight: it may be a year.

    Raises:
        ValueError: A column is missing, or it is not known which columns are the ends.
    """
    sure = any(isinstance(field, str) for field in (fields.source, fields.target, fields.weight))
    if fields.source is not None and fields.target is not None:
        places = [_place(path, first, getattr(fields, end), end, line) for end in ("source", "target")]
        ends: tuple[int, int] | None = (places[0], places[1])
        named = sure
    else:
        ends = find_ends(first)
        named = ends is not None
    if ends is None and (len(first) in (2, 3) or (len(first) > 3 and isinstance(fields.weight, int | str))):
        ends = (0, 1)
    if ends is None:
        raise FileFormatError(
            path,
            f"expected 2 or 3 columns (source, target, weight), got {len(first)}; to use more columns, add a header "
            "that names the columns source and target, or name them with source= and target= (--source, --target)",
            line,
        )
    weight = _weight_column(path, first, ends, fields, line)
    return Columns(*ends, weight=weight, named=named or sure, sure=sure, guessed=fields.guesses_weight)


def _weight_column(path: Path, first: list[str], ends: tuple[int, int], fields: Fields, line: int | None) -> int | None:
    if fields.weight is None:
        return None
    if not fields.guesses_weight:
        return _place(path, first, fields.weight, "weight", line)
    return find_weight(first, ends)


def _place(path: Path, first: Sequence[str], wanted: Any, what: str, line: int | None) -> int:
    """The column that the user named, or numbered from 0."""
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        if not 0 <= wanted < len(first):
            raise FileFormatError(
                path, f"{what}: there is no column {wanted + 1}; the first line has {len(first)}", line
            )
        return wanted
    if wanted not in first:
        raise FileFormatError(
            path, f"{what}: there is no column {wanted!r}; expected one of {first_few(first, 12)}", line
        )
    return first.index(wanted)


def _with_data(path: Path, number: int, line: str, delimiter: str | None, key: str | None) -> list[str]:
    """The ends and the weight of a line as `networkx.write_edgelist` writes it. Nothing is evaluated."""
    head, _ = _split_data(line)
    value = None if key is None else _value(line, key)
    return [*split_at(path, number, head, delimiter), "1" if value is None else value]


def _split_data(line: str) -> tuple[str, str]:
    """A line without the dict at its end, and this dict as text; both parts in linear time.

    >>> _split_data("a b {'weight': 2.5}"), _split_data("a b")
    (('a b', "{'weight': 2.5}"), ('a b', ''))
    """
    found = _BRACE.search(line) if line.rstrip().endswith("}") else None
    return (line, "") if found is None else (line[: found.start()], line[found.start() + 1 :].rstrip())


def _value(line: str, key: str) -> str | None:
    """The value of a key in the dict at the end of a line, as text.

    >>> _value("a b {'color': 'red', 'weight': 2.5}", "weight")
    '2.5'
    """
    items = _ITEM.findall(_split_data(line)[1])
    return next((value.strip() for name, value in items if name[1:-1] == key), None)
