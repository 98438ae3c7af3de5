"""Tables and cards as HTML, for pages and notebooks. Every value is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from hoscpool.support.plain_text import one_line, printable, shortened

LONGEST_CELL = 200
"""Characters of a cell that a notebook shows."""


def shown(text: str) -> str:
    """Text from anywhere as the content of an element."""
    return escape(printable(text))


def html_table(columns: Sequence[str], rows: Sequence[Sequence[str]], text: Sequence[str] = ()) -> str:
    """A table. The first column holds row titles, the others numbers, except columns named in ``text``.

    Examples:
        >>> html_table(["node", "cluster"], [["<Ann>", "1"]]).count("&lt;Ann&gt;")
        1
    """
    kinds = [" class='text'" if column in text else "" for column in columns]
    head = "".join(f"<th scope='col'{kind}>{shown(name)}</th>" for name, kind in zip(columns, kinds, strict=True))
    cells = ("".join(f"<td{kind}>{shown(cell)}</td>" for cell, kind in zip(row, kinds, strict=True)) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def cell(value: Any) -> str:
    """A value as one line of a table: numbers with few digits, text that is not long."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return shortened(one_line(str(value)), LONGEST_CELL)


def html_card(title: str, facts: Sequence[tuple[str, Any]], picture: str = "", table: str = "") -> str:
    """What a notebook shows of an object: a title, facts, a picture beside them, and a table below.

    Args:
        title: Any text.
        facts: Name and value of each.
        picture: Trusted markup.
        table: Trusted markup.
    """
    rows = "".join(
        f"<tr><th scope='row' style='text-align:left'>{shown(name)}</th>"
        f"<td style='text-align:left'>{shown(cell(value))}</td></tr>"
        for name, value in facts
    )
    return (
        f"<div><strong>{shown(cell(title))}</strong>"
        "<div style='display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start'>"
        f"<table>{rows}</table>{picture}</div>"
        f"{table}</div>"
    )
