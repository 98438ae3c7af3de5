from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from hoscpool import as_graph
from hoscpool.graph.converters.tensors import to_numpy
from hoscpool.support.errors import GraphWarning

DENSE = torch.tensor([[0.0, 2, 0], [2, 0, 1], [0, 1, 0]])


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.uint8]
)
@pytest.mark.parametrize("layout", ["to_dense", "to_sparse_coo", "to_sparse_csr", "to_sparse_csc"])
def test_every_dtype_and_layout(dtype: Any, layout: str) -> None:
    tensor = DENSE.to(dtype)
    graph = as_graph(tensor if layout == "to_dense" else getattr(tensor, layout)())
    np.testing.assert_array_equal(graph.adjacency.toarray(), DENSE.numpy())


def test_repeated_entries_are_reported() -> None:
    tensor = torch.sparse_coo_tensor(
        torch.tensor([[0, 0], [1, 1]]), torch.tensor([1.0, 2.0]), (2, 2), check_invariants=True
    )
    with pytest.warns(GraphWarning, match="1 repeated edge was merged and the weights summed"):
        graph = as_graph(tensor, directed=True)
    assert graph.adjacency[0, 1] == 3


def test_gradients_are_left_behind() -> None:
    assert as_graph(DENSE.clone().requires_grad_()).num_edges == 2


BAD = [
    (DENSE.to(torch.complex64), "adjacency: expected real numbers, got complex dtype"),
    (DENSE[:, :2], r"adjacency: expected a square matrix, got shape \(3, 2\)"),
    (torch.zeros(3), "got 1 dimensions"),
    (DENSE[:2, :2].to_sparse_bsr((1, 1)), "tensor: expected a dense, COO, CSR or CSC layout, got sparse_bsr"),
    (torch.ones(2, 2, 2).to_sparse(2), r"tensor: expected a sparse matrix of numbers, got .* \(2, 2, 2\)"),
    (torch.ones(2, 2, 2).to_sparse(3), "tensor: expected a sparse matrix of numbers"),
    (torch.tensor([[0, -1], [1, 0]]), "edge_index: node index -1 is out of range"),
    (torch.tensor([[0.0, -1], [1, 0]]), "weights: expected numbers ≥ 0"),
]


@pytest.mark.parametrize(("tensor", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_bad_tensors(tensor: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        as_graph(tensor)


def test_to_numpy_of_a_conjugate_view() -> None:
    tensor = torch.tensor([1 + 2j]).conj()
    np.testing.assert_array_equal(to_numpy(tensor), [1 - 2j])
