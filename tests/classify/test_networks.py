"""The deep network: every pool, every graph by itself, merged nodes, and its normalisation against torch's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from classify.conftest import make_graphs
from classify.data.test_disjoint_union import outcome
from hoscpool import GraphClassifier
from hoscpool.classify import collate, grid_of
from hoscpool.classify.architecture import Settings, resolve_settings
from hoscpool.classify.networks import NodeNorm, make_network, quiet_pools
from hoscpool.nn import GraphBatch, list_pools

QUICK: dict[str, Any] = {"architecture": "deep", "hidden": 8, "max_epochs": 1, "batch_size": 16, "random_state": 0}


def settings(**options: Any) -> Settings:
    return resolve_settings(GraphClassifier(**{**QUICK, **options}).get_params(deep=False))


@pytest.mark.parametrize("pooling", list_pools())
def test_every_pool_trains_and_scores(pooling: str) -> None:
    graphs = make_graphs(12)
    model = GraphClassifier(pooling, **QUICK).fit(graphs)
    assert np.isfinite(model.history_["task_loss"]).all()
    assert model.predict_proba(graphs).shape == (len(graphs), 2)
    assert len(model.network_.encoders) == 4


def test_it_learns_what_is_plain_to_see() -> None:
    graphs = make_graphs()
    longer = {**QUICK, "max_epochs": 40, "learning_rate": 1e-2}
    model = GraphClassifier(**longer, encoder="gin").fit(graphs, validation=graphs)
    assert model.score(graphs) > 0.9


@pytest.mark.parametrize("pooling", ["hosc", "none", "gmt", "sag"])
def test_the_prediction_of_a_graph_does_not_depend_on_its_batch(pooling: str) -> None:
    graphs = make_graphs()
    model = GraphClassifier(pooling, **QUICK, encoder="gin").fit(graphs)
    alone = np.concatenate([model.predict_proba([data]) for data in graphs])
    np.testing.assert_allclose(model.predict_proba(graphs), alone, atol=1e-5)


def test_the_order_of_nodes_does_not_matter() -> None:
    graphs, rng = make_graphs(8), torch.Generator().manual_seed(1)
    model = GraphClassifier(**QUICK, encoder="gin").fit(make_graphs())
    moved = []
    for data in graphs:
        nodes = torch.randperm(data.num_nodes, generator=rng)
        place = torch.empty_like(nodes).scatter_(0, nodes, torch.arange(len(nodes)))
        moved.append(Data(x=data.x[nodes], edge_index=place[data.edge_index], y=data.y))
    np.testing.assert_allclose(model.predict_proba(moved), model.predict_proba(graphs), atol=1e-5)


@pytest.mark.parametrize("pooling", ["hosc", "hp-2", "mincut", "none"])
def test_merged_nodes_give_the_same_losses_and_gradients(pooling: str) -> None:
    how, found = settings(pooling=pooling, encoder="gin", ratio=0.7), collate(make_graphs(width=0))
    for own, other in zip(outcome(found, how, 0), outcome(found, how, how.merge_depth), strict=True):
        torch.testing.assert_close(own, other, rtol=1e-7, atol=1e-9)


def test_degrees_are_seen_without_features() -> None:
    """Rings of four and complete graphs of four: a constant feature, and degrees of 2 and 3."""
    how = settings(pooling="none", encoder="gin")
    ring = torch.tensor([[0, 1, 2, 3, 1, 2, 3, 0], [1, 2, 3, 0, 0, 1, 2, 3]])
    clique = torch.tensor([(i, j) for i in range(4) for j in range(4) if i != j]).T
    found = collate([Data(edge_index=index, y=torch.tensor([0]), num_nodes=4) for index in (ring, clique)])
    logits = make_network(1, 2, (1, 1), how, 0)(found.batch(np.array([0, 1]), ())).logits.detach()
    assert float((logits[0] - logits[1]).abs().max()) > 1e-3


def test_every_parameter_has_a_gradient() -> None:
    how, found = settings(encoder="gin"), collate(make_graphs())
    network = make_network(3, 2, how.clusters(found.sizes), how, 0)
    with quiet_pools():
        out = network(found.batch(np.arange(len(found)), how.motif_names))
    (out.logits.square().sum() + out.loss).backward()
    assert [name for name, parameter in network.named_parameters() if parameter.grad is None] == []


@pytest.mark.parametrize(
    ("n_pools", "n_layers", "layers"), [(2, 4, (2, 1, 1)), (1, 4, (2, 2)), (2, 3, (1, 1, 1)), (0, 4, (4,))]
)
def test_layers_are_spread_over_the_levels(n_pools: int, n_layers: int, layers: tuple[int, ...]) -> None:
    found = settings(n_pools=n_pools, n_layers=n_layers, pooling="hosc" if n_pools else "none")
    assert found.layers == layers
    assert settings(architecture="paper").layers == (1, 1, 1)


def test_settings() -> None:
    assert (settings(max_epochs=None).max_epochs, settings().patience) == (1000, 500)
    paper = settings(architecture="paper", max_epochs=None)
    assert (paper.max_epochs, paper.patience) == (500, 100)
    assert settings(patience=7).patience == 7
    assert "skip_readout" not in grid_of("hosc", "deep")
    with pytest.raises(ValueError, match="n_layers: expected a whole number ≥ 3, got 2"):
        settings(n_layers=2)
    with pytest.raises(ValueError, match="skip_readout: a deep network reads the output of every layer anyway"):
        settings(skip_readout=True)
    with pytest.raises(ValueError, match="architecture: expected one of 'paper', 'deep', got 'wide'"):
        settings(architecture="wide")


def batch_of(x: torch.Tensor, counts: torch.Tensor | None = None) -> GraphBatch:
    return GraphBatch(x, torch.zeros(len(x), dtype=torch.int64), (len(x),), counts=counts)


def test_rows_that_stand_for_several_nodes_are_normalised_as_these_nodes() -> None:
    x, counts = torch.randn(5, 3, dtype=torch.float64), torch.tensor([1.0, 4.0, 2.0, 1.0, 7.0], dtype=torch.float64)
    ours, theirs = (cls(3).double() for cls in (NodeNorm, torch.nn.BatchNorm1d))
    found = ours.normalise(batch_of(x, counts))  # type: ignore[operator]
    expected = theirs(x.repeat_interleave(counts.long(), dim=0))
    torch.testing.assert_close(found.repeat_interleave(counts.long(), dim=0), expected)
    for name in ("running_mean", "running_var", "num_batches_tracked"):
        torch.testing.assert_close(getattr(ours, name), getattr(theirs, name))


def test_one_row_is_normalised_with_the_running_values() -> None:
    norm = NodeNorm(3)
    assert bool(norm.normalise(batch_of(torch.randn(1, 3))).isfinite().all())
