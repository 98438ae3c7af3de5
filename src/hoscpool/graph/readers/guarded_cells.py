"""Cells of tables that a spreadsheet shows as text, and that come back from a file as they were.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and a formula can start
programs. We write an apostrophe before such text. Text that a line of a table cannot hold, such as a line feed, control
characters or spaces at its ends, is written as an apostrophe and a JSON string. Our readers take both back.
"""

from __future__ import annotations

import json
import re
from typing import Any

from hoscpool.support.plain_text import has_controls

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
