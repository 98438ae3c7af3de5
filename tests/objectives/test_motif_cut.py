from __future__ import annotations

import pytest
import scipy.sparse as sp
import torch

import hoscpool as hp
from hoscpool.objectives import as_adjacency, mincut_loss, motif_cut_loss


def test_the_edge_cut_and_the_motif_cut_are_one_formula() -> None:
    graph = hp.datasets.load("karate")
    s = torch.softmax(torch.randn(34, 4, generator=torch.Generator().manual_seed(0)), 1)
    assert motif_cut_loss(graph, s) == motif_cut_loss(hp.motif_adjacency(graph, "edge"), s)


def test_scaling_the_weights_changes_nothing() -> None:
    A = torch.tensor([[0.0, 1, 2], [1, 0, 0], [2, 0, 0]])
    s = torch.softmax(torch.randn(3, 2, generator=torch.Generator().manual_seed(0)), 1)
    torch.testing.assert_close(motif_cut_loss(100 * A, s), motif_cut_loss(A, s))


def test_the_diagonal_volume_has_a_useless_optimum() -> None:
    """The diagonal form prefers the uniform assignment to the two halves of the graph; the soft form does not."""
    pieces = sp.csr_array(sp.block_diag([torch.ones(5, 5).numpy()] * 2))
    bridge = sp.coo_array(([1.0, 1.0], ([4, 5], [5, 4])), shape=(10, 10))
    adjacency = as_adjacency(pieces + bridge)
    uniform = torch.full((10, 2), 0.5)
    assert motif_cut_loss(adjacency, uniform, volume="diagonal").item() == pytest.approx(-1)
    truth = torch.eye(2)[torch.arange(10) // 5]
    assert motif_cut_loss(adjacency, truth, volume="diagonal") > motif_cut_loss(adjacency, uniform, volume="diagonal")
    assert motif_cut_loss(adjacency, truth) < motif_cut_loss(adjacency, uniform)


def test_it_is_not_the_trace_ratio() -> None:
    """One cluster for all is perfect for MinCutPool's ratio, and half as good as possible here."""
    A, collapsed = torch.ones(4, 4) - torch.eye(4), torch.tensor([[1.0, 0.0]] * 4)
    assert mincut_loss(A, collapsed).item() == -1
    assert motif_cut_loss(A, collapsed).item() == -0.5


def test_learns_two_communities() -> None:
    graph = hp.datasets.load("karate")
    adjacency = as_adjacency(graph)
    logits = (0.1 * torch.randn(34, 2, generator=torch.Generator().manual_seed(1))).requires_grad_()
    optimizer = torch.optim.Adam([logits], lr=0.1)
    for _ in range(200):
        optimizer.zero_grad()
        loss = motif_cut_loss(adjacency, torch.softmax(logits, 1))
        torch.autograd.backward(loss)
        optimizer.step()
    assert loss.item() < -0.8
    assert set(logits.argmax(1).tolist()) == {0, 1}
