"""Closed forms of undirected motifs, one optional entry per motif. Instances of other motifs are listed.

(A_M)_ij counts the instances that contain i and j. The count of a node is the number of instances that contain it. On
an edge the count is linear in a few `Counts`, with one part for every pair of roles that i and j can have. All these
are subgraph counts. `hoscpool.motifs.relations` derives induced counts from them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from hoscpool.motifs.catalog import Motif, get_motif
from hoscpool.motifs.counting import pairs
from hoscpool.motifs.counting.counts import Counts, choose2, choose3, exact_sum, require_64_bits
from hoscpool.motifs.counting.skeleton import IntArray, Skeleton
from hoscpool.motifs.counting.supports import triangle_support
from hoscpool.motifs.relations import subgraph_coefficients

Form = Mapping[str, int]
"""Names of `Counts` on edges with their coefficients."""


@dataclass(frozen=True)
class ClosedForm:
    """Formulas that count a motif without listing its instances.

    Attributes:
        on_edges: Counts on joined pairs, over slots. The edge need not be an edge of the motif.
        total: Number of instances in the graph.
        at_roles: Number of instances in which every node has a role, by the first role of every kind. The roles of one
            kind are those that the automorphisms map onto each other.
        apart: Counts on pairs that are not joined, or ``None`` if all are 0.
    """

    on_edges: Form
    total: Callable[[Counts], int]
    at_roles: Mapping[int, Callable[[Counts], IntArray]]
    apart: Callable[[Counts], sp.csr_array] | None = None


def _sum(*parts: Form) -> Form:
    total: dict[str, int] = {}
    for part in parts:
        for name, coefficient in part.items():
            total[name] = total.get(name, 0) + coefficient
    return total


def _path4_apart(c: Counts) -> sp.csr_array:
    A, d = pairs.structure(c.skeleton), c.degree
    # two steps apart: c·(d_i + d_j − 2); three steps apart: every walk of length three between unjoined nodes is a path
    two = pairs.common_sums(c.skeleton, np.ones_like(d))
    scaled = sp.diags_array(d - 1, dtype=np.int64) @ two
    return scaled + scaled.T + pairs.products_apart(c.skeleton, [(A, A, A)])


def _tailed_triangle_apart(c: Counts) -> sp.csr_array:
    A, T = pairs.structure(c.skeleton), c.skeleton.matrix(c.t)
    return pairs.products_apart(c.skeleton, [(A, T), (T, A)])


def _choices(x: IntArray, size: int) -> int:
    """Σ C(x, size) over the entries, in Python integers, which cannot overflow."""
    values, times = np.unique(x, return_counts=True)
    return sum(n * math.comb(value, size) for value, n in zip(values.tolist(), times.tolist(), strict=True))


def _path4_ends(c: Counts) -> IntArray:
    two_steps = c.from_neighbours(c.from_neighbours(c.degree - 1))
    return two_steps - c.degree * (c.degree - 1) - 2 * c.triangles_at  # i–j–k–l with k ≠ i, l ≠ i


def _diamond_tips(c: Counts) -> IntArray:
    opposite = (c.at_nodes(c.t_beside) - c.at_nodes(c.t**2)) // 2  # Σ of t_jk over the triangles i, j, k at i
    return opposite - c.triangles_at


CLOSED_FORMS = {
    "edge": ClosedForm(
        on_edges={"one": 1},
        total=lambda c: c.skeleton.num_edges,
        at_roles={0: lambda c: c.degree},
    ),
    "wedge": ClosedForm(
        on_edges=_sum(
            {"d_sum": 1, "one": -2},  # centre and leaf, either way
            {"t": 1},  # two leaves
        ),
        total=lambda c: _choices(c.degree, 2),
        at_roles={0: lambda c: choose2(c.degree), 1: lambda c: c.from_neighbours(c.degree - 1)},
        apart=lambda c: pairs.common_sums(c.skeleton, np.ones_like(c.degree)),
    ),
    "triangle": ClosedForm(
        on_edges={"t": 1},
        total=lambda c: exact_sum(c.t) // 3,
        at_roles={0: lambda c: c.triangles_at},
    ),
    "star4": ClosedForm(
        on_edges=_sum(
            {"d_pairs": 1},  # centre and leaf
            {"d_opposite": 1, "t": -2},  # two leaves
        ),
        total=lambda c: _choices(c.degree, 3),
        at_roles={0: lambda c: choose3(c.degree), 1: lambda c: c.from_neighbours(choose2(c.degree - 1))},
        apart=lambda c: pairs.common_sums(c.skeleton, c.degree - 2),
    ),
    "path4": ClosedForm(
        on_edges=_sum(
            {"d_product": 1, "t": -1},  # the middle edge
            {"d_around": 1, "d_sum": -2, "one": 2, "t": -2},  # an end edge
            {"t_d_sum": 1, "t": -4},  # two steps apart
            {"q": 1},  # both ends
        ),
        total=lambda c: exact_sum(c.d_product) - exact_sum(c.t),
        at_roles={0: _path4_ends, 1: lambda c: c.at_nodes(c.d_product - c.t)},
        apart=_path4_apart,
    ),
    "tailed-triangle": ClosedForm(
        on_edges=_sum(
            {"t_d_sum": 1, "t": -4},  # a triangle edge at the node with the tail
            {"d_opposite": 1, "t": -2},  # the triangle edge across from it
            {"t_around": 1, "t": -2},  # the tail
            {"t_beside": 1, "t": -2},  # tail and a far node of the triangle
        ),
        total=lambda c: exact_sum(c.triangles_at * (c.degree - 2)),
        at_roles={
            0: lambda c: c.triangles_at * (c.degree - 2),
            1: lambda c: c.from_neighbours(c.degree - 2, c.t),
            3: lambda c: c.from_neighbours(c.triangles_at) - 2 * c.triangles_at,
        },
        apart=_tailed_triangle_apart,
    ),
    "cycle4": ClosedForm(
        on_edges=_sum(
            {"q": 1},  # a side
            {"t_pairs": 1},  # a diagonal
        ),
        total=lambda c: exact_sum(c.q) // 4,
        at_roles={0: lambda c: c.at_nodes(c.q) // 2},
        apart=lambda c: pairs.common_sums(c.skeleton, np.ones_like(c.degree), binomial=True),
    ),
    "diamond": ClosedForm(
        on_edges=_sum(
            {"t_pairs": 1},  # the shared edge
            {"t_beside": 1, "t": -2},  # a side
            {"k": 1},  # the two tips
        ),
        total=lambda c: exact_sum(c.t_pairs),
        at_roles={0: lambda c: c.at_nodes(c.t_pairs), 2: _diamond_tips},
        apart=lambda c: pairs.common_edges(c.skeleton),
    ),
    "clique4": ClosedForm(
        on_edges={"k": 1},
        total=lambda c: exact_sum(c.k) // 6,
        at_roles={0: lambda c: c.at_nodes(c.k) // 3},
    ),
    "clique5": ClosedForm(
        on_edges={"k5": 1},
        total=lambda c: exact_sum(c.k5) // 10,
        at_roles={0: lambda c: c.at_nodes(c.k5) // 4},
    ),
}
"""By name of the motif."""


def as_closed_forms(motif: Motif, induced: bool) -> dict[str, int]:
    """An undirected motif as a sum of closed forms: names in `CLOSED_FORMS` with coefficients. Empty without one."""
    return subgraph_coefficients(motif, induced, tuple(map(get_motif, CLOSED_FORMS)))


def edge_form(motifs: Mapping[str, int]) -> Form:
    """The counts on edges of a sum of motifs with these coefficients. Many terms may cancel.

    Examples:
        >>> edge_form({"cycle4": 1, "diamond": -1, "clique4": 3})
        {'q': 1, 't_beside': -1, 't': 2, 'k': 2}
    """
    scaled = ({part: c * n for part, n in CLOSED_FORMS[name].on_edges.items()} for name, c in motifs.items())
    return {name: coefficient for name, coefficient in _sum(*scaled).items() if coefficient}


class ClosedCounts:
    """The counts of one graph for all motifs that have closed forms."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._counts = Counts(skeleton)

    def prepare(self, motifs: Iterable[Motif], induced: bool) -> None:
        """Compute the shared counts of these motifs together."""
        forms = [edge_form(as_closed_forms(motif, induced)) for motif in motifs]
        self._counts.prepare(set().union(*forms))

    def matrix(self, motif: Motif, induced: bool, on_edges: bool) -> sp.csr_array:
        """The motif adjacency matrix."""
        counts, skeleton, motifs = self._counts, self._counts.skeleton, as_closed_forms(motif, induced)
        if motifs == {"triangle": 1}:
            return skeleton.matrix(triangle_support(skeleton))
        on = skeleton.matrix(counts.combine(edge_form(motifs)))
        forms = [] if on_edges else [(c, CLOSED_FORMS[name].apart) for name, c in motifs.items()]
        parts = [c * apart(counts) for c, apart in forms if apart is not None]
        if not parts:
            return on
        result = sp.csr_array(sum(parts, start=on))
        result.eliminate_zeros()
        result.sort_indices()
        return result

    def total(self, motif: Motif, induced: bool) -> int:
        """Number of instances."""
        return sum(c * CLOSED_FORMS[name].total(self._counts) for name, c in as_closed_forms(motif, induced).items())

    def at_nodes(self, motif: Motif, induced: bool) -> IntArray:
        """Number of instances at every node, ``[N]``.

        Raises:
            ValueError: A number is beyond int64.
        """
        nodes = self._counts.skeleton.num_nodes
        total, rounded = np.zeros(nodes, np.int64), np.zeros(nodes)
        for name, coefficient in as_closed_forms(motif, induced).items():
            for role in CLOSED_FORMS[name].at_roles:
                part = self.at_role(name, role)
                total += coefficient * part
                rounded += coefficient * part.astype(np.float64)
        require_64_bits(rounded)
        return total

    def at_role(self, name: str, role: int) -> IntArray:
        """Number of subgraphs of a motif with a closed form in which every node has this role, ``[N]``."""
        return CLOSED_FORMS[name].at_roles[role](self._counts)
