"""The terms of the closed forms of undirected motifs: degrees, triangles, four-cycles and four-cliques."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hoscpool.motifs.counting.skeleton import IntArray, Skeleton
from hoscpool.motifs.counting.supports import (
    clique4_and_triangle_sums,
    clique4_support,
    clique5_support,
    cycle4_support,
    triangle_sums,
    triangle_support,
)

LARGEST = 2**63 - 1
"""The largest int64."""
TOO_MANY = (
    "graph: a node has so many neighbours that it is in more instances of the motif than 64-bit numbers can count; "
    "use a smaller motif, or leave the node out"
)


def choose2(x: IntArray) -> IntArray:
    """C(x, 2) of every entry."""
    return x * (x - 1) // 2


def choose3(x: IntArray) -> IntArray:
    """C(x, 3) of every entry.

    Raises:
        ValueError: A result is beyond int64, as from an entry above 3.8 million.
    """
    if x.size and math.comb(int(x.max()), 3) > LARGEST:
        raise ValueError(TOO_MANY)
    pairs, rest = choose2(x), x - 2
    divides = pairs % 3 == 0  # divide first: the product by itself would be beyond int64 three times earlier
    return np.where(divides, pairs // 3 * rest, pairs * (rest // 3))


def exact_sum(x: IntArray) -> int:
    """The sum of numbers ≥ 0 as a Python number, which cannot overflow."""
    if float(x.sum(dtype=np.float64)) < LARGEST / 2:
        return int(x.sum(dtype=np.int64))
    low, high = x & 0xFFFFFFFF, x >> 32
    return int(low.sum(dtype=np.int64)) + (int(high.sum(dtype=np.int64)) << 32)


def require_64_bits(rounded: npt.NDArray[np.float64]) -> None:
    """Refuse counts, given as floats, that are beyond int64.

    Raises:
        ValueError: One is.
    """
    if rounded.size and float(rounded.max()) > LARGEST * (1 - 2**-40):  # roundings of the sum stay within this
        raise ValueError(TOO_MANY)


class Counts:
    """The terms of the closed forms, computed on first use. Counts on edges are arrays over slots."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.degree = skeleton.degree

    @cached_property
    def one(self) -> IntArray:
        """1 on every edge."""
        return np.ones(self.skeleton.num_edges, np.int64)

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
    def k5(self) -> IntArray:
        """Five-cliques on every edge."""
        return clique5_support(self.skeleton)

    @cached_property
    def t_pairs(self) -> IntArray:
        """Pairs of triangles on every edge."""
        return choose2(self.t)

    @cached_property
    def t_beside(self) -> IntArray:
        """Σ of t over the other two edges of the triangles on every edge."""
        return triangle_sums(self.skeleton)

    @cached_property
    def d_opposite(self) -> IntArray:
        """Σ of the degree of the third node over the triangles on every edge."""
        return triangle_sums(self.skeleton, self.degree)

    @cached_property
    def d_sum(self) -> IntArray:
        """Sum of the degrees of the two ends of every edge."""
        return self.over_ends(self.degree)

    @cached_property
    def d_product(self) -> IntArray:
        """Choices of one more neighbour at each end of every edge. The two may be the same node."""
        return (self.degree[self.skeleton.source] - 1) * (self.degree[self.skeleton.target] - 1)

    @cached_property
    def d_pairs(self) -> IntArray:
        """Choices of two more neighbours at one end of every edge, summed over both ends."""
        return self.over_ends(choose2(self.degree - 1))

    @cached_property
    def d_around(self) -> IntArray:
        """Sum of the degrees of all neighbours of the two ends of every edge."""
        return self.over_ends(self.from_neighbours(self.degree))

    @cached_property
    def t_d_sum(self) -> IntArray:
        """Triangles on every edge times the sum of the degrees of its ends."""
        return self.t * self.d_sum

    @cached_property
    def t_around(self) -> IntArray:
        """Sum of the triangles at the two ends of every edge."""
        return self.over_ends(self.triangles_at)

    def at_nodes(self, edge_values: IntArray) -> IntArray:
        """Σ over the edges of each node."""
        skeleton = self.skeleton
        total = np.zeros(skeleton.num_nodes, np.int64)
        np.add.at(total, skeleton.source, edge_values)
        np.add.at(total, skeleton.target, edge_values)
        return total

    def from_neighbours(self, node_values: IntArray, edge_values: IntArray | int = 1) -> IntArray:
        """For each node, the sum over its edges of the edge's value times the value of the other end."""
        source, target, total = self.skeleton.source, self.skeleton.target, np.zeros_like(self.degree)
        np.add.at(total, source, edge_values * node_values[target])
        np.add.at(total, target, edge_values * node_values[source])
        return total

    @cached_property
    def triangles_at(self) -> IntArray:
        """Triangles at every node."""
        return self.at_nodes(self.t) // 2

    def over_ends(self, node_values: IntArray) -> IntArray:
        """Sum of a node value over the two ends of every edge."""
        return node_values[self.skeleton.source] + node_values[self.skeleton.target]

    def prepare(self, names: Collection[str]) -> None:
        """Of the counts that will be used, compute those together that are cheaper together."""
        if "k" in names and "t_beside" in names and not vars(self).keys() & {"k", "t_beside"}:
            self.k, self.t_beside = clique4_and_triangle_sums(self.skeleton)

    def combine(self, form: Mapping[str, int]) -> IntArray:
        """Σ of these counts on edges, each times its coefficient."""
        total, part = np.zeros((2, self.skeleton.num_edges), np.int64)
        for name, coefficient in form.items():
            total += np.multiply(getattr(self, name), coefficient, out=part)
        return total
