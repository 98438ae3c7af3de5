"""One pattern for all matrices, and contraction, against dense products."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from cluster.engine.engine_cases import cases, random_matrix, sparse
from hoscpool.cluster.engine import level as level_module
from hoscpool.cluster.engine.kernels.tables import Level
from hoscpool.cluster.engine.level import contract, stack


def _dense(level: Level, j: int) -> np.ndarray:
    n = len(level.sizes)
    matrix = sp.csr_array((level.data[:, j].astype(np.float64), level.indices, level.indptr), shape=(n, n)).toarray()
    assert not np.diagonal(matrix).any()
    return np.asarray(matrix + np.diag(level.loops[:, j]))


@pytest.mark.parametrize("name", cases(np.random.default_rng(0)))
def test_stack_holds_every_matrix(name: str) -> None:
    matrices = cases(np.random.default_rng(0))[name]
    level = stack(list(sparse(matrices).values()))
    for j, matrix in enumerate(matrices.values()):
        np.testing.assert_allclose(_dense(level, j), matrix)
        np.testing.assert_allclose(level.degrees[:, j], matrix.sum(axis=1))
    assert (level.indptr.dtype, level.indices.dtype, level.data.dtype) == (np.int64, np.int32, np.float32)


def test_stack_shares_a_pattern_that_holds_all_others() -> None:
    edges = sp.csr_array(random_matrix(np.random.default_rng(0), 30, 0.3))
    some = edges.copy()
    some.data[::2] = 0
    some.eliminate_zeros()
    some = sp.csr_array(some.minimum(some.T))
    assert np.shares_memory(stack([some, edges]).indices, edges.indices)


@pytest.mark.parametrize("dtype", [np.int8, np.bool_])
def test_stack_takes_unsorted_columns_and_small_types(dtype: type) -> None:
    matrix = (random_matrix(np.random.default_rng(0), 12, 0.5) > 0) * 1.0
    shuffled = sp.csr_array(matrix.astype(dtype))
    for i in range(12):
        row = slice(shuffled.indptr[i], shuffled.indptr[i + 1])
        shuffled.indices[row], shuffled.data[row] = shuffled.indices[row][::-1].copy(), shuffled.data[row][::-1].copy()
    shuffled.has_sorted_indices = False
    np.testing.assert_allclose(_dense(stack([shuffled, sp.csr_array(matrix)]), 0), matrix)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_contraction_is_the_product_with_the_assignment(n_threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_module, "SMALL", 10)  # many ranges
    rng = np.random.default_rng(0)
    dense = [random_matrix(rng, 60, 0.2), random_matrix(rng, 60, 0.1, weighted=True, loops=True)]
    labels = rng.permutation(np.arange(60) % 7).astype(np.int32)
    s = np.eye(7)[labels]
    level = contract(stack([sp.csr_array(m) for m in dense], n_threads), labels, 7, n_threads)
    for j, matrix in enumerate(dense):
        np.testing.assert_allclose(_dense(level, j), s.T @ matrix @ s, rtol=1e-6)
        np.testing.assert_allclose(level.degrees[:, j], s.T @ matrix.sum(axis=1))
    np.testing.assert_array_equal(level.sizes, s.sum(axis=0))


def test_contraction_adds_counts_beyond_float32_exactly_on_the_diagonal() -> None:
    big = np.full((4, 4), 2.0**24)
    np.fill_diagonal(big, 0)
    level = stack([sp.csr_array(big + np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]) * 0)])
    coarse = contract(level, np.array([0, 0, 0, 1], np.int32), 2)
    assert coarse.loops[0, 0] == 6 * 2.0**24
