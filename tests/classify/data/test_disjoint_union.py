"""Merged nodes are those that message passing cannot tell apart, and a network gives the same with them and without."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
import torch
from torch import Tensor
from torch_geometric.data import Data

from classify.conftest import make_graphs
from hoscpool.classify import GraphClassifier, collate
from hoscpool.classify.architecture import Settings, resolve_settings
from hoscpool.classify.data import disjoint_union
from hoscpool.classify.data.disjoint_union import Merging, merge_nodes
from hoscpool.classify.data.graph_set import GraphSet
from hoscpool.classify.networks import make_network
from hoscpool.nn.batch.graph_batch import GraphBatch
from hoscpool.nn.sums import _small_sums
from hoscpool.nn.sums import node_sums as sums


def draw_graph(rng: np.random.Generator, size: int, weighted: bool, width: int) -> Data:
    """A sparse random graph, so that some nodes are alike and some alone, with features of few values."""
    half = np.triu(rng.random((size, size)) < min(1.5 / max(size, 1), 1), 1) * rng.choice([0.5, 2.0], (size, size))
    rows, cols = (half + half.T).nonzero()
    weight = torch.from_numpy((half + half.T)[rows, cols]).float() if weighted else None
    x = torch.from_numpy(rng.integers(0, 2, (size, width))).float() if width else None
    edges = torch.from_numpy(np.stack([rows, cols]))
    return Data(x=x, edge_index=edges, edge_weight=weight, y=torch.tensor([size % 2]), num_nodes=size)


def special_graphs(width: int) -> list[Data]:
    """One node, no edges, a complete graph, a star, and one graph twice."""
    found = []
    for graph in (nx.empty_graph(1), nx.empty_graph(4), nx.complete_graph(5), nx.star_graph(6), nx.star_graph(6)):
        edges = torch.tensor(list(graph.to_directed().edges), dtype=torch.int64).reshape(-1, 2).t()
        x = torch.ones(len(graph), width) if width else None
        weight = torch.ones(edges.size(1))
        found.append(Data(x=x, edge_index=edges, edge_weight=weight, y=torch.tensor([0]), num_nodes=len(graph)))
    return found


def draw_set(seed: int, weighted: bool = False, width: int = 2) -> GraphSet:
    rng = np.random.default_rng(seed)
    drawn = [draw_graph(rng, int(size), weighted, width) for size in rng.integers(1, 25, 8)]
    graphs = [*drawn, *special_graphs(width)]
    if not weighted:
        for data in graphs:
            data.edge_weight = None
    return collate(graphs)


def colours(found: GraphSet, x: npt.NDArray[np.float32], depth: int) -> list[int]:
    """The same refinement by comparing tuples; colours are numbered in the order in which they are met."""
    adjacency = found.union.structure.adjacency
    seen = _numbered([(int(graph), *row.tolist()) for graph, row in zip(found.union.graph, x, strict=True)])
    for _ in range(depth):
        around = [sorted((seen[j], float(w)) for j, w in zip(*_row(adjacency, i), strict=True)) for i in range(len(x))]
        seen = _numbered([(own, tuple(others)) for own, others in zip(seen, around, strict=True)])
    return seen


def _numbered(keys: list[Any]) -> list[int]:
    number: dict[Any, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]


def _row(matrix: sp.csr_array, i: int) -> tuple[Any, Any]:
    part = slice(matrix.indptr[i], matrix.indptr[i + 1])
    return matrix.indices[part], matrix.data[part]


def merged(found: GraphSet, depth: int, monkeypatch: pytest.MonkeyPatch) -> Merging:
    monkeypatch.setattr(disjoint_union, "WORTH", 1.0)
    union = found.union
    result = merge_nodes(union.structure, union.graph, union.table().x.numpy(), depth)
    assert result is not None
    return result


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("width", [0, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_rows_are_the_colours(
    seed: int, weighted: bool, width: int, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = draw_set(seed, weighted, width)
    result = merged(found, depth, monkeypatch)
    expected = colours(found, found.union.table().x.numpy(), depth)
    assert result.of_node.tolist() == expected  # rows are numbered in the order in which their first nodes stand
    assert result.counts.tolist() == np.bincount(expected).tolist()
    assert result.first.tolist() == [expected.index(row) for row in range(max(expected) + 1)]


@pytest.mark.parametrize("weighted", [False, True])
def test_matrices_are_sums_over_the_nodes(weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found = draw_set(1, weighted)
    result = merged(found, 1, monkeypatch)
    matrix = found.union.structure.adjacency
    members = np.eye(len(result.first))[result.of_node]
    assert np.allclose(result.merge(matrix).toarray(), members.T @ matrix.toarray() @ members)
    every = np.arange(len(found))
    batch = found.batch(every, ("triangle",), depth=1)
    plain = found.batch(every, ("triangle",))
    assert batch.counts is not None
    assert batch.matrices is not None
    assert plain.matrices is not None
    assert np.array_equal(batch.counts.numpy(), members.sum(axis=0))
    assert torch.equal(batch.num_nodes, plain.num_nodes)
    for name, merged_matrix in batch.matrices.items():
        dense = plain.matrices[name] @ torch.eye(len(plain.x))
        expected = members.T @ dense.numpy() @ members
        assert np.allclose(merged_matrix @ torch.eye(len(batch.x)), expected)
        assert np.allclose(merged_matrix.degree, expected.sum(axis=1))
        assert np.allclose(merged_matrix.row_squares(), members.T @ dense.square().sum(dim=1).numpy())


def settings(**options: Any) -> Settings:
    return resolve_settings(
        GraphClassifier(**{"ratio": 0.7, "clusters_from": "largest", "hidden": 6, **options}).get_params()
    )


def doubled(batch: GraphBatch) -> GraphBatch:
    assert batch.matrices is not None
    matrices: Any = {name: matrix.to(torch.float64) for name, matrix in batch.matrices.items()}
    counts = None if batch.counts is None else batch.counts.double()
    return replace(batch, x=batch.x.double(), matrices=matrices, counts=counts)


def outcome(found: GraphSet, how: Settings, depth: int) -> list[Tensor]:
    """Logits, every loss, and every gradient."""
    network = make_network(how.in_channels(found.num_features), 2, how.clusters(found.sizes), how, 0).double()
    places = np.arange(len(found))
    batch = doubled(found.batch(places, how.motif_names, how.structural_features, depth))
    assert (batch.counts is not None) == bool(depth)
    out = network(batch)
    (out.logits.square().sum() + out.loss).backward()
    losses = [loss.detach() for pool in out.pools for loss in pool.losses.values()]
    gradients = [parameter.grad for parameter in network.parameters() if parameter.grad is not None]
    return [out.logits.detach(), *losses, *gradients]


def check_same(found: GraphSet, how: Settings) -> None:
    assert how.merge_depth
    plain, with_merging = outcome(found, how, 0), outcome(found, how, how.merge_depth)
    for own, other in zip(plain, with_merging, strict=True):
        torch.testing.assert_close(own, other, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("pooling", ["hosc", "hp-1", "hp-2", "mincut", "diffpool", "none", "gmt"])
@pytest.mark.parametrize("encoder", ["gcn", "gin", "sage"])
@pytest.mark.parametrize("weighted", [False, True])
def test_networks_give_the_same(pooling: str, encoder: str, weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disjoint_union, "WORTH", 1.0)
    check_same(draw_set(2, weighted), settings(pooling=pooling, encoder=encoder, skip_readout=True))


@pytest.mark.parametrize("pooling", ["hosc", "mincut", "diffpool"])
@pytest.mark.parametrize("path", ["kernels", "torch"])
def test_networks_give_the_same_by_every_path(pooling: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disjoint_union, "WORTH", 1.0)
    monkeypatch.setattr(_small_sums, "SMALL", 0)
    if path == "torch":
        monkeypatch.setattr(sums, "FAST", ())
    check_same(draw_set(3, width=0), settings(pooling=pooling, structural_features=True, readout="sum"))


@pytest.mark.parametrize(
    ("options", "depth"),
    [
        ({"pooling": "hosc"}, 1),
        ({"pooling": "mincut", "n_pools": 1}, 1),
        ({"pooling": "diffpool"}, 2),
        ({"pooling": "none"}, 3),
        ({"pooling": "none", "n_pools": 0}, 1),
        ({"pooling": "hosc", "encoder": "gat"}, 0),
        ({"pooling": "random"}, 0),
        ({"pooling": "sag"}, 0),
        ({"pooling": "dmon"}, 0),
        ({"pooling": "gmt"}, 3),
    ],
)
def test_depth(options: dict[str, Any], depth: int) -> None:
    assert settings(**options).merge_depth == depth


def test_nothing_is_merged_where_it_does_not_pay() -> None:
    found = collate(make_graphs(6, width=3))  # normal features: no two nodes are alike
    assert found.union.table(depth=1) is found.union.table()
    assert found.batch(np.arange(3), (), depth=1).counts is None


def test_a_clash_of_colours_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = draw_set(0)
    own = disjoint_union._refine

    def clash(*arguments: Any) -> Any:
        words = own(*arguments)
        return np.zeros_like(words) if arguments[-1] == disjoint_union._SEEDS[0] else words

    monkeypatch.setattr(disjoint_union, "_refine", clash)
    assert merge_nodes(found.union.structure, found.union.graph, found.union.table().x.numpy(), 1) is None


def test_a_classifier_predicts_the_same_and_shows_every_node(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = make_graphs(24, width=0)
    model = GraphClassifier(hidden=8, max_epochs=3, random_state=0, verbose=0).fit(graphs)
    found = collate(graphs)
    assert found.union.table(depth=1).counts is not None
    probability = model.predict_proba(found)
    assert len(model.assignments(graphs[0])[0].labels) == graphs[0].num_nodes
    assert model.diagnose(found)[0].kept == 1
    monkeypatch.setattr(Settings, "merge_depth", property(lambda _: 0))
    assert np.allclose(model.predict_proba(found), probability, atol=1e-5)
    plain = GraphClassifier(hidden=8, max_epochs=3, random_state=0, verbose=0).fit(graphs)
    assert np.allclose(plain.history_["task_loss"], model.history_["task_loss"], rtol=1e-4)
