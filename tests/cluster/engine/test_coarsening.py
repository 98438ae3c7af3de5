"""Communities of the coarsening: their size, their number, and pieces of a graph."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from cluster.engine.engine_cases import hub, random_matrix
from hoscpool.cluster.engine import level as level_module
from hoscpool.cluster.engine.coarsening import SHARE, coarsen, communities, join, tiny_pieces
from hoscpool.cluster.engine.kernels.joining import components
from hoscpool.cluster.engine.level import stack
from hoscpool.cluster.engine.problem import Problem


def _problem(matrix: sp.csr_array, k: int) -> tuple[Problem, object]:
    level = stack([matrix])
    return Problem.of(level, np.ones(1), k, 0.1), level


def test_pieces_are_those_of_scipy() -> None:
    matrix = sp.csr_array(random_matrix(np.random.default_rng(0), 200, 0.006))
    piece = np.empty(200, np.int32)
    count = components(stack([matrix]), piece)
    expected, labels = connected_components(matrix, directed=False)
    assert count == expected
    assert len(np.unique(np.stack([piece, labels]), axis=1).T) == count


@pytest.mark.parametrize("block", [900, 1 << 20])
def test_joined_communities_stay_below_the_cap(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_module, "BLOCK", block)
    problem, level = _problem(sp.csr_array(random_matrix(np.random.default_rng(0), 300, 0.05)), 3)
    labels = join(problem, level, 1.0, 0.05, np.arange(300, dtype=np.int32))  # type: ignore[arg-type]
    volume = np.bincount(labels, level.degrees[:, 0]) / level.degrees.sum()  # type: ignore[attr-defined]
    assert volume.max() <= 0.05 + 1e-6
    assert len(np.unique(labels)) < 300


def test_each_clique_is_one_community() -> None:
    clique = 1 - np.eye(6)
    problem, level = _problem(sp.csr_array(sp.block_diag([clique] * 5)), 5)
    labels, count = communities(problem, level, 1.0, np.random.default_rng(0))  # type: ignore[arg-type]
    assert count == 5
    np.testing.assert_array_equal(np.sort(np.bincount(labels)), np.full(5, 6))


def test_leaves_of_a_hub_are_put_together() -> None:
    problem, level = _problem(sp.csr_array(hub(9_000)), 2)
    ladder = coarsen(problem, level, np.random.default_rng(0))  # type: ignore[arg-type]
    levels, maps = ladder.levels, ladder.maps
    assert len(levels[-1].sizes) < 100
    assert levels[-1].sizes.sum() == 9_000
    assert len(maps) == len(levels) - 1


def test_dust_is_gathered_into_bins_smaller_than_a_cluster() -> None:
    clique = 1 - np.eye(50)
    matrix = sp.csr_array(sp.block_diag([clique, clique, sp.csr_array((30, 30))]))
    problem, level = _problem(matrix, 2)
    labels, count = tiny_pieces(problem, level)  # type: ignore[arg-type]
    assert count < 130
    assert len(np.unique(labels[:100])) == 100  # the cliques stay as they are
    assert np.bincount(labels[100:]).max() <= 130 / (2 * SHARE) * 2 + 1
