from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck

import oracles
from hoscpool.nn import dense_motif_adjacency
from nn.cases import random_matrix


@pytest.mark.parametrize("on_edges", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("name", list(oracles.UNDIRECTED))
def test_every_undirected_motif_against_enumeration(name: str, weighted: bool, on_edges: bool) -> None:
    rng = np.random.default_rng(3)
    matrices = np.stack([random_matrix(rng, 6, density, weighted) for density in (0.4, 0.7, 1.0)])
    found = dense_motif_adjacency(torch.from_numpy(matrices), name, on_edges=on_edges)
    for A, W in zip(matrices, found, strict=True):
        expected = oracles.motif_adjacency(A, name, induced=False, weights="product" if weighted else None)
        if on_edges:
            expected = expected * (A > 0)
        np.testing.assert_allclose(W.numpy(), expected, rtol=1e-10)


def test_triangle_is_a_squared_times_a() -> None:
    A = torch.from_numpy(random_matrix(np.random.default_rng(0), 9, 0.6, weighted=True)).unsqueeze(0)
    torch.testing.assert_close(dense_motif_adjacency(A, "triangle"), (A @ A) * A)


@pytest.mark.parametrize("name", ["triangle", "wedge", "clique4"])
def test_self_loops_are_no_part_of_an_instance(name: str) -> None:
    A = torch.from_numpy(random_matrix(np.random.default_rng(0), 6, 0.8)).unsqueeze(0)
    with_loops = A + torch.eye(6, dtype=A.dtype)
    torch.testing.assert_close(dense_motif_adjacency(with_loops, name), dense_motif_adjacency(A, name))


@pytest.mark.parametrize("name", ["triangle", "wedge", "path4", "clique4"])
def test_gradients(name: str) -> None:
    A = torch.from_numpy(random_matrix(np.random.default_rng(0), 4, 1.0, weighted=True)).unsqueeze(0).requires_grad_()
    assert gradcheck(lambda A: dense_motif_adjacency(A, name), (A,))


def test_directed_motifs_are_refused() -> None:
    with pytest.raises(ValueError, match="a dense adjacency has no directions, got M3"):
        dense_motif_adjacency(torch.ones(1, 3, 3), "M3")
