"""Further clusterings: where they are made, and from what."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.certainty import further_runs as module
from hoscpool.cluster.certainty.further_runs import COUNT, further_runs, thinned
from hoscpool.graph import Graph, as_graph
from hoscpool.support.errors import ignoring


def test_a_tenth_of_the_edges_is_left_out() -> None:
    graph = as_graph(nx.gnm_random_graph(200, 4000, seed=0))
    one, other = thinned(graph, 0.1, 0), thinned(graph, 0.1, 1)
    assert 3500 < one.num_edges < 3700
    assert one != other
    assert one == thinned(graph, 0.1, 0)
    assert not (one.adjacency - graph.adjacency.multiply(one.adjacency)).nnz


@pytest.mark.parametrize("solver", ["network", "multilevel"])
def test_they_find_clear_clusters_again(bare: Graph, solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = HoscClustering(3, solver=solver, random_state=0, n_init=1).fit(bare)
    found = further_runs(model, bare, 1, built=False)
    assert len(found) == COUNT
    for labels in found:
        assert len(set(zip(labels.tolist(), model.labels_.tolist(), strict=True))) == 3
    monkeypatch.setattr(module, "QUICK", 5)
    assert further_runs(model, bare, 1, built=False) == []


def test_enough_restarts_and_other_starts_need_none(bare: Graph, cliques: Graph) -> None:
    model = HoscClustering(3, solver="multilevel", random_state=0, n_init=3).fit(bare)
    assert further_runs(model, bare, 3, built=False) == []
    assert further_runs(HoscClustering(3, random_state=0).fit(cliques), cliques, 1, built=False) == []


def test_a_motif_that_is_gone_gives_no_run() -> None:
    graph = as_graph(nx.Graph([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 6)]))
    with ignoring():
        model = HoscClustering(2, starts="motif-spectral", max_epochs=2, n_init=1, random_state=0).fit(graph)
    model.start_ = "motif-spectral"
    found = further_runs(model, graph, 1, built=False)
    assert len(found) < COUNT
    assert all(isinstance(labels, np.ndarray) for labels in found)
