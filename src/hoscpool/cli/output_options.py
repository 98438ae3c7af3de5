"""The output of all commands: ``--json`` for programs, ``--quiet`` for scripts, and terminals without Unicode."""

from __future__ import annotations

import argparse
import codecs
import io
import json
import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console as AnyConsole
    from rich.table import Table

    from hoscpool.cli.console import Console
    from hoscpool.graph import Graph


def add_output_options(parser: Any, quiet: str = "print no tables and no progress bars, only write files") -> None:
    """Add ``--json`` and ``--quiet``.

    Args:
        parser: A parser, or a group of one.
        quiet: What ``--quiet`` does.
    """
    parser.add_argument(
        "--json", action="store_true", help="print the result as JSON on stdout; everything else goes to stderr"
    )
    parser.add_argument("--quiet", action="store_true", help=quiet)


def open_console(args: argparse.Namespace) -> Console:
    """The console of the command: on stderr with ``--json``, silent with ``--quiet``."""
    from hoscpool.cli.console import Console

    return Console(args.quiet, stderr=args.json)


def check_quiet(args: argparse.Namespace) -> None:
    """Refuse ``--quiet`` where nothing would be left of the result.

    Args:
        args: With ``quiet``, ``json`` and ``output``: a path or several, or none.

    Raises:
        ValueError: There is neither ``-o`` nor ``--json``.
    """
    if args.quiet and not args.json and not args.output:
        raise ValueError("--quiet: without -o or --json there would be no result; give one of them")


def graph_json(graph: Graph) -> dict[str, Any]:
    """What a graph is, for JSON."""
    return {
        "name": graph.name,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "directed": graph.is_directed,
        "weighted": graph.is_weighted,
    }


def print_json(value: Any) -> None:
    """Print the result on stdout as JSON, in ASCII, so that every terminal and pipe takes it.

    Raises:
        TypeError: A value is neither a number, text, list nor mapping.
        ValueError: A number is not finite.
    """
    json.dump(value, sys.stdout, indent=1, allow_nan=False, default=_plain)
    sys.stdout.write("\n")
    sys.stdout.flush()


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; paths as text."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__fspath__"):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


PLAIN = {"–": "-", "—": "-", "−": "-", "…": "...", "×": "x", "±": "+-", "≥": ">=", "≤": "<=", "→": "->", "·": "*",
         "─": "-", "α": "alpha", "μ": "mu", "τ": "tau", "Σ": "sum"}  # fmt: skip
"""Characters of our texts, and what stands for them where they cannot be written."""

FAILING = ("strict", "surrogateescape")
"""What Python does with other characters: the first in most locales, the second in the C locale."""


def print_plainly_where_needed() -> None:
    """Let stdout and stderr write what their encoding lacks in other characters. Without this, printing would fail."""
    codecs.register_error("hoscpool-plain", _in_plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in FAILING:
            stream.reconfigure(errors="hoscpool-plain")


def _in_plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter) or _without_marks(letter) for letter in text), error.end


def _without_marks(letter: str) -> str:
    """A letter without accents, or a question mark.

    Examples:
        >>> _without_marks("é"), _without_marks("日")
        ('e', '?')
    """
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if part.isascii()) or "?"


TEXTS = ("start", "method", "sees", "")
"""Columns of words. The others hold numbers, except the first."""


def print_table(console: AnyConsole, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; on a terminal that is too narrow for it, a line for every row."""
    fits = _narrowest(columns, rows) <= console.width
    console.print(_table(columns, rows) if fits else _lines(columns, rows))


def _narrowest(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """The width of a table in which no word is broken."""
    words = (
        max((len(word) for cell in column for word in cell.split()), default=0)
        for column in zip(columns, *rows, strict=True)
    )
    return sum(width + 2 for width in words)


def _lines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for a narrow terminal: a line for every row, with the names of the columns."""
    from rich.markup import escape

    lines = [
        "",
        *(", ".join(f"{name} {cell}".strip() for name, cell in zip(columns, row, strict=True)) for row in rows),
        "",
    ]
    return escape("\n".join(lines))


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table in the style of the other commands: first column bold, numbers right-aligned."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, column in enumerate(columns):
        text = column in TEXTS
        justify = "left" if number == 0 or text else "right"
        style = "bold" if number == 0 else ""
        shown.add_column(column, justify=justify, style=style, no_wrap=text, overflow="fold")  # type: ignore[arg-type]
    for row in rows:
        shown.add_row(*(escape(cell) for cell in row))
    return shown
