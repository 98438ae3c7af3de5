"""Groups of nodes in which every node is in random triangles, as neighbour sets that grow."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

ROUNDS = 2
"""Random triangles that every node is in."""


def close_triangles(
    groups: Sequence[npt.NDArray[np.intp]], neighbours: list[set[int]], rng: np.random.Generator
) -> int:
    """Put every node of a group into `ROUNDS` random triangles of its group. Returns the number of new edges."""
    count = 0
    for nodes in [*groups] * ROUNDS:
        order = rng.permutation(nodes)
        order = np.concatenate([order, order[: -len(order) % 3]])  # fill the last triple with the first nodes
        count += sum(join(triple, neighbours) for triple in order.reshape(-1, 3).tolist())
    return count


def join(nodes: list[int], neighbours: list[set[int]]) -> int:
    """Join all pairs of these nodes. Returns the number of new edges."""
    new = [(u, v) for u, v in itertools.combinations(nodes, 2) if v not in neighbours[u]]
    for u, v in new:
        neighbours[u].add(v)
        neighbours[v].add(u)
    return len(new)
