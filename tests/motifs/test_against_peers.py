"""Larger graphs, compiled kernels, against tools that other people wrote."""

from __future__ import annotations

import warnings
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.motifs.counting import skeleton


@pytest.fixture(scope="module")
def graph() -> hp.Graph:
    """Clustered and heavy-tailed, large enough for the compiled kernels; ids shuffled."""
    drawn = nx.powerlaw_cluster_graph(3000, 12, 0.7, seed=1)
    order = np.random.default_rng(2).permutation(3000)
    graph = hp.as_graph(sp.csr_array(nx.to_scipy_sparse_array(drawn, dtype=float)[order][:, order]))
    assert int(graph.degree @ graph.degree) > skeleton.SMALL_WORK
    return graph


def test_triangles_against_networkit_and_scipy(graph: hp.Graph) -> None:
    networkit = pytest.importorskip("networkit")
    W = hp.motif_adjacency(graph, "triangle")
    A = graph.adjacency
    np.testing.assert_array_equal(W.toarray(), (A @ A).multiply(A).toarray())
    upper = sp.triu(A, k=1).tocoo()
    peer = networkit.GraphFromCoo((upper.data, (upper.row.astype(np.uint64), upper.col.astype(np.uint64))), n=3000)
    peer.indexEdges()
    scores = networkit.sparsification.TriangleEdgeScore(peer).run().scores()
    found: dict[tuple[int, int], float] = {}
    peer.forEdges(lambda u, v, _w, e: found.__setitem__((u, v), scores[e]))
    assert all(W[u, v] == score for (u, v), score in found.items())
    assert sum(found.values()) == W.sum() // 2


def test_clique4_and_cycle4_against_orca(graph: hp.Graph) -> None:
    orbit_count = pytest.importorskip("orbit_count")
    drawn = nx.from_scipy_sparse_array(graph.adjacency)
    edges = list(drawn.edges)
    orbits: Any = orbit_count.edge_orbit_counts(drawn, graphlet_size=4, edge_list=edges)
    rows, cols = np.array(edges).T
    cliques = hp.motif_adjacency(graph, "clique4")
    np.testing.assert_array_equal(cliques[rows, cols], orbits[:, 11])
    cycles = hp.motif_adjacency(graph, "cycle4", induced=True, on_edges=True)
    np.testing.assert_array_equal(cycles[rows, cols], orbits[:, 5])


def test_counts_against_igraph(graph: hp.Graph) -> None:
    igraph = pytest.importorskip("igraph")
    peer = igraph.Graph(n=graph.num_nodes, edges=np.argwhere(np.triu(graph.adjacency.toarray())).tolist())
    assert hp.motif_count(graph, "triangle") == len(peer.list_triangles())
    assert hp.motif_count(graph, "clique4") == len(peer.cliques(min=4, max=4))


@pytest.mark.parametrize("induced", [True, False])
@pytest.mark.parametrize("name", [f"M{i}" for i in range(1, 14)])
def test_directed_motifs_against_motifcluster(name: str, induced: bool) -> None:
    """The numbering of Benson et al.; "struc" is induced, "func" is subgraph."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motifcluster = pytest.importorskip("motifcluster.motifadjacency")
    rng = np.random.default_rng(4)
    A = (rng.random((70, 70)) < 0.12).astype(float)
    A = np.maximum(A, A.T * (rng.random((70, 70)) < 0.3))  # some arcs are mutual
    np.fill_diagonal(A, 0)
    kind = "struc" if induced else "func"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = motifcluster.build_motif_adjacency_matrix(sp.csr_matrix(A), name, motif_type=kind)
    W = hp.motif_adjacency(hp.as_graph(A, directed=True), name, induced=induced)
    np.testing.assert_array_equal(W.toarray(), np.asarray(expected.todense()))
