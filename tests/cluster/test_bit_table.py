"""Products by lookup against dense ones."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch import Tensor

from hoscpool.cluster.bit_table import BitTable
from hoscpool.objectives.operators import product


def ones(rows: int, columns: int, share: float = 0.4) -> Tensor:
    return (torch.rand(rows, columns, generator=torch.Generator().manual_seed(rows)) < share).double()


def table_of(x: Tensor) -> BitTable:
    return BitTable(sp.csr_array(x.numpy()))


def dense(rows: int, columns: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(rows, columns, dtype=dtype, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("rows", [0, 1, 31, 32, 33, 70])
@pytest.mark.parametrize("columns", [0, 1, 4, 31, 32, 33, 100])
def test_both_products_are_the_dense_ones(rows: int, columns: int) -> None:
    x = ones(rows, columns)
    table, theta, gradient = table_of(x), dense(columns, 32), dense(rows, 32)
    torch.testing.assert_close(table.product(theta), x @ theta)
    torch.testing.assert_close(table.transposed_product(gradient), x.T @ gradient)


@pytest.mark.parametrize("width", [0, 1, 10, 32, 50, 64])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_any_number_of_columns(width: int, dtype: torch.dtype) -> None:
    x, theta = ones(40, 37), dense(37, width, dtype)
    found = table_of(x).product(theta)
    assert found.is_contiguous()
    assert found.dtype == dtype
    torch.testing.assert_close(found, x.to(dtype) @ theta)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_no_ones_and_nothing_but_ones(share: float) -> None:
    x, theta = ones(9, 13, share), dense(13, 32)
    torch.testing.assert_close(table_of(x).product(theta), x @ theta)


def test_rows_that_are_not_selected_do_not_count() -> None:
    x = torch.zeros(3, 5, dtype=torch.float64)
    x[1, 2] = 1
    theta = torch.full((5, 32), np.inf, dtype=torch.float64)
    theta[2] = 7
    assert table_of(x).product(theta)[:, 0].tolist() == [0, 7, 0]


def test_rows_that_are_not_contiguous() -> None:
    x, theta = ones(20, 8), dense(32, 8).T
    torch.testing.assert_close(table_of(x).product(theta), x @ theta)


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table, theta = table_of(ones(50, 40)), dense(40, 64)
    alone = table.product(theta)
    monkeypatch.setattr(product, "WORTH_A_THREAD", 0)
    for threads in (2, 3, 100):
        monkeypatch.setattr(torch, "get_num_threads", lambda threads=threads: threads)
        assert torch.equal(table.product(theta), alone)
