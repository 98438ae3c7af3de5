"""Orbits of small subgraphs against ORCA, and against induced subgraphs looked at one by one."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.motifs.counting import skeleton

GRAPHS = {
    "empty": nx.empty_graph(3),
    "none": nx.empty_graph(0),
    "edge": nx.path_graph(2),
    "complete": nx.complete_graph(6),
    "star": nx.star_graph(5),
    "two parts": nx.disjoint_union(nx.cycle_graph(4), nx.lollipop_graph(4, 2)),
    "random": nx.gnp_random_graph(11, 0.45, seed=3),
}
ORBIT_OF_DEGREES = {  # degrees inside the induced subgraph, and the degree of the node → the orbit
    ((1, 1), 1): 0,
    ((1, 1, 2), 1): 1, ((1, 1, 2), 2): 2, ((2, 2, 2), 2): 3,
    ((1, 1, 2, 2), 1): 4, ((1, 1, 2, 2), 2): 5, ((1, 1, 1, 3), 1): 6, ((1, 1, 1, 3), 3): 7, ((2, 2, 2, 2), 2): 8,
    ((1, 2, 2, 3), 1): 9, ((1, 2, 2, 3), 2): 10, ((1, 2, 2, 3), 3): 11, ((2, 2, 3, 3), 2): 12, ((2, 2, 3, 3), 3): 13,
    ((3, 3, 3, 3), 3): 14,
}  # fmt: skip


def by_looking(graph: nx.Graph) -> list[list[int]]:
    counts = {node: [0] * 15 for node in graph}
    for size in (2, 3, 4):
        for nodes in combinations(graph, size):
            part = graph.subgraph(nodes)
            if nx.is_connected(part):
                degrees = tuple(sorted(d for _, d in part.degree))
                for node, degree in part.degree:
                    counts[node][ORBIT_OF_DEGREES[degrees, degree]] += 1
    return list(counts.values())


@pytest.mark.parametrize("small", [10**9, -1], ids=["numpy", "numba"])
@pytest.mark.parametrize("name", GRAPHS)
def test_every_induced_subgraph(name: str, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skeleton, "SMALL_WORK", small)
    found = hp.graphlet_degrees(GRAPHS[name])
    assert found.shape == (len(GRAPHS[name]), 15)
    assert found.to_numpy().tolist() == by_looking(GRAPHS[name])


def test_orca_agrees() -> None:
    orbit_count = pytest.importorskip("orbit_count")
    graph = nx.powerlaw_cluster_graph(300, 6, 0.6, seed=1)
    np.testing.assert_array_equal(hp.graphlet_degrees(graph), orbit_count.node_orbit_counts(graph, 4))
