"""Text from files, made safe to show: a name must not move the cursor, colour the screen, or turn a line around."""

from __future__ import annotations

import re

LONGEST = 2_000
"""Characters of a message that are shown."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Control characters other than tab and line feed, marks of direction, line separators, halves of characters."""


def printable(text: str) -> str:
    r"""The text with control characters written out.

    Examples:
        >>> print(printable("\x1b[31mred"))
        \x1b[31mred
    """
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""The same, with tabs and line feeds written out too.

    Examples:
        >>> print(one_line("a\nb"))
        a\nb
    """
    return printable(text).replace("\t", "\\t").replace("\n", "\\n")


def shortened(text: str, limit: int = LONGEST) -> str:
    """The text, or its beginning and its length if it is long.

    Examples:
        >>> shortened("abcdefgh", 4)
        'abcd… (8 characters)'
    """
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def has_controls(text: str) -> bool:
    """Whether `one_line` would change the text."""
    return _CONTROLS.search(text) is not None or "\t" in text or "\n" in text
