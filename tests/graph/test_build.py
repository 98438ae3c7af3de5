from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from hoscpool.graph import Graph, as_graph
from hoscpool.graph.build import build_graph, divide_by_mean, in_mean_weights
from hoscpool.support.errors import GraphWarning

ARCS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 3)), max_size=25)


def arrays(arcs: list[tuple[int, int, int]]) -> tuple[Any, Any, Any]:
    table = np.array(arcs, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def summed(arcs: list[tuple[int, int, int]]) -> dict[tuple[int, int], float]:
    """Oracle: repeated arcs add up, self-loops and zeros go."""
    total: dict[tuple[int, int], float] = {}
    for u, v, weight in arcs:
        if u != v and weight:
            total[u, v] = total.get((u, v), 0.0) + weight
    return total


@settings(deadline=None)
@given(ARCS)
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_directed_arcs_are_summed(arcs: list[tuple[int, int, int]]) -> None:
    graph = build_graph(*arrays(arcs), 7, directed=True)
    dense = np.zeros((7, 7))
    for (u, v), weight in summed(arcs).items():
        dense[u, v] = weight
    assert graph.is_directed
    assert graph.num_edges == np.count_nonzero(dense)
    np.testing.assert_array_equal(graph.adjacency.toarray(), dense)


@settings(deadline=None)
@given(ARCS)
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_undirected_keeps_the_heavier_direction(arcs: list[tuple[int, int, int]]) -> None:
    graph = build_graph(*arrays(arcs), 7, directed=False)
    dense = np.zeros((7, 7))
    for (u, v), weight in summed(arcs).items():
        dense[u, v] = max(dense[u, v], weight)
        dense[v, u] = max(dense[v, u], weight)
    assert not graph.is_directed
    assert graph.num_edges == np.count_nonzero(np.triu(dense))
    np.testing.assert_array_equal(graph.adjacency.toarray(), dense)


@settings(deadline=None)
@given(ARCS)
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_direction_is_inferred_from_symmetry(arcs: list[tuple[int, int, int]]) -> None:
    total = summed(arcs)
    symmetric = all(total.get((v, u)) == weight for (u, v), weight in total.items())
    assert build_graph(*arrays(arcs), 7).is_directed is not symmetric


@settings(deadline=None)
@given(ARCS)
@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_structure_is_canonical(arcs: list[tuple[int, int, int]]) -> None:
    graph = build_graph(*arrays(arcs), 7, directed=False)
    assert (graph.indptr.dtype.name, graph.indices.dtype.name) == ("int64", "int32")
    for node in range(7):
        row = graph.indices[graph.indptr[node] : graph.indptr[node + 1]].tolist()
        assert row == sorted(set(row) - {node})


def test_any_order_of_arcs_gives_the_same_graph() -> None:
    rows, cols, weights = np.array([0, 0, 1, 1, 2, 2]), np.array([1, 2, 0, 2, 0, 1]), np.arange(6.0) + 1
    sorted_first = build_graph(rows, cols, weights, 3, directed=True)
    for order in ([5, 4, 3, 2, 1, 0], [1, 0, 2, 3, 4, 5], [0, 1, 3, 2, 4, 5]):
        shuffled = build_graph(rows[order], cols[order], weights[order], 3, directed=True)
        np.testing.assert_array_equal(shuffled.adjacency.toarray(), sorted_first.adjacency.toarray())


REPORTED = [
    ("one loop", [(0, 0), (0, 1), (1, 0)], None, None, "1 self-loop was dropped"),
    ("loops", [(0, 0), (1, 1), (0, 1), (1, 0)], None, None, "2 self-loops were dropped"),
    ("zeros", [(0, 1), (1, 0), (1, 2)], [2, 2, 0], None, "1 edge of weight 0 was dropped"),
    ("repeated", [(0, 1), (0, 1), (1, 0), (1, 0)], None, None, "2 repeated edges were merged"),
    ("weights", [(0, 1), (0, 1)], [1, 2], True, "1 repeated edge was merged and the weights summed"),
    (
        "asymmetry",
        [(0, 1), (1, 0), (1, 2)],
        None,
        None,
        "the adjacency is not symmetric, so the graph was read as directed",
    ),
    ("both ways", [(0, 1), (1, 0), (1, 2)], None, False, "1 edge that was given in both directions counts once"),
    ("heavier", [(0, 1), (1, 0)], [1, 2], False, "with the heavier of the two weights"),
]


@pytest.mark.parametrize(
    ("arcs", "weights", "directed", "message"), [case[1:] for case in REPORTED], ids=[c[0] for c in REPORTED]
)
def test_changes_are_warned_and_noted(arcs: Any, weights: Any, directed: bool | None, message: str) -> None:
    rows, cols = np.array(arcs).T
    with pytest.warns(GraphWarning, match=message) as caught:
        graph = build_graph(rows, cols, None if weights is None else np.array(weights), 3, directed=directed)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert any(message in note for note in graph.notes)


def test_one_direction_each_is_normal_and_only_noted() -> None:
    graph = build_graph(np.array([0, 1]), np.array([1, 2]), None, 3, directed=False)
    assert graph.notes == ("every edge was given in one direction and was read as undirected",)


def test_clean_symmetric_input_has_no_notes(edges_of: Callable[..., Any]) -> None:
    graph = build_graph(np.array([0, 1]), np.array([1, 0]), None, 2)
    assert graph.notes == ()
    assert edges_of(graph) == {(0, 1): 1.0, (1, 0): 1.0}


def test_weights_equal_up_to_rounding_are_undirected() -> None:
    graph = build_graph(np.array([0, 1]), np.array([1, 0]), np.array([0.1, np.nextafter(0.1, 1)]), 2)
    assert not graph.is_directed
    assert graph.adjacency[0, 1] == graph.adjacency[1, 0] == np.nextafter(0.1, 1)
    assert "rounding" in graph.notes[0]


def test_weights_of_one_count_as_none() -> None:
    assert build_graph(np.array([0, 1]), np.array([1, 0]), np.ones(2), 2).weights is None


def test_repeated_unit_weights_add_up() -> None:
    with pytest.warns(GraphWarning):
        graph = build_graph(np.array([0, 0]), np.array([1, 1]), np.array([1.0, 2.0]), 2, directed=True)
    assert graph.adjacency[0, 1] == 3.0


def test_the_graph_shares_no_memory_with_the_input() -> None:
    rows, cols, weights = np.array([0, 1]), np.array([1, 0]), np.array([2.0, 2.0])
    features = np.zeros((2, 1), dtype=np.float32)
    graph = build_graph(rows, cols, weights, 2, features=features, labels=np.array([0, 1]))
    weights[:], cols[:], features[:] = 5.0, 0, 7.0
    assert graph.adjacency[0, 1] == 2.0
    assert graph.features is not None
    assert graph.features[0, 0] == 0.0


@pytest.mark.parametrize("num_nodes", [0, 1, 5])
def test_graphs_without_edges(num_nodes: int) -> None:
    empty = np.array([], dtype=np.int64)
    graph = build_graph(empty, empty, None, num_nodes)
    assert (graph.num_nodes, graph.num_edges, graph.is_directed) == (num_nodes, 0, False)


def test_weights_must_match_the_arcs() -> None:
    with pytest.raises(ValueError, match="weights: expected 2 numbers, one for every edge, got 3"):
        build_graph(np.array([0, 1]), np.array([1, 0]), np.ones(3), 2)


def test_unweighted_repeats_do_not_break_symmetry() -> None:
    with pytest.warns(GraphWarning, match="1 repeated edge was merged"):
        graph = build_graph(np.array([0, 0, 1]), np.array([1, 1, 0]), None, 2)
    assert (graph.is_directed, graph.weights) == (False, None)


def weighted(scale: float, heavy: float = 3.0) -> Graph:
    """A path of three nodes."""
    return as_graph(np.array([[0, 1, 0], [1, 0, heavy], [0, heavy, 0]]) * scale)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-20, 1.0, 1024, 1e20, 1e300])
