"""Seeds out of any ``random_state``, without touching a global generator."""

from __future__ import annotations

from typing import Any

import numpy as np


def draw_seeds(random_state: Any, count: int) -> list[int]:
    """That many seeds; the same whole number gives the same ones, and more of them begin with the fewer.

    >>> draw_seeds(0, 2) == draw_seeds(0, 3)[:2]
    True

    Raises:
        ValueError: It is not ``None``, a whole number, a ``Generator`` or a ``RandomState``.
    """
    if isinstance(random_state, np.random.RandomState):
        return [int(random_state.randint(2**31 - 1)) for _ in range(count)]
    if isinstance(random_state, np.random.Generator):
        generator = random_state
    elif random_state is None or (isinstance(random_state, int | np.integer) and random_state >= 0):
        generator = np.random.default_rng(random_state)
    else:
        raise ValueError(f"random_state: expected None, a whole number ≥ 0 or a generator, got {random_state!r}")
    return [int(seed) for seed in generator.integers(2**31 - 1, size=count)]
