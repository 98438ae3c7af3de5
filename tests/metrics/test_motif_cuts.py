from __future__ import annotations

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

from hoscpool.graph import as_graph
from hoscpool.metrics.conductance import motif_cut_and_volume
from hoscpool.motifs import get_motif, list_motifs, motif_instances
from metrics.direct import motif_cuts, random_graph

LABELS = [0, 1, 0, 1, 2, 0, 2]


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("name", list_motifs())
def test_every_motif_against_its_instances(name: str, induced: bool) -> None:
    motif = get_motif(name)
    for seed, density in ((0, 0.4), (1, 0.7), (2, 0.9)):
        A = random_graph(seed, 7, density, directed=motif.is_directed)
        graph = as_graph(A, directed=motif.is_directed)
        cut, vol = motif_cut_and_volume(graph, np.array(LABELS, np.int32), 3, motif, induced)
        expected = motif_cuts(A, LABELS, name, induced)
        assert list(zip(cut, vol, strict=True)) == expected, (name, induced, seed)


@pytest.mark.parametrize(("name", "induced"), [("cycle4", False), ("diamond", True), ("wedge", False)])
def test_a_graph_large_enough_for_the_kernels(name: str, induced: bool) -> None:
    graph = as_graph(nx.gnp_random_graph(420, 0.08, seed=1))
    assert (graph.degree**2).sum() > 400_000
    cluster = (np.arange(420) % 4).astype(np.int32)
    cut, vol = motif_cut_and_volume(graph, cluster, 4, get_motif(name), induced)
    inside = _members(cluster[motif_instances(graph, name, induced=induced)])  # [n, 4]
    size = get_motif(name).num_nodes
    assert vol.tolist() == inside.sum(axis=0).tolist()
    assert cut.tolist() == ((inside > 0) & (inside < size)).sum(axis=0).tolist()


def _members(clusters: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """How many nodes of each instance are in each of four clusters."""
    return np.stack([(clusters == k).sum(axis=1) for k in range(4)], axis=1)
