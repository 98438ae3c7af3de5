"""The metrics as plain sums over nodes, pairs and instances: slow, obvious, and without the library's code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

import oracles

Matrix = npt.NDArray[np.float64]


def random_graph(seed: int, size: int = 8, density: float = 0.5, *, directed: bool = False) -> Matrix:
    rng = np.random.default_rng(seed)
    A = (rng.random((size, size)) < density).astype(float)
    np.fill_diagonal(A, 0)
    return A if directed else np.triu(A) + np.triu(A).T


def weighted_graph(seed: int, size: int = 8) -> Matrix:
    A = random_graph(seed, size)
    weights = np.random.default_rng(seed).random((size, size)) * 5
    return A * (np.triu(weights) + np.triu(weights).T)


def entropy(labels: Sequence[int]) -> float:
    shares = [labels.count(k) / len(labels) for k in set(labels)]
    return -sum(p * math.log(p) for p in shares)


def conditional_entropy(labels: Sequence[int], given: Sequence[int]) -> float:
    """H(labels | given)."""
    total = 0.0
    for g in set(given):
        part = [a for a, b in zip(labels, given, strict=True) if b == g]
        total += len(part) / len(labels) * entropy(part)
    return total


def adjusted_rand(y: Sequence[int], labels: Sequence[int]) -> float:
    """By counting pairs: together in both, expected by chance, and at most."""
    pairs = list(combinations(range(len(y)), 2))
    both = sum(y[i] == y[j] and labels[i] == labels[j] for i, j in pairs)
    in_y, in_labels = (sum(z[i] == z[j] for i, j in pairs) for z in (y, labels))
    chance = in_y * in_labels / len(pairs)
    return (both - chance) / ((in_y + in_labels) / 2 - chance)


def best_accuracy(y: Sequence[int], labels: Sequence[int]) -> float:
    """By trying every way to name the clusters; names beyond the classes are wrong for all."""
    clusters = sorted(set(labels))
    names = [*sorted(set(y)), *(-1 - k for k in range(len(clusters)))]
    best = 0
    for chosen in permutations(names, len(clusters)):
        name = dict(zip(clusters, chosen, strict=True))
        best = max(best, sum(name[b] == a for a, b in zip(y, labels, strict=True)))
    return best / len(y)


def modularity(A: Matrix, labels: Sequence[int], resolution: float = 1.0) -> float:
    two_m, degree = A.sum(), A.sum(axis=1)
    pairs = [(i, j) for i in range(len(A)) for j in range(len(A)) if labels[i] == labels[j]]
    return float(sum(A[i, j] - resolution * degree[i] * degree[j] / two_m for i, j in pairs) / two_m)


def edge_cuts(A: Matrix, labels: Sequence[int]) -> list[tuple[float, float]]:
    """(cut, volume) of every cluster, Eq. (1)."""
    nodes, found = range(len(A)), []
    for k in sorted(set(labels)):
        cut = sum(A[i, j] for i in nodes for j in nodes if labels[i] == k and labels[j] != k)
        found.append((float(cut), float(sum(A[i].sum() for i in nodes if labels[i] == k))))
    return found


def motif_cuts(A: Matrix, labels: Sequence[int], name: str, induced: bool) -> list[tuple[int, int]]:
    """(cut, volume) of every cluster, Eq. (2): instance by instance."""
    members = [{node for arc in arcs for node in arc} for arcs in oracles.instances(A, name, induced)]
    found = []
    for k in sorted(set(labels)):
        inside = [sum(labels[i] == k for i in nodes) for nodes in members]
        cut = sum(0 < count < len(nodes) for count, nodes in zip(inside, members, strict=True))
        found.append((cut, sum(inside)))
    return found


def weighted_motif_cuts(A: Matrix, labels: Sequence[int], name: str, reduce: str) -> list[tuple[float, float]]:
    """The same with every instance as heavy as the product or the mean of its edge weights."""
    is_directed = name.startswith("M")
    found = []
    for k in sorted(set(labels)):
        cut = volume = 0.0
        for arcs in oracles.instances(A, name, False):
            edges = {arc if is_directed else tuple(sorted(arc)) for arc in arcs}
            weights = [float(A[edge]) for edge in edges]
            weight = math.prod(weights) if reduce == "product" else sum(weights) / len(weights)
            nodes = {node for arc in arcs for node in arc}
            inside = sum(labels[i] == k for i in nodes)
            cut += weight * (0 < inside < len(nodes))
            volume += weight * inside
        found.append((cut, volume))
    return found


def combine(cuts: Sequence[tuple[float, float]], average: str) -> float:
    ratios = [cut / vol for cut, vol in cuts if vol > 0]
    if not ratios:
        return 0.0
    if average == "volume":
        return sum(cut for cut, _ in cuts) / sum(vol for _, vol in cuts)
    return sum(ratios) / (len(ratios) if average == "mean" else 1)
