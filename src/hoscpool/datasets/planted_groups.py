"""The random parts of a planted graph: community sizes, overlapping groups, links between communities, features."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

SMALLEST_GROUP = 3
_CHUNK = 1 << 20
_ROUNDS = 64


def check_counts(num_nodes: int, num_edges: int, num_communities: int, num_features: int) -> None:
    """Refuse counts that no graph can have."""
    if not 1 <= num_nodes < 2**31:
        raise ValueError(f"num_nodes: expected 1 to 2**31 - 1, got {num_nodes}")
    if not 1 <= num_communities <= num_nodes:
        raise ValueError(f"num_communities: expected 1 to num_nodes = {num_nodes}, got {num_communities}")
    if num_edges < 0:
        raise ValueError(f"num_edges: expected 0 or more, got {num_edges}")
    if num_features < 0:
        raise ValueError(f"num_features: expected 0 or more, got {num_features}")


def check_shares(closure: float, mixing: float, overlap: float, exponent: float, spread: float, signal: float) -> None:
    """Refuse shares, exponents and deviations out of range."""
    if not 0 < closure <= 1:
        raise ValueError(f"closure: expected a probability above 0, got {closure}")
    if not 0 <= mixing < 1:
        raise ValueError(f"mixing: expected a share from 0 to below 1, got {mixing}")
    if not overlap >= 1:
        raise ValueError(f"overlap: expected at least 1 group per node, got {overlap}")
    if not exponent > 2:
        raise ValueError(f"degree_exponent: expected a number above 2, so that the mean exists, got {exponent}")
    if not (spread >= 0 and signal >= 0):
        raise ValueError(f"size_spread and feature_signal: expected 0 or more, got {spread} and {signal}")


def check_room(bounds: npt.NDArray[np.int64], num_edges: int, mixing: float) -> None:
    """Refuse too many edges: most draws inside communities of these sizes would be repeats."""
    sizes = np.diff(bounds)
    inside = int((sizes * (sizes - 1) // 2).sum())
    if num_edges * (1 - mixing) > inside / 2:
        raise ValueError(
            f"num_edges: expected at most half of the {inside:,} pairs inside communities, got {num_edges:,} with "
            f"mixing {mixing}; ask for fewer edges, fewer communities or more nodes"
        )


def community_bounds(n: int, k: int, spread: float, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Cut 0 … n into k ranges of log-normal size, with at least one node each."""
    shares = np.exp(spread * rng.standard_normal(k))
    cuts = np.round(np.cumsum(shares) / shares.sum() * (n - k)).astype(np.int64)
    return np.concatenate([[0], cuts + np.arange(1, k + 1)])


def neighbours_in_group(largest: int) -> float:
    """Mean number of other members in a group, over memberships, for sizes uniform on 3 … largest."""
    sizes = np.arange(SMALLEST_GROUP, largest + 1, dtype=float)
    return float((sizes * (sizes - 1)).sum() / sizes.sum())


def largest_group(neighbours: float) -> int:
    """The largest group size for which a group has on average about ``neighbours`` other members."""
    return max(SMALLEST_GROUP, round(1.5 * neighbours - 0.5))  # mean of s(s-1)/s over 3 … L is about (2L + 1)/3


def draw_memberships(
    bounds: npt.NDArray[np.int64], mean: float, exponent: float, rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Every node once per group it belongs to, in random order within its community."""
    n = int(bounds[-1])
    weights = (1 - rng.random(n)) ** (-1 / (exponent - 1))
    sizes = np.diff(bounds)
    np.minimum(weights, np.repeat(np.maximum(1.0, np.sqrt(sizes)), sizes), out=weights)  # limits the size of hubs
    base = 1 if mean > 1 else 0  # if there are enough groups, every node is in one
    weights *= (mean - base) / weights.mean()
    counts = base + np.floor(weights + rng.random(n)).astype(np.int64)
    members = np.repeat(np.arange(n, dtype=np.int32), counts)
    starts = np.concatenate([[0], np.cumsum(counts)])[bounds]
    for a, b in itertools.pairwise(starts):
        rng.shuffle(members[a:b])
    return members


def group_bounds(
    members: npt.NDArray[np.int32], bounds: npt.NDArray[np.int64], largest: int, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The bounds of the groups. No group spans two communities."""
    mean = (SMALLEST_GROUP + largest) / 2
    sizes = rng.integers(SMALLEST_GROUP, largest + 1, size=int(len(members) / mean * 1.1) + 100)
    cuts = np.cumsum(sizes)
    borders = np.flatnonzero(np.diff(np.searchsorted(bounds, members, side="right")) > 0) + 1
    return np.unique(np.concatenate([[0], cuts[cuts < len(members)], borders, [len(members)]]))


def links_between(
    members: npt.NDArray[np.int32], labels: npt.NDArray[np.int64], wanted: int, rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Pairs of nodes of different communities ``[wanted, 2]``, drawn in proportion to 1 + the number of groups.

    With one community any two nodes can be a pair. If too few pairs are possible, fewer are returned.
    """
    ends = np.concatenate([members, np.arange(len(labels), dtype=np.int32)])
    kind = labels if labels.any() else np.arange(len(labels))  # one community: the ends need only differ
    links = np.empty((wanted, 2), dtype=np.int32)
    done = 0
    for _ in range(_ROUNDS + 4 * wanted // _CHUNK):
        pairs = ends[rng.integers(len(ends), size=(min(_CHUNK, 2 * (wanted - done)), 2))]
        pairs = pairs[kind[pairs[:, 0]] != kind[pairs[:, 1]]][: wanted - done]
        links[done : done + len(pairs)] = pairs
        done += len(pairs)
        if done == wanted:
            break
    return links[:done]


def draw_features(
    labels: npt.NDArray[np.int64], k: int, width: int, signal: float, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Unit Gaussian noise around one centre per community. The distance of two centres is about ``signal``."""
    centres = (rng.standard_normal((k, width)) * signal / np.sqrt(2 * width)).astype(np.float32)
    features: npt.NDArray[np.float32] = rng.standard_normal((len(labels), width), dtype=np.float32)
    step = max(1, _CHUNK // width)
    for a in range(0, len(labels), step):
        features[a : a + step] += centres[labels[a : a + step]]
    return features
