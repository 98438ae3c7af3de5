"""The compiled search, with and without anchors, against trying all node orders; its estimates and refusals."""

from __future__ import annotations

from itertools import combinations, permutations

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

import hoscpool as hp
import oracles
from hoscpool.motifs import instances
from hoscpool.motifs.counting.matcher import Matcher
from hoscpool.support import machine
from hoscpool.support.errors import MemoryEstimateError, TimeEstimateError
from metrics.direct import random_graph

PATH5 = hp.Motif.from_edges("path5", [(0, 1), (1, 2), (2, 3), (3, 4)])
CASES = [*oracles.NEW_UNDIRECTED, *oracles.NEW_DIRECTED]


@pytest.fixture(autouse=True)
def _no_join(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small graphs go through the compiled search, too."""
    monkeypatch.setattr(instances, "SMALL_WALKS", -1)


def motif_of(name: str, anchors: list[int] | None = None) -> hp.Motif:
    directed = name in oracles.NEW_DIRECTED
    edges = [(a, b) for a, b in np.argwhere(oracles.motif_matrix(name)).tolist() if directed or a < b]
    return hp.Motif.from_edges(name, edges, directed, anchors=anchors)


def anchored(A: npt.NDArray[np.float64], name: str, anchors: list[int], induced: bool) -> npt.NDArray[np.float64]:
    """Every different (arcs, anchors) once, by trying all node orders."""
    M, seen = oracles.motif_matrix(name), set()
    for nodes in permutations(range(len(A)), len(M)):
        part = A[np.ix_(nodes, nodes)] != 0
        if np.array_equal(part, M != 0) if induced else part[M != 0].all():
            arcs = frozenset((nodes[a], nodes[b]) for a, b in np.argwhere(M))
            seen.add((arcs, frozenset(nodes[role] for role in anchors)))
    W = np.zeros_like(A)
    for _, ends in seen:
        for a, b in permutations(ends, 2):
            W[a, b] += 1
    return W


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_any_motif(name: str, induced: bool) -> None:
    for seed, density in ((0, 0.3), (1, 0.7)):
        A = random_graph(seed, 7, density, directed=name in oracles.NEW_DIRECTED)
        graph, expected = (
            hp.as_graph(A, directed=name in oracles.NEW_DIRECTED),
            oracles.motif_adjacency(A, name, induced),
        )
        found = oracles.instances(A, name, induced)
        options = {"induced": induced, "n_threads": 2}
        np.testing.assert_array_equal(hp.motif_adjacency(graph, motif_of(name), **options).toarray(), expected)  # type: ignore[arg-type]
        on_edges = hp.motif_adjacency(graph, motif_of(name), on_edges=True, **options).toarray()  # type: ignore[arg-type]
        np.testing.assert_array_equal(on_edges, expected * ((A + A.T) != 0))
        assert hp.motif_count(graph, motif_of(name), **options) == len(found)  # type: ignore[arg-type]
        assert len(hp.motif_instances(graph, motif_of(name), induced=induced)) == len(found)


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize(
    ("name", "anchors"),
    [
        ("bowtie", [0, 4]),
        ("house", [0, 1, 2]),
        ("square", [0, 1]),
        ("path5", [0, 4]),
        ("loop4", [1, 3]),
        ("chain4", [0, 2]),
    ],
)
def test_anchors(name: str, anchors: list[int], induced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    motif, directed = motif_of(name, anchors), name in oracles.NEW_DIRECTED
    for seed, density in ((0, 0.4), (1, 0.8)):
        A = random_graph(seed, 7, density, directed=directed)
        graph, expected = hp.as_graph(A, directed=directed), anchored(A, name, anchors, induced)
        for small in (-1, 10**9):  # the search, then the join
            monkeypatch.setattr(instances, "SMALL_WALKS", small)
            np.testing.assert_array_equal(hp.motif_adjacency(graph, motif, induced=induced).toarray(), expected)
            at_nodes = hp.motifs.Engine(graph).at_nodes(motif, induced)
            np.testing.assert_array_equal(at_nodes, expected.sum(axis=1) / (len(anchors) - 1))


@pytest.mark.parametrize("size", [10, 100, 1 << 18])
def test_the_size_of_the_batches_changes_nothing(size: int) -> None:
    graph = hp.as_graph(nx.powerlaw_cluster_graph(40, 3, 0.5, seed=0))
    batches = list(Matcher(graph).batches(PATH5, induced=True, size=size))
    assert all(len(batch) == size for batch in batches[:-1])
    rows = instances.canonical(np.concatenate(batches), PATH5)
    np.testing.assert_array_equal(rows, hp.motif_instances(graph, PATH5, induced=True))
    assert len(rows) == Matcher(graph).count(PATH5, induced=True)[0]


def test_cliques_are_found_once() -> None:
    clique = hp.Motif.from_edges("six", combinations(range(6), 2))
    assert hp.motif_count(nx.complete_graph(9), clique) == 84


def test_estimates_are_close() -> None:
    graph = hp.as_graph(nx.powerlaw_cluster_graph(300, 4, 0.5, seed=0))
    found, read = Matcher(graph).estimate(PATH5, induced=False)
    assert found == pytest.approx(hp.motif_count(graph, PATH5), rel=0.2)
    assert read > found
    assert Matcher(hp.as_graph(np.zeros((3, 3)))).estimate(PATH5, induced=False) == (0, 0)


def test_what_takes_too_long_is_refused() -> None:
    graph = nx.complete_graph(400)
    six = hp.Motif.from_edges("path6", [(i, i + 1) for i in range(5)])
    for call in (hp.motif_count, hp.motif_adjacency):
        with pytest.raises(
            TimeEstimateError, match=r"counting path6 means to find about 2e\+15.*days.*max_seconds=None"
        ):
            call(graph, six)
    with pytest.raises(TimeEstimateError, match="counting path5"):
        hp.motif_count(graph, PATH5, max_seconds=0.001)


def test_what_does_not_fit_in_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = hp.as_graph(nx.powerlaw_cluster_graph(200, 3, 0.5, seed=0))
    monkeypatch.setattr(machine, "available_memory", lambda: 10_000)
    with pytest.raises(MemoryEstimateError, match=r"counting path5 needs about .*n_threads=1"):
        hp.motif_adjacency(graph, PATH5, on_edges=True, n_threads=2)
    with pytest.raises(MemoryEstimateError, match=r"the motif adjacency of 200 nodes.*on_edges=True"):
        hp.motif_adjacency(graph, PATH5)


def test_edges_and_pairs_of_a_large_graph_agree_with_cliques() -> None:
    graph = hp.as_graph(nx.powerlaw_cluster_graph(500, 8, 0.8, seed=2))
    matrix = Matcher(graph, 3).count(hp.motifs.get_motif("clique5"), induced=False, on_edges=True)[2]
    assert (matrix != hp.motif_adjacency(graph, "clique5")).nnz == 0
    total, at_nodes, _ = Matcher(graph, 2).count(hp.motifs.get_motif("diamond"), induced=True, at_nodes=True)
    assert total == hp.motif_count(graph, "diamond", induced=True)
    assert at_nodes.sum() == 4 * total
