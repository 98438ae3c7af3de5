"""Things by name, what to say about a name that is not known, and lists of names on the command line."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from hoscpool.support.errors import nearest


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the most similar known name, or nothing if none is near.

    Examples:
        >>> did_you_mean("kora", ["cora", "karate"])
        "; did you mean 'cora'?"
        >>> did_you_mean("moon", ["cora", "karate"])
        ''
    """
    close = nearest(name, known)
    return "" if close is None else f"; did you mean {close!r}?"


def parse_names(option: str, text: str | None, known: Sequence[str], default: Sequence[str]) -> tuple[str, ...]:
    """The names in a comma-separated text, in their order. Without a text, the default.

    Raises:
        ValueError: A name is unknown. The message lists the known names and suggests a similar one.

    Examples:
        >>> parse_names("--peers", "igraph, scipy", ["scipy", "igraph"], [])
        ('igraph', 'scipy')
    """
    if text is None:
        return tuple(default)
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in known:
            raise ValueError(f"{option}: expected some of {', '.join(known)} (got {name!r}){did_you_mean(name, known)}")
    return names


def positive_int(text: str) -> int:
    """A whole number from 1 up, for argparse."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number


def positive_float(text: str) -> float:
    """A number above 0, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return number


def positive_ints(text: str) -> tuple[int, ...]:
    """Comma-separated numbers from 1 up, for argparse.

    Examples:
        >>> positive_ints("1,2")
        (1, 2)
    """
    return tuple(positive_int(part) for part in text.split(","))


T = TypeVar("T")


def lookup(name: str, table: Mapping[str, T], what: str) -> T:
    """The entry of that name.

    Raises:
        ValueError: There is none. The message lists the valid names and suggests a similar one.
    """
    if name in table:
        return table[name]
    raise ValueError(f"unknown {what} {name!r}.{_hint(name, table)} Valid {what}s: {', '.join(table)}")


class Registry(Mapping[str, T]):
    """Things of one kind by name. It is the only list of them: whatever needs the names reads it.

    Args:
        what: The kind in one word, for messages.

    Examples:
        >>> colours: Registry[int] = Registry("colour")
        >>> with colours.restored():
        ...     colours.add("red", 0xFF0000)
        ...     list(colours)
        ['red']
        >>> list(colours)
        []
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._entries: dict[str, T] = {}

    def add(self, name: str, entry: T) -> None:
        """Take in an entry.

        Raises:
            ValueError: The name is taken.
        """
        if name in self._entries:
            raise ValueError(f"{self.what} {name!r}: this name is taken; choose another")
        self._entries[name] = entry

    def find(self, name: str) -> T:
        """The entry of that name.

        Raises:
            ValueError: There is none; the message lists the valid names and the closest.
        """
        return lookup(name, self._entries, self.what)

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Take out again, at the end, what is added inside: for tests and trials."""
        before = dict(self._entries)
        try:
            yield
        finally:
            self._entries = before

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def build(cls: Callable[..., T], name: str, given: Mapping[str, Any], options: Mapping[str, Any]) -> T:
    """``cls(**given, **options)``.

    Raises:
        ValueError: An option is not a parameter of the class. The message lists the parameters.
    """
    valid = [key for key in inspect.signature(cls).parameters if key not in given]
    for key in options:
        if key not in valid:
            takes = ", ".join(valid) or "none"
            raise ValueError(f"unknown option {key!r} of {name!r}.{_hint(key, valid)} Valid options: {takes}")
    return cls(**given, **options)


def _hint(name: str, valid: Iterable[str]) -> str:
    close = nearest(name, valid)
    return "" if close is None else f" Did you mean {close!r}?"
