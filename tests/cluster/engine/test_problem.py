"""F, and what every move changes, against the one statement of the objective."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from cluster.engine.engine_cases import cases, sparse, stated_value
from hoscpool.cluster.engine import Engine
from hoscpool.cluster.engine import level as level_module
from hoscpool.cluster.engine import problem as problem_module
from hoscpool.cluster.engine.kernels.node_moves import best_target, gather_links, make_scratch, move_node
from hoscpool.cluster.engine.kernels.score import changed_score
from hoscpool.cluster.engine.level import stack
from hoscpool.cluster.engine.problem import AHEAD, Problem, ties
from hoscpool.graph import as_graph
from hoscpool.motifs import list_motifs, motif_adjacency

NAMES = tuple(cases(np.random.default_rng(0)))


def _setting(name: str, k: int, mu: float, seed: int = 0):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    matrices = cases(rng)[name]
    weights = dict(zip(matrices, rng.uniform(0.1, 1.0, len(matrices)), strict=True))
    level = stack(list(sparse(matrices).values()))
    problem = Problem.of(level, np.array(list(weights.values())), k, mu)
    labels = np.concatenate([np.arange(k), rng.integers(k, size=9 - k)]).astype(np.int32)
    return matrices, weights, level, problem, rng.permutation(labels)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("k", "mu"), [(1, 0.5), (2, 0.0), (3, 0.1), (4, 1.0), (9, 1.0)])
def test_value_is_that_of_the_stated_objective(name: str, k: int, mu: float) -> None:
    matrices, weights, level, problem, labels = _setting(name, k, mu)
    value = problem.value(problem.measure(level, labels))
    assert value == pytest.approx(stated_value(matrices, weights, labels, k, mu), abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("k", "mu"), [(2, 0.0), (3, 0.1), (9, 1.0)])
def test_gain_of_every_move_is_the_change_of_the_stated_objective(name: str, k: int, mu: float) -> None:
    matrices, weights, level, problem, labels = _setting(name, k, mu, seed=1)
    before = stated_value(matrices, weights, labels, k, mu)
    clusters = problem.measure(level, labels)
    link, seen, found = make_scratch(len(problem.alphas), k)
    for i in range(len(labels)):
        gather_links(level, labels, clusters.mass, i, i, link, seen, found)
        link[seen != i] = 0
        for b in set(range(k)) - {labels[i]}:
            moved = labels.copy()
            moved[i] = b
            parts = (level.loops, level.degrees, i, level.sizes[i])
            gain = sum(
                changed_score(problem.rule, clusters, c, link, c, *parts, sign) - clusters.scores[c]
                for c, sign in ((labels[i], -1.0), (b, 1.0))
            )
            change = stated_value(matrices, weights, moved, k, mu) - before
            assert -gain / k == pytest.approx(change, abs=1e-9)


@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
@pytest.mark.parametrize("motif", list_motifs())
def test_gain_of_every_move_for_every_motif(motif: str) -> None:
    rng = np.random.default_rng(4)
    arcs = sp.random_array((12, 12), density=0.4, random_state=rng, data_sampler=lambda size: rng.integers(1, 4, size))
    dense = {"edge": np.asarray(as_graph(arcs, directed=True).undirected().adjacency.toarray())}
    dense["motif"] = motif_adjacency(as_graph(arcs, directed=True), motif, on_edges=True).toarray().astype(float)
    weights, labels = {"edge": 0.4, "motif": 0.6}, (np.arange(12) % 3).astype(np.int32)
    level = stack(list(sparse(dense).values()))
    problem = Problem.of(level, np.array([0.4, 0.6]), 3, 0.2)
    before, (link, seen, found) = stated_value(dense, weights, labels, 3, 0.2), make_scratch(2, 3)
    for i in range(12):
        for b in range(3):
            clusters, moved = problem.measure(level, labels), labels.copy()
            gather_links(level, labels, clusters.mass, i, i, link, seen, found)
            link[seen != i] = 0
            seen[:] = -1
            if b != labels[i]:
                moved[i] = b
                move_node(problem.rule, level, clusters, i, labels[i], b, link)
            change = problem.value(clusters) - before
            assert change == pytest.approx(stated_value(dense, weights, moved, 3, 0.2) - before, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_state_after_a_move_is_that_of_the_new_labels(name: str) -> None:
    _, _, level, problem, labels = _setting(name, 3, 0.3, seed=2)
    for i in range(len(labels)):
        clusters = problem.measure(level, labels)
        link, seen, found = make_scratch(len(problem.alphas), 3)
        gather_links(level, labels, clusters.mass, i, i, link, seen, found)
        a, b = int(labels[i]), (int(labels[i]) + 1) % 3
        link[seen != i] = 0
        move_node(problem.rule, level, clusters, i, a, b, link)
        labels[i] = b
        for kept, anew in zip(clusters, problem.measure(level, labels), strict=True):
            np.testing.assert_allclose(kept, anew, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_best_target_is_the_neighbouring_cluster_of_lowest_objective(name: str) -> None:
    matrices, weights, level, problem, labels = _setting(name, 3, 0.3, seed=3)
    clusters = problem.measure(level, labels)
    before = stated_value(matrices, weights, labels, 3, 0.3)
    link, seen, found = make_scratch(len(problem.alphas), 3)
    for i in range(len(labels)):
        count = gather_links(level, labels, clusters.mass, i, i, link, seen, found)
        target = best_target(problem.rule, level, clusters, i, labels[i], link, found, count)
        values = {int(labels[i]): before}
        for b in found[:count]:
            moved = labels.copy()
            moved[i] = b
            values[int(b)] = stated_value(matrices, weights, moved, 3, 0.3)
        assert values[target] == pytest.approx(min(values.values()), abs=1e-9)


def test_memberships_are_shares_of_weight() -> None:
    """A path of five nodes, worked out by hand: node 2 has half of its weight on either side."""
    path = sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(5), dtype=np.float64))
    found, _ = Engine({"edge": path}, {"edge": 0.7}).ties(np.array([0, 0, 1, 1, 1], np.int32), 2)
    ahead = AHEAD / (1 + AHEAD)
    expected = np.array([[1, 0], [ahead, 1 - ahead], [1 - ahead, ahead], [0, 1], [0, 1]])
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("name", cases(np.random.default_rng(0)))
@pytest.mark.parametrize("n_threads", [1, 3])
def test_ties_are_dense_products(name: str, n_threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_module, "SMALL", 0)  # cut into ranges
    rng = np.random.default_rng(1)
    matrices = cases(rng)[name]
    weights = dict(zip(matrices, rng.uniform(0.1, 1.0, len(matrices)), strict=True))
    labels = rng.permutation(np.arange(9) % 4).astype(np.int32)
    onto = np.eye(4)[labels]
    shares, small = Engine(sparse(matrices), weights, n_threads=n_threads).ties(labels, 4)
    expected = np.zeros((9, 4))
    for key, matrix in matrices.items():
        np.testing.assert_allclose(small[key], onto.T @ matrix @ onto, rtol=1e-6)
        expected += weights[key] * (matrix @ onto) / max(matrix.sum(), 1e-300)
    own = np.arange(9), labels
    rest = expected.copy()
    rest[own] = 0
    expected[own] = np.maximum(expected[own], AHEAD * rest.max(axis=1))
    expected[own] += expected.sum(axis=1) == 0
    np.testing.assert_allclose(shares, expected / expected.sum(axis=1, keepdims=True), atol=1e-6)
    np.testing.assert_array_equal(shares.argmax(axis=1), labels)


def test_many_clusters_need_no_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_module, "SMALL", 0)
    engine = Engine({"edge": sp.csr_array(nx.to_scipy_sparse_array(nx.path_graph(50), dtype=np.float64))}, {"edge": 1})
    labels = np.arange(50, dtype=np.int32) % 10
    whole = ties(engine.level, np.ones(1), labels, 10)
    monkeypatch.setattr(problem_module, "ROOM", 1)  # one range
    for one, other in zip(whole, ties(engine.level, np.ones(1), labels, 10), strict=True):
        np.testing.assert_array_equal(one, other)
