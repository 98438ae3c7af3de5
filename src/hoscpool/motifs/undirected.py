"""Closed forms of the undirected motifs: their counts on edges, off the edges, and in all.

Every matrix entry (A_M)_ij is a count over motif instances that contain i and j. With the degree d, the neighbours'
degrees summed n_i = Σ_{k ∈ N(i)} d_k, and on an edge the number of triangles t, four-cycles q and four-cliques k
(`hoscpool.motifs.supports`), each motif is a few terms, one for every way in which i and j can sit in an instance.
These are subgraph counts; induced ones follow by `hoscpool.motifs.relations`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from hoscpool.motifs import pairs
from hoscpool.motifs.skeleton import IntArray, Skeleton
from hoscpool.motifs.supports import clique4_support, cycle4_support, triangle_sums, triangle_support


def choose2(x: IntArray) -> IntArray:
    """C(x, 2) of every entry."""
    return x * (x - 1) // 2


def choose3(x: IntArray) -> IntArray:
    """C(x, 3) of every entry, divided as early as it can be: entries up to 2.6 million stay within int64."""
    return choose2(x) * (x - 2) // 3


class Counts:
    """The ingredients of the closed forms, each computed when first asked for."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.degree = skeleton.degree

    @cached_property
    def t(self) -> IntArray:
        """Triangles on every edge."""
        return triangle_support(self.skeleton).astype(np.int64)

    @cached_property
    def q(self) -> IntArray:
        """Four-cycles on every edge."""
        return cycle4_support(self.skeleton)

    @cached_property
    def k(self) -> IntArray:
        """Four-cliques on every edge."""
        return clique4_support(self.skeleton)

    @cached_property
    def t_beside(self) -> IntArray:
        """Σ of t over the other two edges of the triangles on every edge."""
        return triangle_sums(self.skeleton)

    @cached_property
    def d_opposite(self) -> IntArray:
        """Σ of the degree of the third node over the triangles on every edge."""
        return triangle_sums(self.skeleton, self.degree)

    @cached_property
    def d_ends(self) -> tuple[IntArray, IntArray]:
        """Degrees of the two ends of every edge."""
        return self.degree[self.skeleton.source], self.degree[self.skeleton.target]

    def at_nodes(self, edge_values: IntArray) -> IntArray:
        """Σ over the edges of each node."""
        skeleton = self.skeleton
        total = np.zeros(skeleton.num_nodes, np.int64)
        np.add.at(total, skeleton.source, edge_values)
        np.add.at(total, skeleton.target, edge_values)
        return total

    @cached_property
    def triangles_at(self) -> IntArray:
        """Triangles at every node."""
        return self.at_nodes(self.t) // 2

    def over_ends(self, node_values: IntArray) -> IntArray:
        """Sum of a node value over the two ends of every edge."""
        return node_values[self.skeleton.source] + node_values[self.skeleton.target]


def _edge(c: Counts) -> IntArray:
    return np.ones(c.skeleton.num_edges, np.int64)


def _wedge(c: Counts) -> IntArray:
    return c.over_ends(c.degree) - 2 + c.t  # centre and leaf, either way; two leaves


def _star4(c: Counts) -> IntArray:
    return c.over_ends(choose2(c.degree - 1)) + c.d_opposite - 2 * c.t  # centre and leaf; two leaves


def _path4(c: Counts) -> IntArray:
    d_i, d_j = c.d_ends
    neighbour_degrees = np.zeros_like(c.degree)
    np.add.at(neighbour_degrees, c.skeleton.source, d_j)
    np.add.at(neighbour_degrees, c.skeleton.target, d_i)
    middle = (d_i - 1) * (d_j - 1) - c.t
    end = c.over_ends(neighbour_degrees) - 2 * (d_i + d_j) + 2 - 2 * c.t
    return middle + end + c.t * (d_i + d_j - 4) + c.q  # middle edge; end edge; two steps apart; both ends


def _tailed_triangle(c: Counts) -> IntArray:
    at_tail = c.t * (c.over_ends(c.degree) - 4)  # triangle edge at the node with the tail
    facing = c.d_opposite - 2 * c.t  # triangle edge across from it
    tail = c.over_ends(c.triangles_at) - 2 * c.t
    across = c.t_beside - 2 * c.t  # tail and a far node of the triangle, joined by chance
    return np.asarray(at_tail + facing + tail + across)


def _cycle4(c: Counts) -> IntArray:
    return c.q + choose2(c.t)  # side; diagonal


def _diamond(c: Counts) -> IntArray:
    return choose2(c.t) + c.t_beside - 2 * c.t + c.k  # the shared edge; a side; the two tips, joined by chance


ON_EDGES: dict[str, Callable[[Counts], IntArray]] = {
    "edge": _edge,
    "wedge": _wedge,
    "triangle": lambda c: c.t,
    "star4": _star4,
    "path4": _path4,
    "tailed-triangle": _tailed_triangle,
    "cycle4": _cycle4,
    "diamond": _diamond,
    "clique4": lambda c: c.k,
}
"""Counts on joined pairs, over slots; the two nodes may be joined in the motif or by chance."""


def _path4_apart(c: Counts) -> sp.csr_array:
    A, d = pairs.structure(c.skeleton), c.degree
    # two steps apart: c·(d_i + d_j − 2); three steps apart: every walk of length three between unjoined nodes is a path
    two = pairs.common_sums(c.skeleton, np.ones_like(d))
    scaled = sp.diags_array(d - 1, dtype=np.int64) @ two
    return scaled + scaled.T + pairs.products_apart(c.skeleton, [(A, A, A)])


def _tailed_triangle_apart(c: Counts) -> sp.csr_array:
    A, T = pairs.structure(c.skeleton), c.skeleton.matrix(c.t)
    return pairs.products_apart(c.skeleton, [(A, T), (T, A)])


APART: dict[str, Callable[[Counts], sp.csr_array]] = {
    "wedge": lambda c: pairs.common_sums(c.skeleton, np.ones_like(c.degree)),
    "star4": lambda c: pairs.common_sums(c.skeleton, c.degree - 2),
    "path4": _path4_apart,
    "tailed-triangle": _tailed_triangle_apart,
    "cycle4": lambda c: pairs.common_sums(c.skeleton, np.ones_like(c.degree), binomial=True),
    "diamond": lambda c: pairs.common_edges(c.skeleton),
}
"""Counts on pairs that are not joined; motifs without an entry have none."""


def _choices(x: IntArray, size: int) -> int:
    """Σ C(x, size) over the entries, in integers of any length."""
    values, times = np.unique(x, return_counts=True)
    return sum(n * math.comb(value, size) for value, n in zip(values.tolist(), times.tolist(), strict=True))


TOTALS: dict[str, Callable[[Counts], int]] = {
    "edge": lambda c: c.skeleton.num_edges,
    "wedge": lambda c: _choices(c.degree, 2),
    "triangle": lambda c: int(c.t.sum()) // 3,
    "star4": lambda c: _choices(c.degree, 3),
    "path4": lambda c: int(((c.d_ends[0] - 1) * (c.d_ends[1] - 1)).sum()) - int(c.t.sum()),
    "tailed-triangle": lambda c: int((c.triangles_at * (c.degree - 2)).sum()),
    "cycle4": lambda c: int(c.q.sum()) // 4,
    "diamond": lambda c: int(choose2(c.t).sum()),
    "clique4": lambda c: int(c.k.sum()) // 6,
}
"""Number of instances in the graph."""
