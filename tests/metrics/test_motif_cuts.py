from __future__ import annotations

from fractions import Fraction
from math import comb

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

from hoscpool.graph import Graph, as_graph
from hoscpool.metrics.conductance import motif_conductance, motif_cut_and_volume
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


def test_a_hub_of_three_million_neighbours() -> None:
    """The numbers of stars are half of 2⁶³; as products of int64 they would overflow."""
    leaves, near = 3_000_000, 1_000_000
    indptr = np.concatenate([[0], np.arange(leaves, 2 * leaves + 1)])
    star = Graph(indptr, np.concatenate([np.arange(1, leaves + 1), np.zeros(leaves)]).astype(np.int32))
    labels = (np.arange(leaves + 1) > near).astype(np.int64)  # the hub with its first million of neighbours
    stars, of_leaf, inside = comb(leaves, 3), comb(leaves - 1, 2), comb(near, 3)
    first = Fraction(stars - inside, stars + near * of_leaf)
    second = Fraction(stars - inside, (leaves - near) * of_leaf)
    found = motif_conductance(star, labels, "star4", average=None)
    assert found == pytest.approx([float(first), float(second)], rel=1e-9)  # rounding of a sum of 3e6 terms
