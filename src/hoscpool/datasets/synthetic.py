"""Graphs without files: the karate club and Les Misérables, from NetworkX, and the paper's synthetic graphs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from hoscpool.datasets.node_statistics import nodes_in_triangles, standardised_statistics
from hoscpool.graph import Graph, as_graph, build_graph


def karate() -> Graph:
    """The karate club: 34 members, 78 friendships, unweighted. The class is the club of a member after the split.

    Class 0 stayed with the instructor ("Mr. Hi"), class 1 left with the officer. The paper uses two classes too.

    Examples:
        >>> karate()
        Graph('karate': 34 nodes, 78 edges, undirected, 2 classes)
    """
    club = nx.karate_club_graph()
    rows, cols = np.array([*club.edges, *((v, u) for u, v in club.edges)]).T
    labels = np.array([int(club.nodes[node]["club"] == "Officer") for node in range(34)])
    return build_graph(rows, cols, None, 34, directed=False, labels=labels, name="karate")


def les_miserables() -> Graph:
    """The characters of *Les Misérables*, by name. A weight is the number of chapters in which two appear together.

    Examples:
        >>> les_miserables()
        Graph('lesmis': 77 nodes, 254 edges, undirected, weighted)
    """
    return replace(as_graph(nx.les_miserables_graph()), name="lesmis")


Seed = int | np.random.Generator
SYN1_CORRELATION = 7**-0.5
"""The first feature of `syn1` shifts by 0.5 from one class to the next."""
_SPREAD_OF_THREE = (2 / 3) ** 0.5  # the standard deviation of three equally frequent classes 0, 1, 2


def syn1(*, correlation: float = SYN1_CORRELATION, random_state: Seed = 0) -> Graph:
    """Three communities that only triangles reveal: 1,000 nodes, 6,243 edges, 10 features.

    1. The communities have 334, 333 and 333 nodes.
    2. Inside a community every node is in two random triangles (two random partitions into triples). Further random
       triangles are added until a third of all edges, 2,081, lie inside communities.
    3. Random links between communities are added, up to 6,243 edges. A link that would close a triangle is refused.
    4. The features are standard Gaussian. A multiple of the class is added to the first one, so that it has the wanted
       correlation with the class. The default shifts it by −0.5, 0 or 0.5. The graph and the noise do not depend on it.

    The paper says that one feature is "correlated to node labels" and does not say how much. With a weak correlation no
    trained method finds the classes. With a strong one those that see triangles do, as in the paper.

    With three equal classes a third of random links would be inside, so counts of edges say nothing about the
    communities (spectral clustering on A: NMI ≈ 0, as in the paper). The components of A² ⊙ A are exactly the three
    communities (NMI = 1). The paper does not state the shares. This share follows from its results.

    Args:
        correlation: Correlation of the first feature with the number of the class, from 0 to less than 1.
        random_state: Seed.

    Raises:
        ValueError: The correlation is not in that range.

    Examples:
        >>> syn1()
        Graph('syn1': 1,000 nodes, 6,243 edges, undirected, 10 features, 3 classes)
    """
    slope = slope_of(correlation, _SPREAD_OF_THREE)
    rng = np.random.default_rng(random_state)
    num_edges = 6_243
    labels = rng.permutation(np.arange(1_000) % 3)
    neighbours: list[set[int]] = [set() for _ in labels]
    _fill_with_triangles([np.flatnonzero(labels == k) for k in range(3)], num_edges // 3, neighbours, rng)
    _link_without_triangles(labels, num_edges, neighbours, rng)
    features = gaussian_features(len(labels), rng)
    features[:, 0] += (slope * (labels - 1)).astype(np.float32)
    rows, cols = np.array([(u, v) for u, found in enumerate(neighbours) for v in sorted(found)]).T
    return build_graph(rows, cols, None, len(labels), directed=False, features=features, labels=labels, name="syn1")


def _fill_with_triangles(
    communities: list[npt.NDArray[np.intp]], wanted: int, neighbours: list[set[int]], rng: np.random.Generator
) -> None:
    """Add triangles inside communities until there are at least ``wanted`` edges."""
    count = close_triangles(communities, neighbours, rng)
    for nodes in itertools.cycle(communities):
        if count >= wanted:
            return
        count += join(rng.choice(nodes, size=3, replace=False).tolist(), neighbours)


def _link_without_triangles(
    labels: npt.NDArray[np.int64], num_edges: int, neighbours: list[set[int]], rng: np.random.Generator
) -> None:
    """Join random nodes of different classes that have no neighbour in common, up to ``num_edges`` edges."""
    count = sum(map(len, neighbours)) // 2
    while count < num_edges:
        u, v = rng.integers(len(labels), size=2).tolist()
        if labels[u] != labels[v] and neighbours[u].isdisjoint(neighbours[v]):
            count += join([u, v], neighbours)


def syn2(*, p: float = 0.011, random_state: Seed = 32) -> Graph:
    """An Erdős–Rényi graph whose classes are "in a triangle" (1) and "in none" (0): 1,000 nodes, 10 features.

    The paper's text says p = 0.012, which gives 5,994 ± 77 edges. Its table says 5,496 edges, which p = 0.011 gives
    (5,494 ± 74). We follow the table: the default seed is the first whose graph has exactly 5,496 edges.

    The features are the ten statistics of `node_statistics`, standardised. As in the paper ("several graph statistics")
    they include the number of triangles, which determines the class. So a good score on Syn2 shows that a method uses
    its features.

    Examples:
        >>> syn2()
        Graph('syn2': 1,000 nodes, 5,496 edges, undirected, 10 features, 2 classes)
    """
    rng = np.random.default_rng(random_state)
    graph = _random_graph(np.full((1_000, 1_000), p), rng)
    labels = nodes_in_triangles(graph).astype(np.int64)
    return replace(graph, features=standardised_statistics(graph), labels=labels, name="syn2")


def syn3(*, random_state: Seed = 83_388) -> Graph:
    """A Gaussian random partition graph with five parts: 500 nodes, 10 features, p = 0.8 inside and 0.2 across.

    Five equal parts would have about 39,800 edges, so the paper's 48,205 edges need unequal parts. Four sizes are drawn
    from a normal distribution of mean 100 and standard deviation 75, and the fifth part gets the remaining nodes. The
    draw is repeated until every part has at least 20 nodes. The default seed is the first whose graph has exactly
    48,205 edges. The features are standard Gaussian noise and say nothing about the classes.

    Examples:
        >>> syn3()
        Graph('syn3': 500 nodes, 48,205 edges, undirected, 10 features, 5 classes)
    """
    rng = np.random.default_rng(random_state)
    labels = rng.permutation(np.repeat(np.arange(5), _part_sizes(rng)))
    graph = _random_graph(np.where(labels[:, None] == labels, 0.8, 0.2), rng)
    return replace(graph, features=gaussian_features(500, rng), labels=labels, name="syn3")


def _part_sizes(rng: np.random.Generator) -> npt.NDArray[np.int64]:
    while True:
        first = rng.normal(100, 75, size=4).round().astype(np.int64)
        sizes = np.append(first, 500 - first.sum())
        if sizes.min() >= 20:
            return sizes


def _random_graph(probability: npt.NDArray[np.float64], rng: np.random.Generator) -> Graph:
    """Join every pair independently with its own probability ``[N, N]``."""
    upper = np.triu(rng.random(probability.shape) < probability, k=1)
    rows, cols = np.nonzero(upper | upper.T)
    return build_graph(rows, cols, None, len(probability), directed=False)


NUM_FEATURES = 10
Features = npt.NDArray[np.float32]


def slope_of(correlation: float, spread: float) -> float:
    """The factor s for which s·y + noise has this correlation with y; y has this spread, the noise has spread 1.

    Raises:
        ValueError: The correlation is negative, 1 or more, or not a number.

    Examples:
        >>> round(slope_of(0.6, 1.0), 12)
        0.75
    """
    if not 0 <= correlation < 1:
        raise ValueError(f"correlation: expected a number from 0 to less than 1, got {correlation!r}")
    return float(correlation / spread / (1 - correlation**2) ** 0.5)


def gaussian_features(n: int, rng: np.random.Generator) -> Features:
    """Ten columns of standard Gaussian noise."""
    noise: Features = rng.standard_normal((n, NUM_FEATURES), dtype=np.float32)
    return noise


def correlated_features(labels: Any, correlation: float, random_state: int = 0) -> Features:
    """Gaussian noise whose first column has this correlation with the number of the class, on average over seeds.

    Raises:
        ValueError: The correlation is not in [0, 1), or there is only one class.
    """
    y = np.asarray(labels, dtype=np.float64)
    if not len(y) or y.std() == 0:
        raise ValueError("labels: expected at least two classes, because a constant is correlated with nothing")
    features = gaussian_features(len(y), np.random.default_rng(random_state))
    features[:, 0] += (slope_of(correlation, float(y.std())) * (y - y.mean())).astype(np.float32)
    return features


ROUNDS = 2
"""Random triangles that every node is in."""


def close_triangles(
    groups: Sequence[npt.NDArray[np.intp]], neighbours: list[set[int]], rng: np.random.Generator
) -> int:
    """Put every node of a group into `ROUNDS` random triangles of its group. Returns the number of new edges."""
    count = 0
    for nodes in [*groups] * ROUNDS:
        order = rng.permutation(nodes)
        order = np.concatenate([order, order[: -len(order) % 3]])  # fill the last triple with the first nodes
        count += sum(join(triple, neighbours) for triple in order.reshape(-1, 3).tolist())
    return count


def join(nodes: list[int], neighbours: list[set[int]]) -> int:
    """Join all pairs of these nodes. Returns the number of new edges."""
    new = [(u, v) for u, v in itertools.combinations(nodes, 2) if v not in neighbours[u]]
    for u, v in new:
        neighbours[u].add(v)
        neighbours[v].add(u)
    return len(new)
