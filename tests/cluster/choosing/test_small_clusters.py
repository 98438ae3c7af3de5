"""Clusters below a smallest size are merged where the objective of the labels stays lowest."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch

from hoscpool.cluster import HoscClustering, Objective, as_operator, motif_matrices
from hoscpool.cluster.choosing.hierarchy import coarsen
from hoscpool.cluster.choosing.small_clusters import groups_of_size, objective_of, own_first
from hoscpool.graph import as_graph

GRAPH = as_graph(nx.disjoint_union(nx.ring_of_cliques(3, 8), nx.path_graph(3)))
pytestmark = pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")  # about the two pieces
MOTIFS = {"edge": 0.5, "triangle": 0.5}


def objective(labels: np.ndarray) -> float:
    """By the objective of the fit, on the whole graph."""
    operators = {name: as_operator(matrix) for name, matrix in motif_matrices(GRAPH, MOTIFS).items()}
    return Objective("hosc", operators, MOTIFS, 0.1, "soft", "constant").hard(
        torch.from_numpy(labels), labels.max() + 1
    )


def test_the_objective_from_the_clusters_is_that_of_the_nodes() -> None:
    labels = np.random.default_rng(0).permutation(np.arange(27) % 4)
    coarse = coarsen(labels, 4, motif_matrices(GRAPH, MOTIFS), None)
    assert objective_of(coarse, MOTIFS) == pytest.approx(objective(labels), abs=1e-5)
    assert objective_of(coarse.merged(np.zeros(4, int), 1), MOTIFS) == pytest.approx(-1)


def test_the_smallest_goes_where_the_objective_is_lowest() -> None:
    labels = np.repeat([0, 1, 2, 3, 4], [8, 8, 6, 2, 3])
    coarse = coarsen(labels, 5, motif_matrices(GRAPH, MOTIFS), None)
    groups = groups_of_size(coarse, MOTIFS, 3)
    tried = {}
    for home in (0, 1, 2, 4):
        merged = np.unique(np.where(labels == 3, home, labels), return_inverse=True)[1]
        tried[home] = objective(merged)
    best = min(tried, key=lambda home: tried[home])
    assert best == 2, "the rest of its clique"
    assert groups[3] == groups[best]
    assert sorted(np.bincount(groups[labels]).tolist()) == [3, 8, 8, 8]


@pytest.mark.parametrize(("sizes", "least"), list(product([(8, 8, 8, 3), (1, 1, 1, 24), (27, 0, 0, 0)], [1, 5, 27])))
def test_no_cluster_stays_below_the_size(sizes: tuple[int, ...], least: int) -> None:
    labels = np.repeat(np.arange(4), sizes)
    groups = groups_of_size(coarsen(labels, 4, motif_matrices(GRAPH, MOTIFS), None), MOTIFS, least)
    found = np.bincount(groups[labels])
    assert found.min() >= least
    assert found.sum() == 27
    assert least > 1 or len(found) == sum(size > 0 for size in sizes)


def test_a_fit_has_no_small_clusters_and_is_whole(tmp_path: Path) -> None:
    options: dict[str, Any] = {"solver": "multilevel", "random_state": 0}
    plain = HoscClustering(6, **options).fit(GRAPH)
    assert plain.merged_ is None
    assert np.bincount(plain.labels_).min() < 8
    model = HoscClustering(6, **options, min_size=8).fit(GRAPH)
    sizes = np.bincount(model.labels_)
    assert sizes.min() >= 8
    assert model.n_clusters_ == len(sizes) == model.assignment_.shape[1] < 6
    assert model.objective_ == pytest.approx(objective(model.labels_), abs=1e-5)
    assert np.array_equal(model.assignment_.argmax(axis=1), model.labels_)
    assert model.assignment_.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(model.coarse_.sizes, sizes)
    assert model.confidence_.shape == (27,)
    assert set(model.second_choice_.tolist()) <= {-1, *range(len(sizes))}
    model.save(tmp_path / "model")
    loaded = HoscClustering.load(tmp_path / "model")
    assert model.merged_ is not None
    assert loaded.merged_ is not None
    assert np.array_equal(loaded.merged_, model.merged_)


def test_another_graph_is_placed_in_the_merged_clusters() -> None:
    x = np.eye(4)[np.repeat([0, 1, 2, 3], [8, 8, 8, 3])]
    model = HoscClustering(4, max_epochs=20, starts="smooth-2", random_state=0, min_size=5).fit(x, graph=GRAPH)
    again = model.predict_proba(x[:24], graph=GRAPH.subgraph(np.arange(24)))
    assert again.shape == (24, model.n_clusters_)
    assert again.sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_the_own_cluster_comes_first() -> None:
    s = own_first(np.array([[0.6, 0.4], [0.3, 0.7]]), np.array([1, 1]))
    assert s.argmax(axis=1).tolist() == [1, 1]
    assert s.sum(axis=1) == pytest.approx([1, 1])
    assert s[1].tolist() == [0.3, 0.7]


@pytest.mark.parametrize("size", [0, -1, 28, 2.5, True])
def test_a_size_that_no_cluster_can_have(size: Any) -> None:
    with pytest.raises(ValueError, match="min_size: expected a whole number from 1 to 27"):
        HoscClustering(3, solver="multilevel", random_state=0, min_size=size).fit(GRAPH)
