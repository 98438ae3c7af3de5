"""What holds for every loss: it is its oracle, in any storage, batched or not, in any order of the nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hoscpool.objectives import as_adjacency
from objectives_table import NAMES, ON_ADJACENCY, ON_ASSIGNMENT, compute, expected


@pytest.mark.parametrize("name", ON_ADJACENCY)
def test_every_storage_gives_the_oracle(name: str, storage: Callable[..., Any], draw: Any) -> None:
    A, s = draw.adjacency(10), draw.assignment(10, 3)
    loss = compute(name, storage(A), s)
    assert loss.shape == ()
    assert loss.item() == pytest.approx(expected(name, A, s.numpy()), abs=1e-12)


@pytest.mark.parametrize("clusters", [1, 2, 5, 12])
@pytest.mark.parametrize("name", NAMES)
def test_any_number_of_clusters(name: str, clusters: int, draw: Any) -> None:
    A, s = draw.adjacency(8), draw.assignment(8, clusters)
    assert compute(name, sp.csr_array(A), s).item() == pytest.approx(expected(name, A, s.numpy()), abs=1e-12)


class Batch:
    """Graphs of different sizes, one of them without nodes and one without edges."""

    def __init__(self, draw: Any, clusters: int = 3) -> None:
        sizes = (5, 0, 9, 1, 4)
        self.matrices = [draw.adjacency(size) for size in sizes]
        self.assignments = [draw.assignment(size, clusters) for size in sizes]
        self.batch = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
        self.flat = sp.csr_array(sp.block_diag(self.matrices))
        self.s = torch.cat(self.assignments)

    def padded(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Adjacency ``[B, n, n]``, assignment ``[B, n, K]`` and mask ``[B, n]``, padding full of numbers."""
        graphs, size = len(self.matrices), max(map(len, self.matrices))
        A, s = torch.full((graphs, size, size), 7.0).double(), torch.full((graphs, size, self.s.shape[1]), 0.3).double()
        mask = torch.zeros(graphs, size, dtype=torch.bool)
        for b, (matrix, assignment) in enumerate(zip(self.matrices, self.assignments, strict=True)):
            n = len(matrix)
            A[b, :n, :n], s[b, :n], mask[b, :n] = torch.from_numpy(matrix), assignment, True
        return A, s, mask


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_the_mean_over_its_graphs(name: str, draw: Any) -> None:
    graphs = Batch(draw)
    alone = [expected(name, A, s.numpy()) for A, s in zip(graphs.matrices, graphs.assignments, strict=True)]
    assert compute(name, graphs.flat, graphs.s, graphs.batch).item() == pytest.approx(np.mean(alone), abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_flat_and_padded_batches_agree_and_so_do_their_gradients(name: str, draw: Any) -> None:
    graphs = Batch(draw)
    A, s, mask = graphs.padded()
    flat, padded = graphs.s.requires_grad_(), s.requires_grad_()
    loss = compute(name, graphs.flat, flat, graphs.batch)
    if name in ON_ADJACENCY:
        dense_loss = ON_ADJACENCY[name][0](as_adjacency(A, mask=mask), padded)
    else:
        dense_loss = ON_ASSIGNMENT[name][0](padded, mask=mask)
    torch.testing.assert_close(dense_loss, loss)
    torch.autograd.backward(loss)
    torch.autograd.backward(dense_loss)
    assert flat.grad is not None
    assert padded.grad is not None
    torch.testing.assert_close(padded.grad[mask], flat.grad)
    assert not padded.grad[~mask].any()


@pytest.mark.parametrize("name", ON_ADJACENCY)
def test_flat_rows_of_a_padded_batch(name: str, draw: Any) -> None:
    A, s, mask = Batch(draw).padded()
    adjacency = as_adjacency(A, mask=mask)
    torch.testing.assert_close(compute(name, adjacency, s.flatten(0, 1)), compute(name, adjacency, s))


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_nodes_and_of_the_batch_does_not_matter(name: str, draw: Any) -> None:
    graphs = Batch(draw)
    order = torch.from_numpy(draw.rng.permutation(len(graphs.s)))
    shuffled = graphs.flat[order.numpy()][:, order.numpy()]
    straight = compute(name, graphs.flat, graphs.s, graphs.batch)
    torch.testing.assert_close(compute(name, shuffled, graphs.s[order], graphs.batch[order]), straight)


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_clusters_does_not_matter(name: str, draw: Any) -> None:
    A, s = sp.csr_array(draw.adjacency(8)), draw.assignment(8, 4)
    torch.testing.assert_close(compute(name, A, s[:, [2, 0, 3, 1]]), compute(name, A, s))


@pytest.mark.parametrize("name", NAMES)
def test_gradcheck(name: str, draw: Any) -> None:
    graphs = Batch(draw)
    adjacency = as_adjacency(graphs.flat, dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda s: compute(name, adjacency, s, graphs.batch), graphs.s.requires_grad_())


@pytest.mark.parametrize("name", ON_ADJACENCY)
def test_gradcheck_of_a_dense_matrix(name: str, draw: Any) -> None:
    half = torch.from_numpy(draw.adjacency(5, density=1.0) + np.eye(5)).requires_grad_()
    s = draw.assignment(5, 3).requires_grad_()
    assert torch.autograd.gradcheck(lambda A, s: compute(name, A + A.T, s), (half, s))
    assert torch.autograd.gradgradcheck(lambda A, s: compute(name, A + A.T, s), (half, s))


@pytest.mark.parametrize("name", NAMES)
def test_single_precision_is_close(name: str, draw: Any) -> None:
    A, s = draw.adjacency(30), draw.assignment(30, 4)
    single = compute(name, sp.csr_array(A), s.float())
    assert single.dtype == torch.float32
    assert single.item() == pytest.approx(expected(name, A, s.numpy()), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_no_graph_at_all(name: str) -> None:
    s = torch.zeros(0, 3, requires_grad=True)
    loss = compute(name, sp.csr_array((0, 0)), s, torch.zeros(0, dtype=torch.int64))
    assert loss.item() == 0
    assert compute(name, sp.csr_array((0, 0)), s).item() == 0
    torch.autograd.backward(loss)


@pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning")  # by torch.compile itself
@pytest.mark.parametrize("name", ON_ADJACENCY)
def test_compiles_into_one_graph(name: str, draw: Any) -> None:
    adjacency, s = as_adjacency(sp.csr_array(draw.adjacency(8))), draw.assignment(8, 3).float().requires_grad_()
    compiled = torch.compile(lambda s: compute(name, adjacency, s), fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(s), compute(name, adjacency, s))
    (slope,) = torch.autograd.grad(compiled(s), s)
    (plain,) = torch.autograd.grad(compute(name, adjacency, s), s)
    torch.testing.assert_close(slope, plain)
