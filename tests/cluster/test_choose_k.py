"""Choosing K: the curve, and the right K where there is one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from hoscpool.cluster.choose_k import select_k
from hoscpool.graph import as_graph


@pytest.mark.parametrize("k", [3, 5])
def test_planted_communities_are_counted(k: int) -> None:
    graph = nx.planted_partition_graph(k, 20, 0.6, 0.02, seed=0)
    found = select_k(as_graph(nx.Graph(graph.edges)), k_range=range(2, 8), max_epochs=30)
    assert found.n_clusters == k
    assert found.k == (2, 3, 4, 5, 6, 7)
    assert all(len(curve) == 6 for curve in (found.motif_conductance, found.modularity, found.stability, found.score))
    assert max(found.score) == found.score[found.k.index(k)]


def test_the_curve_is_what_it_says() -> None:
    graph = nx.disjoint_union(nx.complete_graph(5), nx.complete_graph(5))
    found = select_k(graph, np.eye(2)[np.arange(10) // 5], [2], max_epochs=20)
    assert found.motif_conductance == pytest.approx([0.0])
    assert found.modularity == pytest.approx([0.5])
    assert found.stability == pytest.approx([1.0])


def test_an_empty_range() -> None:
    with pytest.raises(ValueError, match="k_range"):
        select_k(nx.complete_graph(4), k_range=[])
