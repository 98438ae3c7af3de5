"""A cut does not depend on the scale of the weights, also that of a motif, whose weights are products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch_geometric.data import Batch, Data

from hoscpool.graph import as_graph
from hoscpool.nn import AddMotifs, HoscPool, motifs_of
from hoscpool.nn.batch.motif_matrices import scale_dense, scale_weights
from nn.cases import Case, as_case, padded, random_case

SCALES = [1e-30, 1e-14, 1e-5, 3e4, 1e12, 5e12, 1e20, 1e36]
MOTIFS = {"edge": 0.25, "triangle": 0.25, "wedge": 0.25, "clique4": 0.25}


def scaled(case: Case, *scales: float) -> Case:
    """The same graphs, each with its weights times a constant."""
    matrices = [scale * A for scale, A in zip(scales, case.matrices, strict=True)]
    return as_case(matrices, case.features, weighted=True, dtype=case.x.dtype)


@pytest.fixture
def case() -> Case:
    return random_case(sizes=(7, 6), weighted=True, dtype=torch.float32)


def losses(pool: HoscPool, x: Tensor, **graph: Any) -> Tensor:
    return torch.stack(list(pool(x, **graph).losses.values()))


@pytest.mark.parametrize("scale", SCALES)
def test_edges(case: Case, scale: float) -> None:
    pool, other = HoscPool(6, 3, MOTIFS), scaled(case, scale, 2.0)  # graphs of different scales in one batch
    torch.testing.assert_close(losses(pool, case.x, **other.arguments), losses(pool, case.x, **case.arguments))


@pytest.mark.parametrize("scale", SCALES)
def test_dense_with_the_gradient_of_the_weights(case: Case, scale: float) -> None:
    pool = HoscPool(6, 3, MOTIFS)
    x, adjacency, mask = padded(case)
    factor = torch.tensor([scale, 2.0]).view(2, 1, 1)
    plain, other = adjacency.requires_grad_(), (factor * adjacency.detach()).requires_grad_()
    expected, found = (losses(pool, x, adjacency=A, mask=mask) for A in (plain, other))
    torch.testing.assert_close(found, expected)
    slopes = [torch.autograd.grad(loss[1], A)[0] for loss, A in ((expected, plain), (found, other))]
    torch.testing.assert_close(slopes[1] * factor, slopes[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("scale", [1e-14, 1e20])
def test_matrices_that_come_with_the_batch(case: Case, scale: float) -> None:
    pool = HoscPool(6, 3, {"triangle": 1.0})

    def loss(other: Case) -> Tensor:
        rows = [np.nonzero(A) for A in other.matrices]
        graphs = [
            Data(
                x=torch.from_numpy(X).float(),
                edge_index=torch.from_numpy(np.stack(row)),
                edge_weight=torch.from_numpy(A[row]).float(),
            )
            for A, X, row in zip(other.matrices, other.features, rows, strict=True)
        ]
        batch = Batch.from_data_list([AddMotifs()(data) for data in graphs])
        return losses(pool, batch.x, **other.arguments, motifs=motifs_of(batch))

    torch.testing.assert_close(loss(scaled(case, scale, 2.0)), loss(case))


def test_a_heavy_diagonal_is_no_scale() -> None:
    weights = torch.full((1, 3, 3), 1e-20) + 1e20 * torch.eye(3)
    off = ~torch.eye(3, dtype=torch.bool)
    assert scale_dense(weights)[0][off].tolist() == [1.0] * 6


def test_ordinary_weights_are_left_alone() -> None:
    A = np.array([[0, 1e4], [1e4, 0]])
    graph, adjacency = as_graph(A), torch.from_numpy(A).unsqueeze(0)
    assert scale_weights(graph, np.zeros(2, dtype=np.int64)) is graph
    assert scale_dense(adjacency) is adjacency
    assert scale_dense(0 * adjacency).eq(0).all()
    empty = torch.zeros(0, 3, 3)
    assert scale_dense(empty) is empty
