"""Every wrapped library against the definition, on a small graph and in this process."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool.bench.graphs.generators import graph_from_pairs, rmat
from hoscpool.bench.harness.cases import Contender
from hoscpool.bench.peers.common import counts_of_matrix, counts_of_pairs, edge_ends
from hoscpool.bench.suites.motif_cases import ORCA, TRIANGLE_PEERS, four_node_case, triangle_case
from hoscpool.graph import Graph

CONTENDERS = [contender for peer in TRIANGLE_PEERS.values() for contender in peer]


@pytest.fixture(autouse=True)
def _their_warnings_are_theirs() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(scope="module")
def graph() -> Graph:
    return rmat(5, edge_factor=4)  # 32 nodes


@pytest.fixture(scope="module")
def empty() -> Graph:
    return graph_from_pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), 4)


def triangles_by_definition(graph: Graph) -> list[int]:
    neighbours = [set(row.tolist()) for row in np.split(graph.indices, graph.indptr[1:-1])]
    return [len(neighbours[u] & neighbours[v]) for u, v in zip(*edge_ends(graph), strict=True)]


def four_nodes_by_definition(graph: Graph) -> list[list[int]]:
    adjacency = graph.adjacency.toarray()
    counts = np.zeros((2, graph.num_nodes, graph.num_nodes), int)
    for nodes in combinations(range(graph.num_nodes), 4):
        part = adjacency[np.ix_(nodes, nodes)]
        kind = 0 if part.sum() == 12 else 1 if (part.sum(axis=0) == 2).all() else None
        if kind is not None:
            counts[kind][np.ix_(nodes, nodes)] += part.astype(int)
    u, v = edge_ends(graph)
    return [counts[0][u, v].tolist(), counts[1][u, v].tolist()]


def answer_of(contender: Contender, graph: Graph) -> list[Any]:
    if contender.module:
        pytest.importorskip(contender.module)
    return list(contender.answer(graph, contender.run(contender.prepare(graph))).tolist())


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda c: c.name)
def test_triangle_peers(contender: Contender, graph: Graph) -> None:
    assert answer_of(contender, graph) == triangles_by_definition(graph)


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda c: c.name)
def test_triangle_peers_on_a_graph_without_edges(contender: Contender, empty: Graph) -> None:
    assert answer_of(contender, empty) == []


def test_orca(graph: Graph) -> None:
    assert answer_of(ORCA, graph) == four_nodes_by_definition(graph)


def test_ours(graph: Graph) -> None:
    assert answer_of(triangle_case("rmat10", (), 1).contenders[0], graph) == triangles_by_definition(graph)
    assert answer_of(four_node_case("rmat10", 1).contenders[0], graph) == four_nodes_by_definition(graph)


def test_counts_follow_the_edges_whatever_their_order(graph: Graph) -> None:
    u, v = edge_ends(graph)
    counts = np.arange(len(u)) + 1
    order = np.random.default_rng(0).permutation(len(u))
    assert np.array_equal(counts_of_pairs(graph, v[order], u[order], counts[order]), counts)


def test_edges_that_are_not_named_count_zero(graph: Graph) -> None:
    u, v = edge_ends(graph)
    assert counts_of_pairs(graph, u[:1], v[:1], [7]).tolist() == [7] + [0] * (len(u) - 1)


def test_counts_off_the_edges_are_refused(graph: Graph) -> None:
    with pytest.raises(ValueError, match="1 other pairs"):
        counts_of_pairs(graph, [0], [0], [1])


def test_an_unsymmetric_matrix_is_refused(graph: Graph) -> None:
    with pytest.raises(ValueError, match="symmetric"):
        counts_of_matrix(graph, sp.triu(graph.adjacency).tocsr())
