"""Split the lines of a text table into cells: comments, delimiters, quotes, and the guard of spreadsheets."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from hoscpool.graph.readers.opening import FileFormatError, iterate_lines
from hoscpool.support.plain_text import has_controls

COMMENTS = ("#", "%")
_QUOTED_OR_WORD = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_UNCLEAR = re.compile(r'[\s,;|"]')
_OPENING = re.compile(r'(?:^|[\t;,|])[^\S\t]*"')  # no tabs after a tab: many of them would take quadratic time
_LONGEST = len(str(-(2**63)))
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


def data_lines(path: Path, inner: list[tuple[int, str]] | None = None) -> Iterator[tuple[int, str]]:
    """The lines that are neither blank nor comments, with their numbers.

    Args:
        path: The file.
        inner: Receives the comments below the first line of data. They may be names that begin like a comment.

    Raises:
        ValueError: A quoted cell does not end on its line.
    """
    begun = False
    for number, line in iterate_lines(path):
        text = line.strip()
        if text and not text.startswith(COMMENTS):
            begun = True
            if text.count('"') % 2 and _OPENING.search(text):
                raise FileFormatError(path, "a quote is not closed; cells cannot go over several lines", number)
            yield number, line.rstrip("\r\n")
        elif text and begun and inner is not None:
            inner.append((number, text))


def sniff_delimiter(lines: Iterable[str], *, pipes: bool = False) -> str | None:
    """The delimiter in at least half of the lines: tab, semicolon or comma. ``None`` means white space.

    Args:
        lines: Some lines.
        pipes: Whether ``|`` is a delimiter too, where white space does not already give two or three cells.

    Examples:
        >>> sniff_delimiter(["1;2;0,5", "1;3;0,7"])
        ';'
        >>> sniff_delimiter(["ann|bob", "bob|cid"], pipes=True), sniff_delimiter(["a|b c|d"], pipes=True)
        ('|', None)
    """
    bare = [re.sub(r'"[^"]*"', "", line.strip()) for line in lines]
    if pipes and bare and _has_pipes(bare):
        return "|"
    for delimiter in ("\t", ";", ","):
        if sum(delimiter in line for line in bare) * 2 >= len(bare):
            return delimiter
    return None


def _has_pipes(lines: list[str]) -> bool:
    """Whether ``|`` is in every line, and neither another delimiter nor white space would do."""
    others = [re.sub(r"(?<=\d),(?=\d)", "", line) for line in lines]  # commas before decimals
    if not all("|" in line for line in lines) or any(mark in line for line in others for mark in "\t;,"):
        return False
    words = [line.split() for line in lines]
    return any("|" in cells or len(cells) not in (2, 3) for cells in words)


def split(line: str, delimiter: str | None) -> list[str]:
    """The cells of one line, without quotes and surrounding spaces. Cells of `guard` come back as they were.

    Examples:
        >>> split('1, "Smith, John" ,2', ",")
        ['1', 'Smith, John', '2']
    """
    cells = _split(line, delimiter)
    return list(map(unguard, cells)) if "'" in line else cells


def _split(line: str, delimiter: str | None) -> list[str]:
    if '"' not in line:
        return line.split() if delimiter is None else [cell.strip() for cell in line.split(delimiter)]
    if delimiter is None:
        return [quoted.replace('""', '"') or word for quoted, word in _QUOTED_OR_WORD.findall(line)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))]
    except csv.Error as error:  # such as a quoted cell of more than 131,072 characters
        raise ValueError(f"a cell cannot be read ({error})") from None


def split_at(path: Path, number: int, line: str, delimiter: str | None) -> list[str]:
    """The cells of one line of a file.

    Raises:
        ValueError: A cell is too long or damaged. The message names the file and the line.
    """
    try:
        return split(line, delimiter)
    except ValueError as error:
        raise FileFormatError(path, str(error), number) from None


def is_integer(cell: str) -> bool:
    """Whether a cell is an integer as Python prints it. ``007`` and ``+5`` are names, not numbers.

    Examples:
        >>> [is_integer(cell) for cell in ("12", "-3", "007", "1.0", "a")]
        [True, True, False, False, False]
    """
    return len(cell) <= _LONGEST and _INTEGER.fullmatch(cell) is not None and -(2**63) <= int(cell) < 2**63


def is_number(cell: str) -> bool:
    """Whether a cell is a number of any kind."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")


def to_number(cell: str) -> float:
    """A cell as a number, with a point or a comma before the decimals; NaN if it is none.

    Examples:
        >>> to_number("1.5"), to_number("0,25"), to_number("1,000,000")
        (1.5, 0.25, nan)
    """
    if is_number(cell):
        return float(cell)
    return float(cell.replace(",", ".")) if _DECIMAL_COMMA.fullmatch(cell) else math.nan


def write_rows(file: IO[str], rows: Iterable[Sequence[Any]], delimiter: str = ",") -> None:
    """Write one line per row. Names come back as they were, and a spreadsheet takes none of them for a formula.

    Text is quoted if the line would otherwise look like a comment, or like cells with another delimiter.
    """
    plain = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    quoted = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for row in rows:
        cells = [guard(cell) for cell in row]
        unclear = str(cells[0]).startswith(COMMENTS) or any(
            _UNCLEAR.search(cell) for cell in cells if type(cell) is str
        )
        (quoted if unclear else plain).writerow(cells)


_FORMULA = re.compile(r"'*[=+\-@＝＋－＠]|'+\"")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)", re.ASCII | re.IGNORECASE)
_GUARDED = re.compile(r"'+[=+\-@＝＋－＠\"]")


def guard(cell: Any) -> Any:
    r"""A cell that a spreadsheet shows as text. Numbers stay as they are.

    Examples:
        >>> [guard(cell) for cell in ("=1+2", "ann", "-5", "'=x", 7)]
        ["'=1+2", 'ann', '-5', "''=x", 7]
        >>> print(guard("a\nb "))
        '"a\nb "
    """
    if isinstance(cell, int | float):
        return cell
    text = str(cell)
    if not text or text != text.strip() or has_controls(text):
        return "'" + json.dumps(text)
    return "'" + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unguard(cell: str) -> str:
    """The text that `guard` was given.

    Examples:
        >>> [unguard(cell) for cell in ("'=1+2", "ann", "-5", "''=x", "'tis")]
        ['=1+2', 'ann', '-5', "'=x", "'tis"]
    """
    if not _GUARDED.match(cell):
        return cell
    if cell.startswith("'\""):
        try:
            text = json.loads(cell[1:])
        except ValueError:
            return cell
        return text if isinstance(text, str) else cell
    return cell[1:]
