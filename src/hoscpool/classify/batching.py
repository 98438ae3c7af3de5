"""Which graphs stand together in a batch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]
WINDOW = 8
"""Batches' worth of graphs that are put in order of size together."""


def mixed_batches(sizes: Indices, batch_size: int, rng: np.random.RandomState) -> list[Indices]:
    """All graphs in random batches of similar sizes, in random order.

    The graphs are shuffled; every `WINDOW` batches' worth of them is put in order of size, which makes their batches
    even, while no batch is the same in two epochs.
    """
    order, step = rng.permutation(len(sizes)), WINDOW * batch_size
    windows = [order[start : start + step] for start in range(0, len(order), step)]
    batches = [
        batch for window in windows for batch in _cut(window[np.argsort(sizes[window], kind="stable")], batch_size)
    ]
    return [batches[i] for i in rng.permutation(len(batches))]


def sorted_batches(sizes: Indices, batch_size: int) -> list[Indices]:
    """All graphs in order of size."""
    return _cut(np.argsort(sizes, kind="stable"), batch_size)


def _cut(order: Indices, batch_size: int) -> list[Indices]:
    return [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
