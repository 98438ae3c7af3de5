"""Ignore warnings for a while, in several Python threads at once."""

from __future__ import annotations

import re
import threading
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LOCK = threading.Lock()
_USERS: Counter[Any] = Counter()


@contextmanager
def ignoring(category: type[Warning] = Warning, message: str = "", module: str = "") -> Iterator[None]:
    """Inside the block warnings of a kind are ignored. Afterwards the filters are as before.

    ``warnings.catch_warnings`` puts a copy of all filters back. When two Python threads leave their blocks in another
    order than they entered them, the filter of one of them stays. Here a filter goes when the last thread has left.

    Args:
        category: The kind of warning.
        message: A regular expression that the beginning of the message must match, in any case.
        module: A regular expression that the beginning of the module's name must match.
    """
    entry = (
        "ignore",
        re.compile(message, re.IGNORECASE) if message else None,
        category,
        re.compile(module) if module else None,
        0,
    )
    with _LOCK:
        was_there = not _USERS[entry] and entry in warnings.filters
        if not was_there:
            _USERS[entry] += 1
            warnings.filters.insert(0, entry)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        if not was_there:
            with _LOCK:
                _USERS[entry] -= 1
                _remove(entry)


def _remove(entry: Any) -> None:
    """Take one copy of a filter away, if nobody else has done so."""
    if entry in warnings.filters:
        warnings.filters.remove(entry)  # type: ignore[attr-defined]
