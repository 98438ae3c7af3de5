"""Every motif of the catalogue against enumeration by brute force, on both engines."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

import hoscpool as hp
import oracles
from hoscpool.motifs.counting import skeleton
from hoscpool.support.errors import GraphWarning

Matrix = npt.NDArray[np.float64]

UNDIRECTED, DIRECTED = list(oracles.UNDIRECTED), list(oracles.DIRECTED)


@pytest.fixture(params=["numpy", "numba"], autouse=True)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run everything with the engine of small graphs and with the compiled kernels."""
    monkeypatch.setattr(skeleton, "SMALL_WORK", 10**9 if request.param == "numpy" else -1)
    return str(request.param)


def random_matrix(rng: np.random.Generator, directed: bool) -> Matrix:
    """A random 0/1 adjacency of up to 8 nodes; isolated nodes and several components are common."""
    n = int(rng.integers(1, 9 if not directed else 8))
    A: Matrix = (rng.random((n, n)) < rng.choice([0.15, 0.35, 0.6, 0.9])).astype(float)
    if n > 3 and rng.random() < 0.3:  # two components
        A[: n // 2, n // 2 :] = A[n // 2 :, : n // 2] = 0
    if not directed:
        A = np.triu(A, 1) + np.triu(A, 1).T
    np.fill_diagonal(A, 0)
    return A


def special_matrices() -> Iterator[Matrix]:
    for n in (0, 1, 2, 5):
        yield np.zeros((n, n))
    for n in (2, 3, 4, 6):
        yield np.ones((n, n)) - np.eye(n)
    star = np.zeros((6, 6))
    star[0, 1:] = star[1:, 0] = 1
    yield star


def graph_of(A: Matrix, directed: bool) -> hp.Graph:
    return hp.as_graph(A, directed=directed)


def adjacency(A: Matrix, name: str, **options: object) -> Matrix:
    directed = name in DIRECTED
    return hp.motif_adjacency(graph_of(A, directed), name, **options).toarray()  # type: ignore[no-any-return, arg-type]


def test_the_catalogue_is_complete() -> None:
    assert hp.list_motifs() == UNDIRECTED + DIRECTED


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("name", UNDIRECTED + DIRECTED)
def test_matches_brute_force(name: str, induced: bool) -> None:
    rng = np.random.default_rng(sum(map(ord, name)) + induced)
    matrices = [*special_matrices(), *(random_matrix(rng, name in DIRECTED) for _ in range(25))]
    for A in matrices:
        expected = oracles.motif_adjacency(A, name, induced)
        result = hp.motif_adjacency(graph_of(A, name in DIRECTED), name, induced=induced)
        assert result.dtype == np.int64
        np.testing.assert_array_equal(result.toarray(), expected)
        assert result.has_canonical_format
        assert (result.data != 0).all()
        on_edges = adjacency(A, name, induced=induced, on_edges=True)
        np.testing.assert_array_equal(on_edges, expected * ((A + A.T) != 0))
        nodes = len(oracles.motif_matrix(name))
        count = int(expected.sum()) // (nodes * (nodes - 1))
        assert hp.motif_count(graph_of(A, name in DIRECTED), name, induced=induced) == count


@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("name", UNDIRECTED + DIRECTED)
def test_instances_match_brute_force(name: str, induced: bool) -> None:
    rng = np.random.default_rng(7)
    for A in [*special_matrices(), *(random_matrix(rng, name in DIRECTED) for _ in range(8))]:
        rows = hp.motif_instances(graph_of(A, name in DIRECTED), name, induced=induced)
        assert rows.shape[1] == len(oracles.motif_matrix(name))
        edges = hp.motifs.get_motif(name).edges
        arcs = {
            frozenset(
                arc for a, b in edges for arc in ([(r[a], r[b])] if name in DIRECTED else [(r[a], r[b]), (r[b], r[a])])
            )
            for r in rows.tolist()
        }
        assert len(arcs) == len(rows), "an instance is listed twice"
        assert arcs == oracles.instances(A, name, induced)


@pytest.mark.parametrize("weights", ["mean", "product"])
@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("name", UNDIRECTED + DIRECTED)
def test_weighted_matches_brute_force(name: str, induced: bool, weights: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(4):
        A = random_matrix(rng, name in DIRECTED)
        values = rng.uniform(0.1, 2.0, A.shape)
        A *= values if name in DIRECTED else values + values.T
        expected = oracles.motif_adjacency(A, name, induced, weights)
        np.testing.assert_allclose(adjacency(A, name, induced=induced, weights=weights), expected, atol=1e-12)


@pytest.mark.parametrize("name", ["triangle", "clique4", "cycle4", "diamond", "path4", "M6", "M9"])
def test_any_thread_count_and_any_node_order(name: str) -> None:
    rng = np.random.default_rng(11)
    directed = name in DIRECTED
    A = (rng.random((60, 60)) < 0.2).astype(float)
    A = A if directed else np.triu(A, 1) + np.triu(A, 1).T
    np.fill_diagonal(A, 0)
    expected = adjacency(A, name)
    for threads in (1, 2, 5):
        np.testing.assert_array_equal(adjacency(A, name, n_threads=threads), expected)
    order = rng.permutation(60)
    np.testing.assert_array_equal(adjacency(A[np.ix_(order, order)], name), expected[np.ix_(order, order)])


def test_undirected_motif_of_a_directed_graph_says_what_it_does() -> None:
    A = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    with pytest.warns(GraphWarning, match="directions are ignored"):
        W = hp.motif_adjacency(hp.as_graph(A, directed=True), "triangle")
    np.testing.assert_array_equal(W.toarray(), np.ones((3, 3)) - np.eye(3))


def test_directed_motif_of_an_undirected_graph_says_what_it_does() -> None:
    A = np.ones((3, 3)) - np.eye(3)
    with pytest.warns(GraphWarning, match="two arcs"):
        assert hp.motif_count(A, "M4") == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        assert hp.motif_count(A, "M1") == 2
