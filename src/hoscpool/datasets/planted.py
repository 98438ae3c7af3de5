"""Large graphs with planted communities, many triangles, heavy-tailed degrees and informative features.

The model is a bipartite configuration model. Small overlapping groups cover every community. A node belongs to one or
more groups (with a Pareto tail), and two members of a group are joined with probability ``closure``. Then links between
communities are added, whose ends are drawn in proportion to 1 + the number of groups. Groups make triangles. Links
between communities hardly ever do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.datasets.planted_groups import (
    check_counts,
    check_room,
    check_shares,
    community_bounds,
    draw_features,
    draw_memberships,
    group_bounds,
    largest_group,
    links_between,
    neighbours_in_group,
)
from hoscpool.graph import Graph
from hoscpool.support.compiled import compiled

_ATTEMPTS = 4
_TOLERANCE = 0.01

_Rows = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]  # indptr [N + 1] and indices [2E] of a CSR matrix


def planted_communities(
    num_nodes: int,
    num_edges: int,
    num_communities: int,
    num_features: int = 0,
    *,
    closure: float = 0.8,
    mixing: float = 0.1,
    overlap: float = 2.0,
    degree_exponent: float = 3.0,
    size_spread: float = 0.5,
    feature_signal: float = 2.0,
    shuffle: bool = True,
    random_state: int | np.random.Generator = 0,
) -> Graph:
    """Generate an undirected graph whose planted communities are the labels.

    The number of edges is within about 1 % of ``num_edges``: repeated edges are merged, and the draw is corrected and
    repeated if needed. Time and memory are linear. The peak of memory is the result plus a few bytes per node.

    Args:
        num_nodes: Number of nodes N.
        num_edges: Wanted number of undirected edges.
        num_communities: Number of communities K. Sizes are log-normal with deviation ``size_spread``.
        num_features: Width F of the float32 feature table, 0 for none.
        closure: Probability that two members of a group are joined. It sets the density of triangles.
        mixing: Share of the edges that join two communities (for K = 1: any two nodes).
        overlap: Mean number of groups of a node. Fewer and larger groups give more triangles.
        degree_exponent: Exponent of the power-law tail of the degrees, above 2.
        size_spread: Standard deviation of the logarithm of the community sizes, 0 for equal sizes.
        feature_signal: Mean distance between two community centres. The noise of the features has deviation 1.
        shuffle: Number the nodes at random, as in real data. Otherwise communities are contiguous.
        random_state: Seed or generator. The same seed gives the same graph.

    Returns:
        The graph with labels ``[N]`` and, if ``num_features`` > 0, features ``[N, F]``.

    Raises:
        ValueError: An argument is out of range, or there are too many edges for communities of that size.

    Examples:
        >>> planted_communities(1_000, 8_000, 5, num_features=4)
        Graph('planted': 1,000 nodes, 8,0... edges, undirected, 4 features, 5 classes)
    """
    check_counts(num_nodes, num_edges, num_communities, num_features)
    check_shares(closure, mixing, overlap, degree_exponent, size_spread, feature_signal)
    layout, draws, table = np.random.default_rng(random_state).spawn(3)
    bounds = community_bounds(num_nodes, num_communities, size_spread, layout)
    check_room(bounds, num_edges, mixing)
    ids = layout.permutation(num_nodes) if shuffle else np.arange(num_nodes)
    labels = np.empty(num_nodes, dtype=np.int64)
    labels[ids] = np.repeat(np.arange(num_communities), np.diff(bounds))
    plan = _Plan(bounds, ids.astype(np.int32), labels, closure, mixing, overlap, degree_exponent)
    indptr, indices = _draw_edges(num_edges, plan, draws)
    features = draw_features(labels, num_communities, num_features, feature_signal, table) if num_features else None
    return Graph(indptr, indices, features=features, labels=labels, name="planted")


@dataclass(frozen=True)
class _Plan:
    """What all draws of one graph share: the bounds of communities, the ids of nodes, and the parameters."""

    bounds: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int32]
    labels: npt.NDArray[np.int64]
    closure: float
    mixing: float
    overlap: float
    exponent: float


def _draw_edges(num_edges: int, plan: _Plan, rng: np.random.Generator) -> _Rows:
    """Draw until the number of distinct edges is close to the request. The first draw has fewer after merging."""
    wanted = float(num_edges)
    for _ in range(_ATTEMPTS):
        indptr, indices = _one_draw(wanted, plan, rng)
        found = len(indices) // 2
        if found == 0 or abs(found - num_edges) <= _TOLERANCE * num_edges:
            break
        wanted *= num_edges / found
    return indptr, indices


def _one_draw(wanted: float, plan: _Plan, rng: np.random.Generator) -> _Rows:
    n = len(plan.ids)
    degree = 2 * wanted * (1 - plan.mixing) / n / plan.closure  # fellow members a node needs, over all its groups
    largest = largest_group(degree / plan.overlap)
    members = draw_memberships(plan.bounds, degree / neighbours_in_group(largest), plan.exponent, rng)
    groups = group_bounds(members, plan.bounds, largest, rng)
    members = plan.ids[members]
    links = links_between(members, plan.labels, round(wanted * plan.mixing), rng)
    return _to_rows(members, groups, links, plan.closure, int(rng.integers(2**63)), n)


def _to_rows(members: Any, groups: Any, links: Any, closure: float, seed: int, n: int) -> _Rows:
    """Count every edge in both directions, then write it. Both passes use the same random numbers."""
    ends = np.zeros(n, dtype=np.int64)
    _join(members, groups, links, closure, seed, ends, np.empty(0, dtype=np.int32), False)
    starts = np.concatenate([[0], np.cumsum(ends)])
    indices = np.empty(int(starts[-1]), dtype=np.int32)
    ends[:] = starts[:-1]
    _join(members, groups, links, closure, seed, ends, indices, True)
    indptr = _sort_and_merge(starts, indices)
    indices.resize(int(indptr[-1]), refcheck=False)  # shrinks in place, without a copy
    return indptr, indices


@compiled()
def _next_random(state: Any) -> Any:  # pragma: no cover
    """One step of splitmix64: the new state and a number in [0, 1)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return state, np.float64(z >> np.uint64(11)) / 9007199254740992.0


