"""F never rises, and no single move is left that lowers it."""

from __future__ import annotations

import numpy as np
import pytest

from cluster.engine.engine_cases import cases, random_matrix, sparse, stated_value, triangles
from hoscpool.cluster.engine import level as level_module
from hoscpool.cluster.engine import refinement
from hoscpool.cluster.engine.kernels.node_moves import improve, make_scratch
from hoscpool.cluster.engine.level import contract, stack
from hoscpool.cluster.engine.problem import Problem
from hoscpool.cluster.engine.refinement import refine


@pytest.mark.parametrize("name", cases(np.random.default_rng(0)))
@pytest.mark.parametrize("mu", [0.0, 0.1, 1.0])
def test_every_single_move_lowers_the_stated_objective(name: str, mu: float) -> None:
    rng = np.random.default_rng(4)
    matrices = cases(rng)[name]
    weights = dict.fromkeys(matrices, 0.5)
    level = stack(list(sparse(matrices).values()))
    problem = Problem.of(level, np.array(list(weights.values())), 3, mu)
    labels = rng.permutation(np.arange(9) % 3).astype(np.int32)
    before = stated_value(matrices, weights, labels, 3, mu)
    for step in range(60):
        clusters = problem.measure(level, labels)
        queue, scratch = np.full(9, step % 9, np.int32), make_scratch(len(problem.alphas), 3)
        moved, _ = improve(problem.rule, level, labels, clusters, queue, np.zeros(9, np.bool_), 1, 1, *scratch)
        after = stated_value(matrices, weights, labels, 3, mu)
        assert after < before if moved else after == before
        assert problem.value(clusters) == pytest.approx(after, abs=1e-9)
        before = after


@pytest.mark.parametrize("block", [40, 1 << 20])
def test_refined_labels_are_a_local_optimum(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_module, "BLOCK", block)
    rng = np.random.default_rng(0)
    edges = random_matrix(rng, 40, 0.15)
    matrices, weights = {"edge": edges, "triangle": triangles(edges)}, {"edge": 0.5, "triangle": 0.5}
    level = stack(list(sparse(matrices).values()))
    problem = Problem.of(level, np.array([0.5, 0.5]), 4, 0.3)
    labels = rng.permutation(np.arange(40) % 4).astype(np.int32)
    start = stated_value(matrices, weights, labels, 4, 0.3)
    for _ in range(5):  # a change of a cluster far away may open a move
        value = problem.value(refine(problem, level, labels, np.arange(40, dtype=np.int32)))
    assert value == pytest.approx(stated_value(matrices, weights, labels, 4, 0.3), abs=1e-9)
    assert value < start
    for i in range(40):
        for b in set(labels[edges[i] > 0].tolist()) - {int(labels[i])}:
            moved = labels.copy()
            moved[i] = b
            assert stated_value(matrices, weights, moved, 4, 0.3) >= value - 1e-9


def test_the_value_never_rises_over_rounds_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_module, "BLOCK", 40)
    rng = np.random.default_rng(0)
    edges = random_matrix(rng, 60, 0.15)
    matrices, weights = {"edge": edges, "triangle": triangles(edges)}, {"edge": 0.5, "triangle": 0.5}
    level = stack(list(sparse(matrices).values()))
    problem = Problem.of(level, np.array([0.5, 0.5]), 4, 0.3, n_threads=2)
    labels = rng.permutation(np.arange(60) % 4).astype(np.int32)
    clusters, queue = problem.measure(level, labels), np.arange(60, dtype=np.int32)
    before, rounds = problem.value(clusters), 0
    while len(queue) and rounds < 20:
        old = labels.copy()
        queue = refinement._one_round(problem, level, labels, clusters, queue)
        after = stated_value(matrices, weights, labels, 4, 0.3)
        assert problem.value(clusters) == pytest.approx(after, abs=1e-9)
        assert after < before if (old != labels).any() else after == pytest.approx(before, abs=1e-9)
        assert len(np.unique(queue)) == len(queue)
        before, rounds = after, rounds + 1
    assert rounds > 1
    assert len(np.unique(labels)) == 4


def test_the_state_of_a_coarser_level_stands_for_measuring_anew() -> None:
    rng = np.random.default_rng(2)
    edges = random_matrix(rng, 60, 0.15)
    level = stack(list(sparse({"edge": edges, "triangle": triangles(edges)}).values()))
    problem = Problem.of(level, np.array([0.5, 0.5]), 4, 0.3)
    pieces = rng.permutation(np.arange(60) % 20).astype(np.int32)
    coarse, coarse_labels = contract(level, pieces, 20), rng.permutation(np.arange(20) % 4).astype(np.int32)
    state = refine(problem, coarse, coarse_labels, np.arange(20, dtype=np.int32))
    kept = [part.copy() for part in state]
    labels = coarse_labels[pieces]
    again, order = labels.copy(), np.arange(60, dtype=np.int32)
    carried, measured = refine(problem, level, labels, order, state), refine(problem, level, again, order)
    np.testing.assert_array_equal(labels, again)
    for one, other, before, after in zip(carried, measured, kept, state, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
        np.testing.assert_array_equal(before, after)  # Ctrl-C may still need the coarser state
    np.testing.assert_array_equal(carried.counts, np.bincount(labels, minlength=4))
