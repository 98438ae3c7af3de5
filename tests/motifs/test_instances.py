from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.motifs import Motif, instances
from hoscpool.support import machine
from hoscpool.support.errors import MemoryEstimateError

PATH5 = Motif.from_edges("path5", [(0, 1), (1, 2), (2, 3), (3, 4)])
WHEEL = Motif.from_edges("wheel5", [*((0, i) for i in range(1, 5)), (1, 2), (2, 3), (3, 4), (4, 1)])


@pytest.mark.parametrize("motif", [PATH5, WHEEL], ids=lambda motif: motif.name)
@pytest.mark.parametrize("induced", [False, True])
def test_the_size_of_the_batches_changes_nothing(motif: Motif, induced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = hp.as_graph(nx.powerlaw_cluster_graph(40, 4, 0.7, seed=1))
    expected = hp.motif_instances(graph, motif, induced=induced)
    matrix = hp.motif_adjacency(graph, motif, induced=induced)
    monkeypatch.setattr(instances, "_BATCH", 50)
    batches = list(instances.iterate_instances(graph, motif, induced))
    assert len(batches) > 3
    assert max(map(len, batches)) <= 50 + graph.degree.max()
    np.testing.assert_array_equal(hp.motif_instances(graph, motif, induced=induced), expected)
    assert (hp.motif_adjacency(graph, motif, induced=induced) != matrix).nnz == 0


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_cliques_of_a_complete_graph(size: int) -> None:
    clique = Motif.from_edges(f"clique{size}", combinations(range(size), 2))
    rows = hp.motif_instances(nx.complete_graph(9), clique)
    assert rows.tolist() == [list(nodes) for nodes in combinations(range(9), size)]


def test_what_outgrows_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = hp.as_graph(nx.powerlaw_cluster_graph(100, 3, 0.3, seed=0))
    monkeypatch.setattr(machine, "available_memory", lambda: 100_000)
    with pytest.raises(MemoryEstimateError, match=r"the motif adjacency of 100 nodes.*on_edges=True"):
        hp.motif_adjacency(graph, PATH5)
    with pytest.raises(MemoryEstimateError, match=r"the list of .* instances.*motif_adjacency"):
        hp.motif_instances(graph, PATH5)
    assert hp.motif_adjacency(graph, PATH5, on_edges=True).nnz == 2 * graph.num_edges
