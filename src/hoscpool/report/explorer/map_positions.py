"""Where nodes stand on the map of a large graph: every cluster is a disc, and a node leans towards its neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import spring_positions

Positions = npt.NDArray[np.float32]
SPRINGS = 3_000
"""Up to this number of nodes the springs of `spring_positions` place every node by its edges alone."""
PULLS = 12
"""How often a node moves to the mean of its neighbours."""
PUSHES = 500
"""How often discs that overlap are pushed apart, at most."""
WORK = 100_000_000
"""Pairs of discs that are looked at, at most."""
FILLED = 0.65
"""Share of the map that discs cover before they are pushed apart."""
CROWDING = 1.15
"""Space around a disc, as a factor of its radius."""


def map_positions(adjacency: sp.csr_array, labels: npt.NDArray[np.int64], seed: int = 0) -> Positions:
    """Positions ``[N, 2]`` in the square from −1 to 1.

    A small graph is placed by its edges alone. Of a large one, every cluster becomes a disc whose area follows its
    size. Discs lie near those to which they are tied most and do not overlap. Within a disc, a node is drawn towards
    its neighbours, so that those between two clusters stand at the side of the other one. Every disc is filled evenly,
    so no outlier squeezes the picture.

    Args:
        adjacency: Symmetric weights.
        labels: Cluster of every node, 0 … K−1.
        seed: Seed of the start.
    """
    n = adjacency.shape[0]
    if n <= SPRINGS:
        return _fit_square(spring_positions(adjacency, seed))
    used, cluster = np.unique(labels, return_inverse=True)
    onto = sp.csr_array((np.ones(n), (np.arange(n), cluster)), shape=(n, len(used)))
    centre, radius = _place_discs((onto.T @ adjacency @ onto).toarray(), np.bincount(cluster), seed)
    angle = np.random.default_rng(seed).uniform(0, 2 * np.pi, n)
    p = centre[cluster] + 0.5 * radius[cluster, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    mean = sp.csr_array(sp.diags_array(1 / np.maximum(adjacency.sum(axis=1), 1e-12)) @ adjacency)
    lonely = np.diff(adjacency.indptr) == 0
    for _ in range(PULLS):
        pulled = mean @ p
        pulled[lonely] = p[lonely]
        p = _fill_discs(0.3 * p + 0.7 * pulled, cluster, centre, radius)
    return _fit_square(p)


def _place_discs(
    links: npt.NDArray[np.float64], sizes: npt.NDArray[np.int64], seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Centres and radii of the discs: springs between the clusters, then pushes until no two overlap."""
    radius = np.sqrt(sizes / sizes.sum())
    share = links / np.maximum(np.minimum.outer(links.sum(axis=1), links.sum(axis=1)), 1e-12)
    np.fill_diagonal(share, 0)
    strongest = share >= np.minimum(np.sort(share, axis=1)[:, -4:].min(axis=1), share.max(axis=1))[:, None]
    tied = sp.csr_array(np.where((strongest | strongest.T) & (share > 0), share, 0))
    centre = spring_positions(tied != 0, seed).astype(np.float64)
    centre = _spread(centre, radius)
    apart = CROWDING * np.add.outer(radius, radius)
    for _ in range(min(PUSHES, WORK // len(sizes) ** 2)):
        arrow = centre[:, None] - centre[None]  # [K, K, 2]
        distance = np.linalg.norm(arrow, axis=2)
        np.fill_diagonal(distance, np.inf)
        overlap = np.maximum(apart - distance, 0)
        if not overlap.any():
            break
        centre = centre + 0.3 * (arrow / np.maximum(distance, 1e-9)[..., None] * overlap[..., None]).sum(axis=1)
    return centre, radius


def _spread(centre: npt.NDArray[np.float64], radius: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Keep every direction from the middle and the order of distances, and give each disc the room that it needs."""
    offset = centre - centre.mean(axis=0)
    distance = np.linalg.norm(offset, axis=1)
    order = np.argsort(distance, kind="stable")
    room = np.cumsum((CROWDING * radius[order]) ** 2) / FILLED
    wanted = np.empty(len(radius))
    wanted[order] = np.sqrt(room - room[0] / 2)
    spread: npt.NDArray[np.float64] = offset / np.maximum(distance, 1e-12)[:, None] * wanted[:, None]
    return spread


def _fill_discs(p: Any, cluster: Any, centre: Any, radius: Any) -> Any:
    """Keep the direction of every node from the middle of its cluster, and fill the disc evenly."""
    count = np.bincount(cluster)
    middle = np.stack([np.bincount(cluster, p[:, axis]) / count for axis in (0, 1)], axis=1)
    offset = p - middle[cluster]
    distance = np.linalg.norm(offset, axis=1)
    order = np.lexsort((distance, cluster))
    rank = np.empty(len(p))
    rank[order] = np.arange(len(p)) - np.repeat(np.cumsum(count) - count, count)
    wanted = radius[cluster] * np.sqrt((rank + 0.5) / count[cluster])
    return centre[cluster] + offset / np.maximum(distance, 1e-12)[:, None] * wanted[:, None]


def _fit_square(p: Any) -> Positions:
    """Centred and scaled to the square from −1 to 1. What lies far out is drawn in, so that it squeezes nothing."""
    if not len(p):
        return np.zeros((0, 2), dtype=np.float32)
    p = np.asarray(p, dtype=np.float64) - np.median(p, axis=0)
    distance = np.linalg.norm(p, axis=1)
    limit = 1.3 * float(np.quantile(distance, 0.98)) or 1.0
    p *= np.minimum(1, limit / np.maximum(distance, 1e-12))[:, None]
    scaled: Positions = (p / max(float(np.abs(p).max()), 1e-12)).astype(np.float32)
    return scaled
