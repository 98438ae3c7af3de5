"""Every edge case of the design: the loss and its gradient are finite, whatever the graph."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import hoscpool as hp
from hoscpool.objectives import as_adjacency, exact_motif_cut_loss, hosc_loss, motif_cut_loss, wedge_operator
from objectives_table import NAMES, compute, expected


@st.composite
def graphs(draw: st.DrawFn) -> tuple[sp.csr_array, torch.Tensor, torch.Tensor | None]:
    """A symmetric matrix, logits, and maybe a batch: empty, isolated nodes, a diagonal, tiny or huge weights, K > N."""
    size, clusters = draw(st.integers(0, 8)), draw(st.integers(1, 10))
    weights = st.sampled_from([0.0, 0.0, 1.0, 2.5, 1e-20, 1e20, 1e-44])
    upper = np.triu(np.array(draw(st.lists(weights, min_size=size**2, max_size=size**2))).reshape(size, size))
    logits = st.lists(
        st.sampled_from([0.0, 1.0, -3.0, 40.0, -200.0]), min_size=size * clusters, max_size=size * clusters
    )
    values = torch.tensor(draw(logits)).reshape(size, clusters)
    numbers = st.lists(st.integers(0, 3), min_size=size, max_size=size)
    batch = draw(st.none() | numbers.map(lambda b: torch.tensor(b, dtype=torch.int64)))
    A = upper + np.triu(upper, 1).T
    if batch is not None:  # no edges between graphs
        A = A * (batch[:, None] == batch[None, :]).numpy()
    return sp.csr_array(A), values, batch


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(inputs=graphs())
def test_loss_and_gradient_are_finite(
    name: str, dtype: torch.dtype, inputs: tuple[sp.csr_array, torch.Tensor, torch.Tensor | None]
) -> None:
    matrix, logits, batch = inputs
    if name == "link_prediction":
        matrix.data = np.minimum(matrix.data, 10.0)  # it squares the weights
    logits = logits.to(dtype).requires_grad_()
    loss = compute(name, matrix, torch.softmax(logits, dim=1), batch)
    torch.autograd.backward(loss)
    assert torch.isfinite(loss)
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()


@settings(max_examples=60, deadline=None)
@given(inputs=graphs())
def test_the_cut_is_between_minus_1_and_0(inputs: tuple[sp.csr_array, torch.Tensor, torch.Tensor | None]) -> None:
    matrix, logits, batch = inputs
    s = torch.softmax(logits.double(), dim=1)
    for loss in (motif_cut_loss(matrix, s, batch), motif_cut_loss(matrix, s, batch, "diagonal")):
        assert -1 - 1e-12 <= loss.item() <= 0


@settings(max_examples=30, deadline=None)
@given(inputs=graphs())
def test_wedges_and_instances_are_finite_too(inputs: tuple[sp.csr_array, torch.Tensor, torch.Tensor | None]) -> None:
    matrix, logits, batch = inputs
    logits = logits.requires_grad_()
    s = torch.softmax(logits, dim=1)
    home = [0] * len(logits) if batch is None else batch.tolist()
    four = [v for v in combinations(range(len(home)), 4) if len({home[i] for i in v}) == 1]
    instances = np.array(four, dtype=np.int64).reshape(-1, 4)
    loss = motif_cut_loss(wedge_operator(matrix), s, batch) + exact_motif_cut_loss(instances, s, batch)
    torch.autograd.backward(loss)
    assert torch.isfinite(loss)
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()


def test_a_node_without_the_motif_adds_nothing() -> None:
    graph = hp.as_graph(sp.csr_array(np.array([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])))
    triangle = hp.motif_adjacency(graph, "triangle")  # node 3 hangs on node 0 and is in no triangle
    s = torch.softmax(torch.randn(4, 2, generator=torch.Generator().manual_seed(3)), 1)
    moved = s.clone()
    moved[3] = moved[3].flip(0)
    assert motif_cut_loss(triangle, s) == motif_cut_loss(triangle, moved)
    assert motif_cut_loss(graph, s) != motif_cut_loss(graph, moved)


def test_a_motif_without_instances_is_0() -> None:
    logits = torch.zeros(3, 2, requires_grad=True)
    adjacency = as_adjacency(
        hp.motif_adjacency(hp.as_graph(sp.csr_array(np.eye(3, k=1) + np.eye(3, k=-1))), "triangle")
    )
    assert adjacency.is_empty
    result = hosc_loss({"triangle": adjacency}, torch.softmax(logits, 1), mu=0.0)
    torch.autograd.backward(result.total)
    assert result.total.item() == 0
    assert logits.grad is not None
    assert not logits.grad.any()


def test_an_empty_cluster_contributes_0_but_is_divided_by() -> None:
    two_edges = sp.block_diag([np.array([[0, 1], [1, 0]])] * 2)
    perfect = torch.tensor([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    assert motif_cut_loss(two_edges, perfect).item() == -1
    with_empty = torch.cat([perfect, torch.zeros(4, 2)], dim=1)  # K = 4, two clusters unused
    assert motif_cut_loss(two_edges, with_empty).item() == -0.5


@pytest.mark.parametrize("name", NAMES)
def test_one_hot_assignments_have_finite_gradients(name: str) -> None:
    A = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    s = torch.tensor([[1.0, 0, 0], [1, 0, 0], [0, 1, 0]], requires_grad=True)  # cluster 2 is empty
    loss = compute(name, sp.csr_array(A), s)
    torch.autograd.backward(loss)
    assert loss.item() == pytest.approx(expected(name, A, s.detach().double().numpy()), abs=1e-6)
    assert s.grad is not None
    assert torch.isfinite(s.grad).all()


def test_more_clusters_than_nodes() -> None:
    s = torch.softmax(torch.randn(2, 5, generator=torch.Generator().manual_seed(0)), 1)
    assert -1 <= motif_cut_loss(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), s).item() <= 0
