from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool import as_graph
from hoscpool.support.errors import GraphWarning


def test_stored_zeros_are_no_edges() -> None:
    matrix = sp.csr_array(([1.0, 1.0, 0.0], ([0, 1, 1], [1, 0, 2])), shape=(3, 3))
    with pytest.warns(GraphWarning, match="1 edge of weight 0 was dropped"):
        assert as_graph(matrix).num_edges == 1


def test_repeated_entries_of_csr_are_summed() -> None:
    matrix = sp.csr_array(([1.0, 1.0], [1, 1], [0, 2, 2]), shape=(2, 2))
    with pytest.warns(GraphWarning, match="1 repeated edge was merged and the weights summed"):
        assert as_graph(matrix, directed=True).adjacency[0, 1] == 2


def test_unsorted_csr() -> None:
    matrix = sp.csr_array(([2.0, 1.0, 1.0, 2.0], [2, 1, 0, 0], [0, 2, 3, 4]), shape=(3, 3))
    np.testing.assert_array_equal(as_graph(matrix).adjacency.toarray(), [[0, 1, 2], [1, 0, 0], [2, 0, 0]])
    assert matrix.indices.tolist() == [2, 1, 0, 0]  # the caller's matrix is not sorted in place


def test_the_callers_matrix_stays_writable_and_apart() -> None:
    matrix = sp.csr_array([[0, 2.0], [2.0, 0]])
    graph = as_graph(matrix)
    matrix.data[:] = 9
    matrix.indices[:] = 0
    assert graph.adjacency[0, 1] == 2


@pytest.mark.parametrize("index", [[5, 0], [-1, 0]])
@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_array])
def test_altered_index_arrays_do_not_reach_compiled_code(form: Any, index: list[int]) -> None:
    matrix = form([[0, 1], [1, 0]])
    matrix.indices[:] = index
    with pytest.raises(ValueError, match="index arrays are inconsistent"):
        as_graph(matrix)


def test_large_dense_asymmetry_is_reported() -> None:
    with pytest.warns(GraphWarning, match="read as directed"):
        assert as_graph(np.triu(np.ones((5, 5)), 1)).is_directed
