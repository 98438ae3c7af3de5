"""Count pairs of nodes in a hash table, for motif adjacencies over pairs without an edge."""

from __future__ import annotations

from typing import Any

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any

EMPTY = -1


@compiled(inline="always")
def _slot(keys: Array, key: int) -> Any:
    """The place of a key, or the empty place where it belongs. The number of places is a power of two."""
    mask = len(keys) - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    place = np.int64(mixed >> np.uint64(20)) & mask
    while keys[place] != EMPTY and keys[place] != key:
        place = (place + 1) & mask
    return place


@compiled()
def add_pairs(instances: Array, first: Array, second: Array, num_nodes: int, keys: Array, values: Array) -> int:
    """Count the pair of every two listed columns in every row, lower node first. Returns the number of new keys."""
    new = 0
    for x in range(len(instances)):
        for y in range(len(first)):
            a, b = instances[x, first[y]], instances[x, second[y]]
            key = min(a, b) * num_nodes + max(a, b)
            place = _slot(keys, key)
            new += keys[place] == EMPTY
            keys[place] = key
            values[place] += 1
    return new


@compiled()
def move_pairs(old_keys: Array, old_values: Array, keys: Array, values: Array) -> None:
    """Put all pairs of one table into a larger one."""
    for x in range(len(old_keys)):
        if old_keys[x] != EMPTY:
            place = _slot(keys, old_keys[x])
            keys[place] = old_keys[x]
            values[place] = old_values[x]
