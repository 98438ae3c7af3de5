"""Closed forms of the undirected motifs: their counts on edges, off the edges, and in all.

Every matrix entry (A_M)_ij is a count over motif instances that contain i and j. On an edge it is linear in a few
`Counts`, with one part for every way in which i and j can sit in an instance. These are subgraph counts; induced ones
follow by `hoscpool.motifs.relations`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import scipy.sparse as sp

from hoscpool.motifs.counting import pairs
from hoscpool.motifs.counting.counts import Counts
from hoscpool.motifs.counting.skeleton import IntArray

Form = Mapping[str, int]
"""Names of `Counts` on edges with their coefficients."""


def _sum(*parts: Form) -> Form:
    total: dict[str, int] = {}
    for part in parts:
        for name, coefficient in part.items():
            total[name] = total.get(name, 0) + coefficient
    return total


ON_EDGES: dict[str, Form] = {
    "edge": {"one": 1},
    "wedge": _sum(
        {"d_sum": 1, "one": -2},  # centre and leaf, either way
        {"t": 1},  # two leaves
    ),
    "triangle": {"t": 1},
    "star4": _sum(
        {"d_pairs": 1},  # centre and leaf
        {"d_opposite": 1, "t": -2},  # two leaves
    ),
    "path4": _sum(
        {"d_product": 1, "t": -1},  # the middle edge
        {"d_around": 1, "d_sum": -2, "one": 2, "t": -2},  # an end edge
        {"t_d_sum": 1, "t": -4},  # two steps apart
        {"q": 1},  # both ends
    ),
    "tailed-triangle": _sum(
        {"t_d_sum": 1, "t": -4},  # a triangle edge at the node with the tail
        {"d_opposite": 1, "t": -2},  # the triangle edge across from it
        {"t_around": 1, "t": -2},  # the tail
        {"t_beside": 1, "t": -2},  # tail and a far node of the triangle
    ),
    "cycle4": _sum(
        {"q": 1},  # a side
        {"t_pairs": 1},  # a diagonal
    ),
    "diamond": _sum(
        {"t_pairs": 1},  # the shared edge
        {"t_beside": 1, "t": -2},  # a side
        {"k": 1},  # the two tips
    ),
    "clique4": {"k": 1},
}
"""Counts on joined pairs, over slots; the two nodes may be joined in the motif or by chance."""


def edge_form(motifs: Mapping[str, int]) -> Form:
    """The form of a sum of motifs with these coefficients, in which much may cancel.

    Examples:
        >>> edge_form({"cycle4": 1, "diamond": -1, "clique4": 3})
        {'q': 1, 't_beside': -1, 't': 2, 'k': 2}
    """
    scaled = ({part: c * coefficient for part, coefficient in ON_EDGES[name].items()} for name, c in motifs.items())
    return {name: coefficient for name, coefficient in _sum(*scaled).items() if coefficient}


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
    "path4": lambda c: int(c.d_product.sum()) - int(c.t.sum()),
    "tailed-triangle": lambda c: int((c.triangles_at * (c.degree - 2)).sum()),
    "cycle4": lambda c: int(c.q.sum()) // 4,
    "diamond": lambda c: int(c.t_pairs.sum()),
    "clique4": lambda c: int(c.k.sum()) // 6,
}
"""Number of instances in the graph."""
