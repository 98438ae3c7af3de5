from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import hoscpool as hp
import oracles
from hoscpool.objectives import as_adjacency, link_prediction_loss, motif_cut_loss, wedge_operator


@pytest.mark.parametrize("density", [0.1, 0.5, 1.0])
def test_is_the_wedge_adjacency(storage: Callable[..., Any], draw: Any, density: float) -> None:
    A = draw.adjacency(9, density)
    operator = wedge_operator(storage(A), dtype=torch.float64)
    entries = operator @ torch.eye(9, dtype=torch.float64)
    torch.testing.assert_close(entries, torch.from_numpy(oracles.motif_adjacency(A, "wedge", induced=False)))
    torch.testing.assert_close(operator.degree, entries.sum(1))


def test_equals_the_library_matrix_on_karate() -> None:
    graph = hp.datasets.load("karate")
    matrix = hp.motif_adjacency(graph, "wedge")
    s = torch.softmax(torch.randn(34, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)), 1)
    torch.testing.assert_close(wedge_operator(graph).to(torch.float64) @ s, torch.from_numpy(matrix @ s.numpy()))
    torch.testing.assert_close(motif_cut_loss(wedge_operator(graph), s), motif_cut_loss(matrix, s))


def test_diagonal_and_stored_zeros_are_no_edges() -> None:
    matrix = sp.coo_array((np.array([5.0, 2.0, 2.0, 0.0, 0.0]), ([0, 0, 1, 1, 2], [0, 1, 0, 2, 1])), shape=(3, 3))
    assert wedge_operator(matrix).is_empty
    assert wedge_operator(torch.from_numpy(matrix.toarray())).is_empty


def test_gradients(draw: Any) -> None:
    operator = wedge_operator(sp.csr_array(draw.adjacency(7)), dtype=torch.float64)
    s = draw.assignment(7, 3).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: operator @ s, s)
    assert torch.autograd.gradcheck(lambda s: motif_cut_loss(operator, s), s)


def test_batch_and_mask_are_kept() -> None:
    tensor, mask = torch.ones(2, 3, 3), torch.tensor([[True] * 3, [True, True, False]])
    operator = wedge_operator(as_adjacency(tensor, mask=mask))
    assert operator.degree.tolist() == [6.0] * 3 + [0.0] * 3
    assert operator.batch is not None
    assert operator.mask is not None


def test_has_no_entries() -> None:
    operator = wedge_operator(torch.ones(3, 3))
    with pytest.raises(ValueError, match=r"got the wedge operator; pass hoscpool.motif_adjacency"):
        link_prediction_loss(operator, torch.ones(3, 1))
    with pytest.raises(TypeError, match="expected a matrix with entries, got WedgeAdjacency"):
        wedge_operator(operator)
