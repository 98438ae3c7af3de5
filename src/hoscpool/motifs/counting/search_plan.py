"""In which order the roles of a motif are matched, and what is checked at each, as an array for the compiled search."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hoscpool.motifs.catalog import Motif
from hoscpool.motifs.relations import order_constraints

OUT, IN = 1, 2
"""The kind of a joined pair, seen from the earlier node: an arc to the later one, an arc from it, or both (3)."""


def role_order(motif: Motif) -> list[int]:
    """The roles in an order in which each is joined to as many earlier ones as possible, and at least to one."""
    order = [0]
    while len(order) < motif.num_nodes:
        rest = [role for role in range(motif.num_nodes) if role not in order]
        order.append(max(rest, key=lambda role: sum(motif.is_joined(role, earlier) for earlier in order)))
    return order


def search_plan(motif: Motif, induced: bool, with_edges: bool) -> npt.NDArray[np.int64]:
    """What is checked at each place of the search, ``[7, n]``.

    The rows are bit sets over the earlier places, two bits per place in the first two:

    - the kinds that a candidate needs, and the bits that are compared,
    - the places with an edge to this one; those with a lower rank; those with a higher rank,
    - whether the edges of this node are entered; whether the role counts (`Motif.members`).

    Args:
        motif: The motif.
        induced: Whether further edges are forbidden.
        with_edges: Whether the search counts on edges, for which it looks up every edge of a match.
    """
    from hoscpool.motifs.kernels.search import ABOVE, BELOW, JOINED, MARKED, MASK, MEMBER, NEED

    order, constraints = role_order(motif), order_constraints(motif)
    plan = np.zeros((7, motif.num_nodes), np.int64)
    for place, role in enumerate(order):
        plan[MEMBER, place] = role in motif.members
        joined = [q for q in range(place) if motif.is_joined(order[q], role)]
        for q, other in enumerate(order[:place]):
            kind = OUT * ((other, role) in motif.arcs) | IN * ((role, other) in motif.arcs)
            # candidates are neighbours of the only joined node anyway
            free = not induced and (kind == 0 or (not motif.is_directed and joined == [q]))
            plan[JOINED, place] |= (q in joined) << q
            plan[BELOW, place] |= ((other, role) in constraints) << q
            plan[ABOVE, place] |= ((role, other) in constraints) << q
            if not free:
                plan[NEED, place] |= kind << (2 * q)
                plan[MASK, place] |= (3 if induced else kind) << (2 * q)
                plan[MARKED, q] = 1
    if with_edges:
        plan[MARKED, :-1] = 1
    return plan
