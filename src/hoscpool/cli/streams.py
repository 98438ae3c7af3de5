"""Text on terminals and pipes that know no Unicode."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

PLAIN = {"–": "-", "—": "-", "−": "-", "…": "...", "×": "x", "±": "+-", "≥": ">=", "≤": "<=", "→": "->", "·": "*",
         "─": "-", "α": "alpha", "μ": "mu", "τ": "tau", "Σ": "sum"}  # fmt: skip
"""Characters of our texts, and what stands for them where they cannot be written."""

FAILING = ("strict", "surrogateescape")
"""What Python does with other characters: the first in most locales, the second in the C locale."""


def print_plainly_where_needed() -> None:
    """Let stdout and stderr write what their encoding lacks in other characters. Without this, printing would fail."""
    codecs.register_error("hoscpool-plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in FAILING:
            stream.reconfigure(errors="hoscpool-plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
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