def test_the_scale_does_not_matter(scale: float) -> None:
    found = in_mean_weights(weighted(scale))
    assert found.weights is not None
    rounding = 1e-3 if scale < 1e-310 else 1e-15  # numbers near 1e-320 have three digits
    np.testing.assert_allclose(found.weights, [0.5, 0.5, 1.5, 1.5], rtol=rounding)


@pytest.mark.parametrize("scale", [1e-300, 0.1, 7.0, 1e300])
def test_equal_weights_are_none(scale: float) -> None:
    assert in_mean_weights(weighted(scale, heavy=1.0)).weights is None


def test_nothing_changes_without_weights() -> None:
    graph = weighted(1.0, heavy=1.0)
    assert in_mean_weights(graph) is graph
    assert in_mean_weights(as_graph(np.zeros((2, 2)))).num_edges == 0


@pytest.mark.parametrize("heavy", [1e31, 1e300])
def test_weights_that_would_be_lost_are_refused(heavy: float) -> None:
    with pytest.raises(ValueError, match="weights: expected numbers within a factor of 1e"):
        in_mean_weights(weighted(1.0, heavy))
    assert divide_by_mean(np.array([1.0, 9e29]), "these")[0] > 1e-30


def test_sums_beyond_64_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="weights: their sum is beyond 64-bit numbers"):
        in_mean_weights(weighted(5e307))
    with pytest.raises(ValueError, match="weights: the sum of the weights of a repeated edge"):
        as_graph(sp.coo_array((np.full(3, 1e308), ([1, 0, 0], [0, 1, 1])), shape=(2, 2)))
