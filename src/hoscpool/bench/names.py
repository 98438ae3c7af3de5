"""Lists of names and numbers on the command line, such as ``--graphs photo,pc --threads 1,2``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def parse_names(option: str, text: str | None, known: Sequence[str], default: Sequence[str]) -> tuple[str, ...]:
    """The names in a comma-separated text, in their order; without a text, the default.

    Raises:
        ValueError: A name is not known; the message lists those that are.

    Examples:
        >>> parse_names("--peers", "igraph, scipy", ["scipy", "igraph"], [])
        ('igraph', 'scipy')
    """
    if text is None:
        return tuple(default)
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in known:
            raise ValueError(f"{option}: expected some of {', '.join(known)} (got {name!r})")
    return names


def positive_int(text: str) -> int:
    """A number from 1 up, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 up (got {text})")
    return number


def positive_float(text: str) -> float:
    """A number above 0, for argparse."""
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0 (got {text})")
    return number


def positive_ints(text: str) -> tuple[int, ...]:
    """Comma-separated numbers from 1 up, for argparse.

    Examples:
        >>> positive_ints("1,2")
        (1, 2)
    """
    return tuple(positive_int(part) for part in text.split(","))
