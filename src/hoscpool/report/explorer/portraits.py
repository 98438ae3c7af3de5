"""What there is to say about every community: who is in its middle, what sets it apart, to whom it is tied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

CENTRAL = 8
"""Number of central members that are named."""
TRAITS = 6
"""Number of features that are named."""
NOTABLE = 0.5
"""A feature sets a community apart if its mean is this many standard deviations from that of the other nodes."""


@dataclass(frozen=True)
class Community:
    """One community.

    Attributes:
        number: Its label.
        size: Number of nodes.
        central: Its most central members, the first one most.
        traits: Features in which it differs most: name, and difference to the other nodes in standard deviations.
        ties: Other communities to which it is tied, with the share of its edge weight that leads there.
        inside: Share of its edge weight that stays inside.
        triangles: Motif instances that lie inside, as a share of those that touch it.
    """

    number: int
    size: int
    central: list[int]
    traits: list[tuple[str, float]]
    ties: list[tuple[int, float]]
    inside: float | None
    triangles: float | None

    def sentence(self, names: Sequence[Any], motif: str, heads: Mapping[int, int] | None = None) -> str:
        """What the community is, in words. ``heads`` name a member of every community, as `heads_of` finds them."""
        who = ", ".join(str(names[node])[:60] for node in self.central[:3])
        if self.size == 1:
            return f"{who} alone: no community is close enough."
        parts = [f"{self.size:,} nodes around {who}."]
        if self.inside is not None:
            parts.append(f"{self.inside:.0%} of their ties stay inside")
            if self.triangles is not None:
                parts[-1] += f", and so do {self.triangles:.0%} of their {motif}s" if motif != "edge" else ""
            parts[-1] += "."
        if self.ties and self.ties[0][1] >= 0.02:
            other = self.ties[0][0]
            around = f", around {str(names[heads[other]])[:60]}" if heads and other in heads else ""
            parts.append(f"Most of the other ties lead to community {other}{around}.")
        if self.traits:
            more = [name for name, value in self.traits if value > 0][:3]
            parts.append(f"They have more of: {', '.join(more)}." if more else "")
        return " ".join(part for part in parts if part)


def heads_of(communities: Sequence[Community]) -> dict[int, int]:
    """The most central member of every community, by its number."""
    return {community.number: community.central[0] for community in communities}


def describe_communities(
    matrix: sp.csr_array,
    motif: sp.csr_array | None,
    labels: npt.NDArray[np.int64],
    features: Any = None,
    feature_names: Sequence[str] | None = None,
) -> list[Community]:
    """Every community that has nodes, the largest first.

    Args:
        matrix: Symmetric edge weights.
        motif: The motif adjacency, or ``None``.
        labels: Community of every node.
        features: ``[N, F]``, dense or sparse, or ``None``.
        feature_names: Name of every feature. Default: their numbers.
    """
    numbers, place = np.unique(labels, return_inverse=True)
    onto = sp.csr_array((np.ones(len(labels)), (np.arange(len(labels)), place)), shape=(len(labels), len(numbers)))
    links = (onto.T @ matrix @ onto).toarray()
    motif_links = None if motif is None else (onto.T @ motif @ onto).toarray()
    own = _weight_inside(matrix, place) + (0 if motif is None else _weight_inside(motif, place))
    traits = _traits(features, onto, feature_names)
    found = [
        Community(
            number=int(numbers[k]),
            size=int((place == k).sum()),
            central=_largest(own, np.flatnonzero(place == k)),
            traits=traits[k],
            ties=_ties(links[k], k, numbers),
            inside=_share(links, k),
            triangles=None if motif_links is None else _share(motif_links, k),
        )
        for k in range(len(numbers))
    ]
    return sorted(found, key=lambda community: -community.size)


def _weight_inside(matrix: sp.csr_array, place: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The weight between every node and its own community, as a share of the largest."""
    rows = np.repeat(np.arange(len(place)), np.diff(matrix.indptr))
    same = place[rows] == place[matrix.indices]
    weight = np.bincount(rows[same], matrix.data[same], minlength=len(place))
    return np.asarray(weight / max(float(weight.max(initial=0)), 1e-300))


def _largest(values: npt.NDArray[np.float64], nodes: npt.NDArray[Any]) -> list[int]:
    order = np.lexsort((nodes, -values[nodes]))[:CENTRAL]
    chosen: list[int] = nodes[order].tolist()
    return chosen


def _share(links: npt.NDArray[np.float64], k: int) -> float | None:
    total = float(links[k].sum())
    return float(links[k, k]) / total if total else None


def _ties(row: npt.NDArray[np.float64], k: int, numbers: npt.NDArray[np.int64]) -> list[tuple[int, float]]:
    total = float(row.sum())
    others = [int(at) for at in np.argsort(-row, kind="stable") if at != k and row[at] > 0][:5]
    return [(int(numbers[at]), float(row[at]) / total) for at in others]


def _traits(features: Any, onto: sp.csr_array, names: Sequence[str] | None) -> list[list[tuple[str, float]]]:
    """The features of every community that differ most from the other nodes, in standard deviations."""
    count = onto.shape[1]
    if features is None or not features.shape[1] or features.shape[0] < 2:
        return [[] for _ in range(count)]
    sums, sizes = np.asarray((onto.T @ features).todense() if sp.issparse(features) else onto.T @ features), onto.sum(0)
    n, total = features.shape[0], sums.sum(axis=0)
    squares = features.multiply(features).sum(axis=0) if sp.issparse(features) else (features.astype(float) ** 2).sum(0)
    spread = np.sqrt(np.maximum(np.asarray(squares, dtype=np.float64) / n - (total / n) ** 2, 0))
    titles = [f"feature {at}" for at in range(features.shape[1])] if names is None else [str(name) for name in names]
    found: list[list[tuple[str, float]]] = []
    for k in range(count):
        if sizes[k] == n:
            found.append([])
            continue
        other = (total - sums[k]) / (n - sizes[k])
        difference = np.divide(sums[k] / sizes[k] - other, spread, out=np.zeros_like(spread), where=spread > 1e-12)
        order = np.argsort(-np.abs(difference), kind="stable")[:TRAITS]
        found.append([(titles[at], float(difference[at])) for at in order.tolist() if abs(difference[at]) >= NOTABLE])
    return found
