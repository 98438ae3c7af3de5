"""Tables of text for any width of terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

TEXTS = ("start", "method", "sees", "")
"""Columns of words. The others hold numbers, except the first."""


def print_table(console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
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
