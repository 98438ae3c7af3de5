"""Merging against a dense greedy method, and the parts of the search on the coarsest graph."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from cluster.engine.engine_cases import cases, random_matrix, sparse
from hoscpool.cluster.engine import first_partition
from hoscpool.cluster.engine.first_partition import overlay, search
from hoscpool.cluster.engine.kernels.greedy_merging import merge_to
from hoscpool.cluster.engine.kernels.heap import make_heap, put, take
from hoscpool.cluster.engine.level import contract, stack
from hoscpool.cluster.engine.problem import Problem


def _total_score(problem: Problem, level, labels) -> float:  # type: ignore[no-untyped-def]
    """Σ_k score_k by the kernels that other tests compare with the stated objective."""
    count = int(labels.max()) + 1
    wide = Problem(problem.alphas, max(count, 2), 0.0, problem.totals, problem.num_nodes)
    clusters = wide.measure(level, labels)
    return float(clusters.scores.sum() + problem.rule.balance * np.sqrt(clusters.mass).sum())


def _greedy(problem: Problem, level, k: int):  # type: ignore[no-untyped-def]
    """Merge the best pair of all, again and again, by computing everything anew."""
    labels = np.arange(len(level.sizes), dtype=np.int32)
    for _ in range(len(labels) - k):
        options = []
        for x, y in combinations(range(int(labels.max()) + 1), 2):
            merged = np.where(labels == y, x, labels)
            options.append(np.unique(merged, return_inverse=True)[1].astype(np.int32))
        labels = max(options, key=lambda option: _total_score(problem, level, option))
    return labels


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [1, 2, 4])
def test_merging_is_that_of_a_dense_greedy_method(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    level = stack([sp.csr_array(random_matrix(rng, 12, 0.5, weighted=True)) for _ in range(2)])
    problem = Problem.of(level, np.array([0.3, 0.7]), max(k, 2), 0.2)
    labels = merge_to(problem.rule, level, k)
    assert len(np.unique(labels)) == k
    assert _total_score(problem, level, labels) == pytest.approx(
        _total_score(problem, level, _greedy(problem, level, k))
    )


@pytest.mark.parametrize("name", cases(np.random.default_rng(0)))
@pytest.mark.parametrize("k", [1, 3, 9])
def test_merging_leaves_as_many_as_asked(name: str, k: int) -> None:
    level = stack(list(sparse(cases(np.random.default_rng(0))[name]).values()))
    problem = Problem.of(level, np.full(level.data.shape[1], 0.5), k, 0.1)
    labels = merge_to(problem.rule, level, k)
    assert np.array_equal(np.unique(labels), np.arange(k))


def test_merging_of_many_clusters_needs_the_pool_more_than_once() -> None:
    rng = np.random.default_rng(0)
    level = stack([sp.csr_array(random_matrix(rng, 150, 0.3, weighted=True))])
    problem = Problem.of(level, np.ones(1), 2, 0.1)
    before = contract(level, merge_to(problem.rule, level, 30), 30)
    assert len(np.unique(merge_to(problem.rule, before, 2))) == 2


def test_heap_gives_items_by_falling_key() -> None:
    rng, heap = np.random.default_rng(0), make_heap(40)
    keys: dict[int, float] = {}
    for _ in range(300):
        item, key = int(rng.integers(40)), float(rng.integers(10))
        if item in keys and rng.random() < 0.4:
            take(heap, item)
            del keys[item]
        else:
            put(heap, item, key)
            keys[item] = key
        assert heap.size[0] == len(keys)
        if keys:
            assert heap.items[0] == min(keys, key=lambda one: (-keys[one], one))


def test_overlay_is_where_both_agree() -> None:
    pieces, count = overlay(np.array([0, 0, 1, 1], np.int32), np.array([5, 2, 2, 2], np.int32))
    assert count == 3
    assert pieces[2] == pieces[3]
    assert len({int(pieces[0]), int(pieces[1]), int(pieces[2])}) == 3


def test_kicks_and_tries_do_not_raise_the_value() -> None:
    level = stack([sp.csr_array(random_matrix(np.random.default_rng(1), 80, 0.1))])
    problem = Problem.of(level, np.ones(1), 5, 0.5)
    values = [search(problem, level, np.random.default_rng(0), 3, kicks).value for kicks in (0, 5, 50)]
    assert values == sorted(values, reverse=True)
    assert values[-1] < values[0]


@pytest.mark.parametrize("seed", range(4))
def test_isolated_nodes_do_not_take_the_places_of_clusters(seed: int) -> None:
    """Communities hold two or three of these cliques at the usual resolution; isolated nodes make up the number."""
    ring = nx.to_scipy_sparse_array(nx.ring_of_cliques(30, 5), dtype=np.float64)
    matrix = sp.csr_array(sp.block_diag([ring, sp.csr_array((40, 40))], format="csr"))
    level = stack([matrix])
    problem = Problem.of(level, np.ones(1), 30, 0.1)
    found = search(problem, level, np.random.default_rng(seed), tries=1, kicks=0)
    volumes = np.bincount(found.labels, matrix.sum(axis=1), minlength=30)
    assert volumes.min() > 10


@pytest.mark.parametrize(("work", "kicked"), [(10**9, True), (1, False)])
def test_tries_that_agree_are_not_kicked_where_kicks_are_dear(
    work: int, kicked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three cliques: every try finds them."""
    level = stack([sp.csr_array(nx.to_numpy_array(nx.disjoint_union_all([nx.complete_graph(9)] * 3)))])
    problem, calls = Problem.of(level, np.ones(1), 3, 0.1), list[int]()

    def note(*given: Any) -> Any:
        calls.append(given[-1])
        return given[2]

    monkeypatch.setattr(first_partition, "KICK_WORK", work)
    monkeypatch.setattr(first_partition, "improve_by_kicks", note)
    found = search(problem, level, np.random.default_rng(0), tries=4, kicks=12)
    assert found.value == pytest.approx(problem.value(problem.measure(level, found.labels)))
    assert bool(calls) is kicked
