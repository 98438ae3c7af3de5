from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from hoscpool.graph import as_graph
from hoscpool.metrics import modularity
from hoscpool.support.errors import GraphWarning
from metrics.direct import modularity as direct_modularity
from metrics.direct import random_graph, weighted_graph


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("resolution", [1.0, 0.3])
def test_it_is_the_direct_sum(seed: int, resolution: float) -> None:
    labels = np.random.default_rng(seed).integers(3, size=8).tolist()
    for A in (random_graph(seed), weighted_graph(seed)):
        expected = direct_modularity(A, labels, resolution)
        assert modularity(A, labels, resolution=resolution) == pytest.approx(expected)


@pytest.mark.parametrize("weight", [None, "weight"])
def test_it_agrees_with_networkx(weight: str | None) -> None:
    graph = nx.karate_club_graph()
    if weight is None:
        nx.set_edge_attributes(graph, 1, "weight")
    labels = np.random.default_rng(0).integers(4, size=34)
    communities = [set(np.flatnonzero(labels == k).tolist()) for k in range(4)]
    assert modularity(graph, labels) == pytest.approx(nx.community.modularity(graph, communities, weight=weight))


def test_gaps_in_the_labels_do_not_matter() -> None:
    A = random_graph(0)
    assert modularity(A, [0, 0, 0, 1, 1, 1, 2, 2]) == modularity(A, [5, 5, 5, -3, -3, -3, 90, 90])


@pytest.mark.parametrize(
    ("graph", "labels"),
    [
        (np.zeros((4, 4)), [0, 0, 1, 1]),
        (np.zeros((0, 0)), []),
        (random_graph(0, 4), [7, 7, 7, 7]),
    ],
)
def test_without_edges_or_with_one_cluster_it_is_zero(graph: Any, labels: list[int]) -> None:
    assert modularity(graph, labels) == pytest.approx(0, abs=1e-12)


def test_directions_are_dropped_with_a_warning() -> None:
    arcs = random_graph(3, directed=True)
    labels = [0, 0, 0, 0, 1, 1, 1, 1]
    with pytest.warns(GraphWarning, match="modularity ignores edge directions"):
        value = modularity(as_graph(arcs, directed=True), labels)
    assert value == pytest.approx(direct_modularity(np.maximum(arcs, arcs.T), labels))


def test_wrong_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="labels: expected 8 labels"):
        modularity(random_graph(0), [0, 1])
