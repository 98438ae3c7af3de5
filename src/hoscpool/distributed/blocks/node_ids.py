"""The ids that occur in the edges of a source, and the place of every id among them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]


class IdSet:
    """Collects ids.

    Args:
        limit: Ids from 0 to below this are marked in a table of bytes. All others are kept sorted.

    Examples:
        >>> ids = IdSet(10)
        >>> ids.add(np.array([7, 3, 7, 100, -5]))
        >>> ids.sorted()
        array([ -5,   3,   7, 100])
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._seen = np.zeros(0, np.bool_)
        self._far = np.empty(0, np.int64)

    def add(self, ends: npt.NDArray[np.integer]) -> None:
        """Take in some ids."""
        if not len(ends):
            return
        near = ends
        if int(ends.min()) < 0 or int(ends.max()) >= self._limit:
            is_near = (ends >= 0) & (ends < self._limit)
            near = ends[is_near]
            self._far = np.union1d(self._far, ends[~is_near].astype(np.int64))
        needed = int(near.max(initial=-1)) + 1
        if needed > len(self._seen):
            larger = np.zeros(min(max(needed, 2 * len(self._seen)), self._limit), np.bool_)
            larger[: len(self._seen)] = self._seen
            self._seen = larger
        self._seen[near] = True

    def sorted(self) -> Ids:
        """All ids, ascending."""
        near, split = np.flatnonzero(self._seen), int(np.searchsorted(self._far, 0))
        return np.concatenate([self._far[:split], near, self._far[split:]])


def places_in(ids: Ids, limit: int) -> Callable[[npt.NDArray[np.integer]], npt.NDArray[np.integer]]:
    """A function that gives the place of ids among these, which ascend.

    Args:
        ids: All ids.
        limit: Largest length of a table by id. Ids further apart are searched.

    Examples:
        >>> places_in(np.array([3, 7, 100]), 1000)(np.array([7, 3, 7]))
        array([1, 0, 1], dtype=int32)
    """
    low = int(ids[0]) if len(ids) else 0
    span = int(ids[-1]) - low + 1 if len(ids) else 0
    if span == len(ids):
        return (lambda some: some - low) if low else (lambda some: some)
    if span > limit:
        return lambda some: np.searchsorted(ids, some)
    table = np.zeros(span, np.int32 if len(ids) < 2**31 else np.int64)
    table[ids - low] = np.arange(len(ids))
    return lambda some: table[some - low]
