"""Sparse features multiply as dense ones do, and pass gradients on."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hoscpool.cluster.sparse_features import SparseTable


@pytest.mark.parametrize(("rows", "columns"), [(5, 4), (1, 3), (0, 2), (3, 0), (2500, 7)])
@pytest.mark.parametrize("binary", [False, True])
def test_a_sparse_table_multiplies_and_passes_gradients_on(rows: int, columns: int, binary: bool) -> None:
    rng = np.random.default_rng(rows)
    x = ((rng.random((rows, columns)) < 0.5) * (1 if binary else rng.random((rows, columns)))).astype(np.float32)
    table, weights = SparseTable(sp.csr_array(x)), torch.tensor(rng.random((rows, 2)), dtype=torch.float32)
    sparse, dense = (torch.full((columns, 2), 0.5, requires_grad=True) for _ in range(2))
    one, other = table @ sparse, torch.from_numpy(x) @ dense
    torch.testing.assert_close(one, other)
    for product in (one, other):
        (product * weights).sum().backward()  # type: ignore[no-untyped-call]
    torch.testing.assert_close(sparse.grad, dense.grad, rtol=1e-5, atol=1e-5)


def test_entries_stored_twice_are_added_up() -> None:
    twice = sp.coo_array((np.ones(4), ([0, 0, 1, 1], [0, 0, 0, 1])), shape=(2, 2))
    product = SparseTable(twice) @ torch.eye(2)
    assert product.tolist() == [[2, 0], [1, 1]]


def test_a_long_table_is_cut_into_pieces() -> None:
    rng = np.random.default_rng(0)
    x = sp.csr_array((rng.random((2500, 7)) < 0.5) * rng.random((2500, 7)))
    assert [len(SparseTable(table).pieces) for table in (x, x[:1024], x[:0])] == [3, 1, 1]
    gradient = torch.tensor(rng.random((2500, 3)), dtype=torch.float32)
    expected = torch.tensor(x.toarray().T).float() @ gradient
    torch.testing.assert_close(SparseTable(x).transposed_product(gradient), expected, rtol=1e-5, atol=1e-5)
