from __future__ import annotations

import multiprocessing
import warnings

import pytest
import scipy.sparse as sp
import torch

from hoscpool.objectives.operators import product
from hoscpool.objectives.operators.conversion import as_adjacency
from hoscpool.objectives.operators.product import Csr, multiply
from hoscpool.objectives.operators.storage import SparseAdjacency


def csr_of(A: torch.Tensor, dtype: torch.dtype) -> Csr:
    adjacency = as_adjacency(sp.csr_array(A.numpy()), dtype=dtype)
    assert isinstance(adjacency, SparseAdjacency)
    return adjacency.matrix


def random_matrix(size: int, weighted: bool) -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    upper = (torch.rand(size, size, generator=generator) < 0.2).double().triu(1)
    if weighted:
        upper = upper * (0.5 + torch.rand(size, size, generator=generator).double())
    return upper + upper.T


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 8, 12, 16, 24, 31, 63, 64, 65, 130])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_the_dense_product(columns: int, dtype: torch.dtype, weighted: bool) -> None:
    A = random_matrix(40, weighted)
    dense = torch.randn(40, columns, dtype=dtype, generator=torch.Generator().manual_seed(1))
    matrix = csr_of(A, dtype)
    assert (matrix.values is None) == (not weighted)
    torch.testing.assert_close(multiply(matrix, dense), A.to(dtype) @ dense)


@pytest.mark.parametrize("columns", [3, 16, 40])
@pytest.mark.parametrize("weighted", [False, True])
def test_prefetching_changes_nothing(columns: int, weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = csr_of(random_matrix(40, weighted), torch.float32)
    dense = torch.randn(40, columns, generator=torch.Generator().manual_seed(1))
    near = multiply(matrix, dense)
    monkeypatch.setattr(product, "NEAR", 0)
    assert torch.equal(multiply(matrix, dense), near)


def test_half_precision_is_computed_in_single() -> None:
    A = random_matrix(40, weighted=True)
    dense = torch.rand(40, 3, generator=torch.Generator().manual_seed(1)).half()
    result = multiply(csr_of(A, torch.float32), dense)
    assert result.dtype == torch.float16
    torch.testing.assert_close(result, (A.float() @ dense.float()).half())


def test_rows_that_are_not_contiguous() -> None:
    A = random_matrix(20, weighted=True)
    dense = torch.randn(8, 20, dtype=torch.float64).T
    torch.testing.assert_close(multiply(csr_of(A, torch.float64), dense), A @ dense)


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    A = random_matrix(200, weighted=True)
    dense = torch.randn(200, 7, generator=torch.Generator().manual_seed(1))
    matrix = csr_of(A, torch.float32)
    alone = multiply(matrix, dense)
    monkeypatch.setattr(product, "WORTH_A_THREAD", 0)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    assert torch.equal(multiply(matrix, dense), alone)


def _in_child(A: torch.Tensor) -> None:
    assert multiply(csr_of(A, torch.float64), torch.ones(len(A), 1, dtype=torch.float64)).shape == (len(A), 1)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(product, "WORTH_A_THREAD", 0)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    A = random_matrix(50, weighted=False)
    _in_child(A)
    child = multiprocessing.get_context("fork").Process(target=_in_child, args=(A,))
    child.start()
    child.join(60)
    child.kill()  # one that waits for threads it does not have would wait for ever
    assert child.exitcode == 0


def test_no_rows_and_no_entries() -> None:
    assert multiply(csr_of(torch.zeros(0, 0), torch.float32), torch.zeros(0, 3)).shape == (0, 3)
    assert not multiply(csr_of(torch.zeros(5, 5), torch.float32), torch.ones(5, 3)).any()


def test_the_torch_engine_of_other_devices_agrees() -> None:
    A = random_matrix(30, weighted=True)
    for weights in (A, (A > 0).double()):
        matrix = csr_of(weights, torch.float64)
        dense = torch.randn(30, 5, dtype=torch.float64)
        torch.testing.assert_close(
            torch.sparse.mm(matrix.to_torch(torch.float64, len(dense)), dense), multiply(matrix, dense)
        )


def test_torch_does_not_speak_of_its_beta_state() -> None:
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            csr_of(torch.ones(2, 2), torch.float32).to_torch(torch.float32, 2)
    finally:
        torch.set_warn_always(False)