@compiled()
def _join(
    members: Any, groups: Any, links: Any, closure: float, seed: int, cursor: Any, indices: Any, fill: bool
) -> None:  # pragma: no cover
    """Pass over all edges: count them per node, or with ``fill`` write both directions at the cursor of each node."""
    state = np.uint64(seed)
    for g in range(len(groups) - 1):
        for i in range(groups[g], groups[g + 1]):
            for j in range(i + 1, groups[g + 1]):
                state, draw = _next_random(state)
                u, v = members[i], members[j]
                if draw < closure and u != v:
                    if fill:
                        indices[cursor[u]], indices[cursor[v]] = v, u
                    cursor[u] += 1
                    cursor[v] += 1
    for e in range(len(links)):
        u, v = links[e, 0], links[e, 1]
        if fill:
            indices[cursor[u]], indices[cursor[v]] = v, u
        cursor[u] += 1
        cursor[v] += 1


@compiled()
def _sort_and_merge(starts: Any, indices: Any) -> Any:  # pragma: no cover
    """Sort every row and remove repeated neighbours in place. Returns the new row pointers."""
    n = len(starts) - 1
    indptr = np.zeros(n + 1, dtype=np.int64)
    end = 0
    for row in range(n):
        indices[starts[row] : starts[row + 1]].sort()
        first = end
        for at in range(starts[row], starts[row + 1]):
            if end == first or indices[end - 1] != indices[at]:
                indices[end] = indices[at]
                end += 1
        indptr[row + 1] = end
    return indptr
