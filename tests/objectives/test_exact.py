from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch

import hoscpool as hp
import oracles_objectives as oracle
from hoscpool.objectives import exact, exact_motif_cut_loss, exactly_two, motif_cut_loss

FOUR = ("star4", "path4", "tailed-triangle", "cycle4", "diamond", "clique4")
GRAPH = nx.gnp_random_graph(9, 0.5, seed=3)


@pytest.mark.parametrize("motif", FOUR)
def test_identity_of_the_appendix_on_hard_assignments(motif: str) -> None:
    """cut_M = ⅓ cut in G_M − ⅓ Σ_v 1{exactly two of v inside}, with every part counted from its definition."""
    instances, A = hp.motif_instances(GRAPH, motif), hp.motif_adjacency(GRAPH, motif).toarray()
    assert len(instances)
    for labels in np.random.default_rng(0).integers(0, 3, (10, 9)):
        s = torch.from_numpy(oracle.hard(labels.tolist(), 3))
        two = exactly_two(torch.from_numpy(instances), s)
        for k in range(3):
            cut, vol = oracle.motif_cut_by_counting(instances, labels, k)
            cut_in_motif_graph = A[labels == k][:, labels != k].sum()
            counted = sum((labels[v] == k).sum() == 2 for v in instances)
            assert two[k].item() == counted
            assert 3 * cut == cut_in_motif_graph - counted
            assert 3 * vol == A[labels == k].sum()


@pytest.mark.parametrize("motif", FOUR)
def test_loss_on_hard_assignments_is_the_motif_conductance(motif: str) -> None:
    instances = hp.motif_instances(GRAPH, motif)
    labels = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    counts = [oracle.motif_cut_by_counting(instances, labels, k) for k in range(3)]
    conductance = np.mean([cut / vol for cut, vol in counts if vol])
    loss = exact_motif_cut_loss(instances, torch.from_numpy(oracle.hard(labels.tolist(), 3)))
    assert loss.item() == pytest.approx(conductance - 1)


@pytest.mark.parametrize("motif", ["edge", "triangle", "wedge", *FOUR])
def test_soft_assignments_are_expectations(motif: str, draw: Any) -> None:
    instances, s = hp.motif_instances(GRAPH, motif)[:20], draw.assignment(9, 3)
    assert exact_motif_cut_loss(instances, s).item() == pytest.approx(oracle.expected_exact(instances, s.numpy()))


@pytest.mark.parametrize("motif", FOUR)
def test_soft_identity_with_the_relaxation(motif: str, draw: Any) -> None:
    """The exact loss is the loss on A_M minus (1/K) Σ_k E[exactly two] / vol of G_M."""
    instances, A, s = hp.motif_instances(GRAPH, motif), hp.motif_adjacency(GRAPH, motif), draw.assignment(9, 3)
    volume = torch.from_numpy(A.sum(axis=1)).double() @ s
    correction = (exactly_two(torch.from_numpy(instances), s) / volume).mean()
    torch.testing.assert_close(exact_motif_cut_loss(instances, s), motif_cut_loss(A, s) - correction)


@pytest.mark.parametrize("motif", ["edge", "triangle"])
def test_two_and_three_nodes_need_no_correction(motif: str, draw: Any) -> None:
    s = draw.assignment(9, 3)
    loss = exact_motif_cut_loss(hp.motif_instances(GRAPH, motif), s)
    torch.testing.assert_close(loss, motif_cut_loss(hp.motif_adjacency(GRAPH, motif), s))


@pytest.mark.parametrize("chunk", [1, 1 << 22])
def test_gradients(chunk: int, draw: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_CHUNK", chunk)
    instances, s = hp.motif_instances(GRAPH, "cycle4"), draw.assignment(9, 3).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: exact_motif_cut_loss(instances, s), s)
    hard = torch.from_numpy(oracle.hard([0] * 5 + [1] * 4, 2)).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: exact_motif_cut_loss(instances, s), hard)


def test_a_batch_is_the_mean_over_its_graphs(draw: Any) -> None:
    instances, s = hp.motif_instances(GRAPH, "path4"), draw.assignment(18, 3)
    both = np.concatenate([instances, instances + 9])
    alone = torch.stack([exact_motif_cut_loss(instances, s[:9]), exact_motif_cut_loss(instances, s[9:])])
    batch = torch.arange(18) // 9
    torch.testing.assert_close(exact_motif_cut_loss(both, s, batch), alone.mean())
    order = torch.randperm(18, generator=torch.Generator().manual_seed(0))
    place = torch.empty_like(order).index_copy(0, order, torch.arange(18))
    torch.testing.assert_close(exact_motif_cut_loss(place[both], s[order], batch[order]), alone.mean())


def test_no_instance() -> None:
    s = torch.full((3, 2), 0.5, requires_grad=True)
    loss = exact_motif_cut_loss(np.empty((0, 4), np.int64), s)
    torch.autograd.backward(loss)
    assert loss.item() == 0
    assert s.grad is not None
    assert not s.grad.any()


BAD: dict[str, tuple[Any, Any, str]] = {
    "floats": ([[0.5, 1.0]], None, r"instances: expected integers of shape \[n, m ≥ 2\], got torch.float32 \[1, 2\]"),
    "one node": ([[0], [1]], None, r"got torch.int64 \[2, 1\]"),
    "too large": ([[0, 4]], None, "instances: expected node numbers from 0 to 3, got 0 to 4"),
    "negative": ([[-1, 2]], None, "instances: expected node numbers from 0 to 3, got -1 to 2"),
    "two graphs": ([[0, 3]], torch.tensor([0, 0, 1, 1]), "expected every instance within one graph of the batch"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name: str) -> None:
    instances, batch, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        exact_motif_cut_loss(instances, torch.full((4, 2), 0.5), batch)
