"""Connected pieces of a graph by union and find, without reading most edges of the largest one."""

from __future__ import annotations

from typing import Any

from hoscpool.support.compiled import compiled

Array = Any

FIRST = 2
"""Edges of every node that are read first. In most graphs they join nearly all nodes that can be joined."""


@compiled()
def count_pieces(indptr: Array, indices: Array, is_symmetric: bool, parent: Array, size: Array) -> int:
    """The number of connected pieces; directions are ignored.

    Once the first edges of every node are read, the nodes of the largest piece need no more, because every edge that
    leaves the piece is met from its other end.

    Args:
        indptr: Row pointers.
        indices: Columns.
        is_symmetric: Whether every edge stands in both rows.
        parent: Scratch, int32 ``[N]``.
        size: Scratch, int32 ``[N]``, all zero.
    """
    n = len(parent)
    for i in range(n):
        parent[i] = i
    for i in range(n):
        for p in range(indptr[i], min(indptr[i] + FIRST, indptr[i + 1])):
            _unite(parent, i, indices[p])
    largest = -1
    if is_symmetric:
        largest = 0
        for i in range(n):
            root = _root(parent, i)
            size[root] += 1
            if size[root] > size[largest]:
                largest = root
    for i in range(n):
        if largest < 0 or _root(parent, i) != _root(parent, largest):
            for p in range(indptr[i] + FIRST, indptr[i + 1]):
                _unite(parent, i, indices[p])
    count = 0
    for i in range(n):
        count += parent[i] == i
    return count


@compiled()
def _root(parent: Array, i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@compiled()
def _unite(parent: Array, i: int, j: int) -> None:
    a, b = _root(parent, i), _root(parent, j)
    if a < b:
        parent[b] = a
    elif b < a:
        parent[a] = b
