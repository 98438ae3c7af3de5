"""Features of edges reach a batch in the order of its edges, as PyG's own batch has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

from classify.conftest import make_graphs
from hoscpool import GraphClassifier
from hoscpool.classify import collate
from hoscpool.nn import make_encoder, seed_parameters

WIDTH = 3


def with_edges(graphs: list[Data], width: int = WIDTH, symmetric: bool = True) -> list[Data]:
    """Random features, the same in both directions of an edge or not; edges in random order."""
    rng = torch.Generator().manual_seed(0)
    for data in graphs:
        data.edge_index = data.edge_index[:, torch.randperm(data.edge_index.size(1), generator=rng)]
        one = torch.rand(data.num_nodes, data.num_nodes, width, generator=rng)
        table = one + one.transpose(0, 1) if symmetric else one
        data.edge_attr = table[data.edge_index[0], data.edge_index[1]]
    return graphs


def listed(index: torch.Tensor, features: torch.Tensor) -> dict[tuple[int, int], list[float]]:
    return {(int(i), int(j)): row.tolist() for (i, j), row in zip(index.T, features, strict=True)}


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("places", [[3], [5, 0, 17], list(range(35))])
def test_a_batch_has_the_features_of_its_edges(places: list[int], symmetric: bool) -> None:
    graphs = with_edges(make_graphs(), symmetric=symmetric)
    found = collate(graphs)[5:][::-1]
    assert found.num_edge_features == WIDTH
    batch = found.batch(np.array(places), (), edge_features=True)
    expected = Batch.from_data_list([graphs[5:][::-1][place] for place in places])
    assert batch.edge_attr is not None
    assert listed(batch.edges()[0], batch.edge_attr) == listed(expected.edge_index, expected.edge_attr)
    assert found.batch(np.array(places), ()).edge_attr is None


@pytest.mark.parametrize("name", ["gine", "gat"])
def test_a_batch_is_encoded_as_every_graph_by_itself(name: str) -> None:
    graphs = with_edges(make_graphs(), symmetric=False)
    layer = make_encoder(name, 3, 4, edge_channels=WIDTH)
    seed_parameters(layer, 0)
    batch = collate(graphs).batch(np.arange(len(graphs)), (), edge_features=True)
    alone = [layer(data.x, data.edge_index, edge_attr=data.edge_attr) for data in graphs]
    torch.testing.assert_close(layer.encode(batch.x, batch.messages), torch.cat(alone))


def test_repeated_and_one_way_edges() -> None:
    index = torch.tensor([[0, 0, 1, 2, 1], [1, 1, 0, 1, 1]])  # 0–1 twice, 1–0, 2–1 in one direction, a loop
    data = Data(edge_index=index, edge_attr=torch.tensor([1.0, 3.0, 5.0, 7.0, 100.0]), num_nodes=3)
    with pytest.warns(UserWarning, match="self-loop"):
        found = collate([data])
    batch = found.batch(np.array([0]), (), edge_features=True)
    assert batch.edge_attr is not None
    assert listed(batch.edges()[0], batch.edge_attr) == {(0, 1): [2.0], (1, 0): [5.0], (1, 2): [7.0], (2, 1): [7.0]}


def fit(graphs: list[Data], **options: Any) -> GraphClassifier:
    options = {"encoder": "gine", "edge_features": True, "max_epochs": 1, "hidden": 8, "random_state": 0, **options}
    return GraphClassifier(**options).fit(graphs)


@pytest.mark.parametrize("pooling", ["hosc", "none", "gmt", "sag", "random"])
@pytest.mark.parametrize("architecture", ["paper", "deep"])
def test_a_classifier_learns_from_features_of_edges(pooling: str, architecture: str) -> None:
    model = fit(with_edges(make_graphs()), pooling=pooling, architecture=architecture)
    assert model.n_edge_features_ == WIDTH
    first = model.network_.encoders[0]
    assert first.edge_channels == WIDTH
    proba = model.predict_proba(with_edges(make_graphs()))
    other = with_edges(make_graphs())
    for data in other:
        data.edge_attr = 5 * data.edge_attr
    assert not np.allclose(proba, model.predict_proba(other))


def test_a_saved_model_knows_its_features_of_edges(tmp_path: Any) -> None:
    graphs = with_edges(make_graphs())
    model = fit(graphs, encoder="gat")
    model.save(tmp_path / "model")
    loaded = GraphClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(graphs), model.predict_proba(graphs))


def test_what_cannot_be_used_is_refused_only_when_it_is_asked_for() -> None:
    graphs = with_edges(make_graphs())
    with pytest.raises(ValueError, match=r"expected an encoder that uses them \('gat', 'gine'\), got 'gcn'"):
        fit(graphs, encoder="gcn")
    with pytest.raises(ValueError, match="edge_features: graphs: expected features of edges in edge_attr, got none"):
        fit(make_graphs())
    model = fit(graphs)
    with pytest.raises(ValueError, match="expected 3 features per edge as in the fit, got 2"):
        model.predict(with_edges(make_graphs(), width=2))
    for bad, message in (
        (None, "expected all graphs to have it, got none"),
        (torch.ones(2, 3), r"expected shape \[\d+, D\], one row for each edge, got \[2, 3\]"),
        (torch.full((graphs[4].num_edges, 3), torch.nan), "expected finite features"),
        (torch.ones(graphs[4].num_edges, 2), "expected 3 features per edge as in the first graph, got 2"),
    ):
        graphs[4].edge_attr = bad
        assert collate(graphs).num_edge_features == 0
        with pytest.raises(ValueError, match=message):
            fit(graphs)
