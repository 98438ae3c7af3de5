"""Generators of graphs for benchmarks. Graphs are simple and undirected, and the same seed gives the same graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph

Ids = npt.NDArray[np.int64]


def graph_from_pairs(u: Ids, v: Ids, num_nodes: int) -> Graph:
    """The simple undirected graph that joins ``u[i]`` and ``v[i]``; without self-loops and repetitions.

    Args:
        u: One end of every pair, ``[P]``.
        v: The other end, ``[P]``.
        num_nodes: Number of nodes N.
    """
    low, high = np.minimum(u, v), np.maximum(u, v)
    key = np.unique(low[low != high] * num_nodes + high[low != high])
    low, high = key // num_nodes, key % num_nodes
    ends = (np.concatenate([low, high]), np.concatenate([high, low]))
    matrix = sp.csr_array((np.ones(2 * len(key), np.int8), ends), shape=(num_nodes, num_nodes))
    matrix.sort_indices()
    return Graph(indptr=matrix.indptr.astype(np.int64), indices=matrix.indices.astype(np.int32))


def rmat(
    scale: int, edge_factor: int = 16, probabilities: Sequence[float] = (0.57, 0.19, 0.19, 0.05), seed: int = 0
) -> Graph:
    """A recursive-matrix graph as in Graph500: ``2**scale`` nodes, heavy-tailed degrees, no locality in the ids.

    There are ``edge_factor · 2**scale`` pairs. Each falls bit by bit into a quadrant (a, b, c, d) of the matrix. Then
    self-loops and repetitions are removed, and node ids are shuffled.
    """
    rng = np.random.default_rng(seed)
    num_nodes = 1 << scale
    u, v = np.zeros((2, edge_factor * num_nodes), np.int64)
    bounds = np.cumsum(probabilities)
    for _ in range(scale):
        quadrant = np.searchsorted(bounds[:3], rng.random(len(u)), side="right")
        u = 2 * u + (quadrant >> 1)
        v = 2 * v + (quadrant & 1)
    ids = rng.permutation(num_nodes)
    return graph_from_pairs(ids[u], ids[v], num_nodes)


def powerlaw_cluster(num_nodes: int, links: int = 10, triangle_probability: float = 0.5, seed: int = 0) -> Graph:
    """The growing graph of Holme and Kim (2002): power-law degrees and many triangles.

    Every new node makes ``links`` links. The first goes to a node drawn in proportion to its degree. Each further one
    goes with ``triangle_probability`` to a neighbour of that node, which closes a triangle. Otherwise it goes to
    another drawn node.
    """
    draw = _uniform(np.random.default_rng(seed))
    ends = list(range(links))  # holds every node once per link, so drawing from it is preferential attachment
    neighbours: list[list[int]] = [[] for _ in range(num_nodes)]
    for node in range(links, num_nodes):
        neighbours[node] = _attach(draw, ends, neighbours, links, triangle_probability)
        for target in neighbours[node]:
            neighbours[target].append(node)
        ends += [*neighbours[node], *[node] * links]
    u = np.repeat(np.arange(num_nodes), [len(row) for row in neighbours])
    v = np.fromiter((v for row in neighbours for v in row), np.int64, len(u))
    return graph_from_pairs(u, v, num_nodes)


def _attach(
    draw: Iterator[float], ends: list[int], neighbours: list[list[int]], links: int, triangle_probability: float
) -> list[int]:
    """The nodes that a new node links to."""
    chosen: dict[int, None] = {}  # a set that keeps the order
    near: list[int] = []
    while len(chosen) < links:
        closing = bool(near) and next(draw) < triangle_probability
        pool = near if closing else ends
        target = pool[int(next(draw) * len(pool))]
        if not closing:
            near = neighbours[target]
        chosen[target] = None
    return list(chosen)


def _uniform(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.random(1 << 16).tolist()


def co_purchase(num_nodes: int = 334_863, seed: int = 0) -> Graph:
    """A graph like SNAP's com-Amazon: products that are bought together.

    Products belong to overlapping groups of two to eight. The members of a group lie close together in a hidden order
    of the catalogue. Every fourth group contains a popular product. Most members of a group are joined. The default
    size gives what the original has: about 926 thousand edges, 0.66 million triangles, an average clustering just below
    0.4 and a largest degree of some hundreds. Node ids are shuffled.
    """
    rng = np.random.default_rng(seed)
    ids = rng.permutation(num_nodes)
    pairs = [_group_pairs(rng, num_nodes, size, share) for size, share in _GROUPS.items()]
    u, v = np.concatenate(pairs, axis=1)
    return graph_from_pairs(ids[u], ids[v], num_nodes)


_GROUPS = {2: 0.13, 3: 0.26, 4: 0.185, 5: 0.085, 6: 0.02, 8: 0.005}  # group size: groups per product


def _group_pairs(rng: np.random.Generator, num_nodes: int, size: int, share: float) -> Ids:
    """Both ends ``[2, P]`` of the pairs inside all groups of one size."""
    groups = int(share * num_nodes)
    centre = rng.integers(num_nodes, size=(groups, 1))
    members = (centre + rng.geometric(0.15, (groups, size)).cumsum(axis=1)) % num_nodes
    popular = rng.random(groups) < 0.25
    members[popular, 0] = (num_nodes * rng.random(popular.sum()) ** 2.4).astype(np.int64)
    first, second = np.array(list(combinations(range(size), 2))).T
    keep = rng.random((groups, len(first))) < (1.0 if size == 2 else 0.87)
    return np.stack([members[:, first][keep], members[:, second][keep]])
