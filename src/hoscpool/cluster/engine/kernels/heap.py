"""A binary heap of numbered items with keys that change: the item with the largest key is on top."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hoscpool.support.compiled import compiled

Array = Any


class Heap(NamedTuple):
    """Items in heap order.

    Attributes:
        items: The items; the first has the largest key.
        place: Where each item stands, −1 for one that is not in the heap.
        keys: The key that each item was given last.
        size: How many items there are, ``[1]``.
    """

    items: Array
    place: Array
    keys: Array
    size: Array


def make_heap(capacity: int) -> Heap:
    """An empty heap for the items 0 to ``capacity`` − 1."""
    return Heap(
        np.empty(capacity, np.int32), np.full(capacity, -1, np.int32), np.empty(capacity), np.zeros(1, np.int64)
    )


@compiled()
def put(heap: Heap, item: int, key: float) -> None:
    """Give an item this key; it joins the heap if it is not there."""
    at = heap.place[item]
    if at < 0:
        at = heap.size[0]
        heap.size[0] += 1
    heap.keys[item] = key
    _sink(heap, _rise(heap, at, item), item)


@compiled()
def take(heap: Heap, item: int) -> None:
    """Remove an item that is in the heap."""
    at = heap.place[item]
    heap.place[item] = -1
    heap.size[0] -= 1
    last = heap.items[heap.size[0]]
    if last != item:
        _sink(heap, _rise(heap, at, last), last)


@compiled()
def _before(heap: Heap, x: int, y: int) -> bool:
    """The larger key is first; of equal keys the smaller number."""
    return heap.keys[x] > heap.keys[y] or (heap.keys[x] == heap.keys[y] and x < y)


@compiled()
def _rise(heap: Heap, at: int, item: int) -> int:
    while at > 0 and _before(heap, item, heap.items[(at - 1) // 2]):
        above = heap.items[(at - 1) // 2]
        heap.items[at], heap.place[above] = above, at
        at = (at - 1) // 2
    heap.items[at], heap.place[item] = item, at
    return at


@compiled()
def _sink(heap: Heap, at: int, item: int) -> None:
    while 2 * at + 1 < heap.size[0]:
        child = 2 * at + 1
        if child + 1 < heap.size[0] and _before(heap, heap.items[child + 1], heap.items[child]):
            child += 1
        if not _before(heap, heap.items[child], item):
            break
        below = heap.items[child]
        heap.items[at], heap.place[below] = below, at
        at = child
    heap.items[at], heap.place[item] = item, at
