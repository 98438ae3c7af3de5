"""Looking up a name and building a class with options, with errors that list what is valid."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from hoscpool.errors import nearest

T = TypeVar("T")


def lookup(name: str, table: Mapping[str, T], what: str) -> T:
    """The entry of that name.

    Raises:
        ValueError: There is none; the message lists the valid names and the closest.
    """
    if name in table:
        return table[name]
    raise ValueError(f"unknown {what} {name!r}.{_hint(name, table)} Valid {what}s: {', '.join(table)}")


def build(cls: Callable[..., T], name: str, given: Mapping[str, Any], options: Mapping[str, Any]) -> T:
    """``cls(**given, **options)``.

    Raises:
        ValueError: An option is not a parameter of the class; the message lists those that are.
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
