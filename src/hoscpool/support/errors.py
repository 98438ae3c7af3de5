"""Exceptions and warnings, the search for similar names in their messages, and ignoring warnings for a while."""

from __future__ import annotations

import re
import threading
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class GraphWarning(UserWarning):
    """Something in the input graph was changed or is unusual. The message says what was done."""


class MissingDependencyError(ImportError):
    """An optional package is missing. The message names the extra that installs it, or the package if there is none."""

    def __init__(self, package: str, extra: str | None, purpose: str) -> None:
        what = package if extra is None else f"'hoscpool[{extra}]'"
        super().__init__(f"{purpose} needs the package {package!r}; install it with: pip install {what}")


class DatasetNotFoundError(FileNotFoundError):
    """A dataset is not in the data folder and cannot be downloaded. The message says where we looked."""


class MemoryEstimateError(MemoryError):
    """A request was refused before it started because its result would not fit in memory.

    Attributes:
        needed: The estimated number of bytes.
        available: The number of bytes that were free.
    """

    def __init__(self, what: str, needed: int, available: int, advice: str) -> None:
        self.needed = needed
        self.available = available
        super().__init__(f"{what} needs about {_gib(needed)}, but only {_gib(available)} are available; {advice}")


class TimeEstimateError(ValueError):
    """A request was refused before it started because it would take too long. The message has the estimate.

    Attributes:
        instances: The estimated number of instances.
        seconds: The estimated time.
    """

    def __init__(self, what: str, instances: float, seconds: float, limit: float) -> None:
        self.instances = instances
        self.seconds = seconds
        super().__init__(
            f"{what} means to find about {instances:.2g} instances, which takes about {_duration(seconds)}; the limit "
            f"is {_duration(limit)}; pass max_seconds=None (--max-seconds 0) to do it anyway, or use a smaller graph"
        )


def _duration(seconds: float) -> str:
    """A length of time in the largest unit that fits.

    Examples:
        >>> _duration(30), _duration(600), _duration(7200), _duration(1e9)
        ('30 seconds', '10 minutes', '2 hours', '12,000 days')
    """
    units = {"days": 86400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0}
    unit = next((name for name, length in units.items() if seconds >= 2 * length), "seconds")
    return f"{float(f'{seconds / units[unit]:.2g}'):,.10g} {unit}"


def _gib(n_bytes: int) -> str:
    return f"{n_bytes / 2**30:.1f} GiB"


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name that was probably meant: same letters first, then the most similar. ``None`` if none is near.

    Examples:
        >>> nearest("gnc", ["gcn", "gin"]), nearest("Kora", ["cora", "karate"]), nearest("moon", ["cora"])
        ('gcn', 'cora', None)
    """
    import difflib

    text, names = str(name).lower(), {one.lower(): one for one in known}
    close = difflib.get_close_matches(text, names, n=3)
    found = next((one for one in close if sorted(one) == sorted(text)), close[0] if close else None)
    return None if found is None else names[found]


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
