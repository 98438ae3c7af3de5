"""The network is the paper's formula, sparse or dense, in one level or two."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from sklearn.linear_model import Ridge

from hoscpool.cluster.assignment_net import RIDGE, CentroidHead, LabelHead, make_network
from hoscpool.cluster.sparse_features import SparseTable
from hoscpool.graph import Graph
from hoscpool.nn.encoders import GCN
from hoscpool.objectives import as_adjacency


def test_one_level_is_the_papers_architecture(cliques: Graph) -> None:
    network = make_network(5, 32, (3,), message_passing=True, random_state=0)
    a, x = as_adjacency(cliques), torch.tensor(cliques.features)
    encoder, head = network.encoders[0], network.heads[0]
    assert isinstance(encoder, GCN)
    dense = torch.tensor(cliques.adjacency.toarray(), dtype=torch.float32)
    h = (dense @ x @ encoder.neighbours.weight.T + x @ encoder.skip.weight.T + encoder.neighbours.bias).relu()
    (found,) = network(x, a)
    torch.testing.assert_close(found, head(h).softmax(1))
    assert [tuple(p.shape) for p in head.parameters()] == [(32, 32), (32,), (3, 32), (3,)]


def test_sparse_features_give_the_same_values_and_gradients(cliques: Graph) -> None:
    network = make_network(5, 8, (3,), message_passing=True, random_state=0)
    a, gradients = as_adjacency(cliques), []
    for x in (torch.tensor(cliques.features), SparseTable(sp.csr_array(cliques.features))):
        network.zero_grad()
        (s,) = network(x, a)
        s[:, 0].sum().backward()
        gradients.append([s.detach(), *(p.grad.clone() for p in network.parameters() if p.grad is not None)])
    for dense, sparse in zip(*gradients, strict=True):
        torch.testing.assert_close(dense, sparse, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("message_passing", [True, False])
def test_two_levels_multiply(cliques: Graph, message_passing: bool) -> None:
    network = make_network(5, 8, (6, 2), message_passing=message_passing, random_state=0)
    first, both = network(torch.tensor(cliques.features), as_adjacency(cliques))
    assert (first.shape, both.shape) == ((24, 6), (24, 2))
    torch.testing.assert_close(both.sum(1), torch.ones(24))
    step = torch.linalg.lstsq(first.detach(), both.detach()).solution  # S = S₁S₂
    torch.testing.assert_close(first @ step, both, rtol=1e-3, atol=1e-4)


def test_parameters_come_from_the_seed_and_leave_the_global_generator_alone() -> None:
    before = torch.random.get_rng_state()
    one, same, other = (make_network(4, 8, (2,), message_passing=True, random_state=s) for s in (0, 0, 1))
    assert torch.equal(torch.random.get_rng_state(), before)
    weights = [network.heads[0][0].weight for network in (one, same, other)]  # type: ignore[index]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_it_is_ridge_regression_of_one_hot_labels() -> None:
    rng = np.random.default_rng(0)
    labels = np.concatenate([np.arange(3), rng.integers(0, 3, 47)])
    view = rng.normal(size=(50, 4)).astype(np.float32) + 2 * np.eye(3, 4, dtype=np.float32)[labels]
    head = LabelHead.fit(view, labels, 4)  # nobody is in the last cluster
    scores = np.maximum(Ridge(RIDGE * 50).fit(view, np.eye(4)[labels]).predict(view), 0)
    (found,) = head(torch.from_numpy(view))
    np.testing.assert_allclose(found.numpy(), scores / scores.sum(axis=1, keepdims=True), atol=1e-5)
    assert (found[:, 3].abs() < 1e-5).all()


@pytest.mark.parametrize("spread", [2.0, 1e-3, 0.0])
def test_the_largest_membership_is_the_nearest_centre(spread: float) -> None:
    rng = np.random.default_rng(0)
    points, centres = rng.normal(size=(200, 6)).astype(np.float32), rng.normal(size=(4, 6)).astype(np.float32)
    nearest = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    [s] = CentroidHead.of(centres, spread)(torch.from_numpy(points))
    np.testing.assert_array_equal(s.argmax(dim=1).numpy(), nearest)
    assert torch.isfinite(s).all()
    np.testing.assert_allclose(s.sum(dim=1).numpy(), 1, atol=1e-5)


def test_memberships_are_those_of_equal_gaussians() -> None:
    centres = np.array([[0.0], [1.0]], dtype=np.float32)
    [s] = CentroidHead.of(centres, 0.5)(torch.tensor([[0.25]]))
    weight = np.exp(-np.array([0.25**2, 0.75**2]) / 0.5)
    np.testing.assert_allclose(s[0].numpy(), weight / weight.sum(), rtol=1e-5)
