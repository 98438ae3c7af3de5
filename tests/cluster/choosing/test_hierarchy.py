"""Hierarchies: nested, greedy by the objective of the labels, with the coarsened graphs."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from sklearn.metrics import adjusted_rand_score

from hoscpool.cluster import HoscClustering
from hoscpool.cluster.choosing.hierarchy import coarsen, merge_scores
from hoscpool.cluster.inputs import as_operator, motif_matrices
from hoscpool.cluster.objective import Objective
from hoscpool.cluster.views.feature_map import FeatureMap
from hoscpool.cluster.views.similarity import similarity_graph
from hoscpool.graph import as_graph
from hoscpool.nn.pools.hosc import EDGE_AND_TRIANGLE

TWO_LEVELS = nx.Graph()  # four cliques; 0–1 and 2–3 are joined more closely
TWO_LEVELS.add_edges_from((6 * c + a, 6 * c + b) for c in range(4) for a, b in itertools.combinations(range(6), 2))
TWO_LEVELS.add_edges_from([(0, 6), (1, 7), (0, 7), (12, 18), (13, 19), (12, 19), (5, 12)])
LABELS = np.arange(24) // 6


def test_the_score_of_a_merge_is_the_change_of_the_hard_objective() -> None:
    graph = as_graph(TWO_LEVELS)
    matrices = motif_matrices(graph, EDGE_AND_TRIANGLE)
    objective = Objective("hosc", {n: as_operator(m) for n, m in matrices.items()}, EDGE_AND_TRIANGLE)
    labels = np.array([0] * 4 + [1] * 8 + [2] * 5 + [3] * 7)
    scores = merge_scores(coarsen(labels, 4, matrices, None), EDGE_AND_TRIANGLE)
    hard, merge = {}, {}
    for a, b in itertools.combinations(range(4), 2):
        merged = np.where(labels == b, a, labels)
        merged = np.where(merged > b, merged - 1, merged)
        hard[a, b] = objective.hard(torch.from_numpy(merged), 3)
        merge[a, b] = scores[a, b]
    offsets = [hard[pair] + merge[pair] for pair in hard]  # equal up to one constant
    assert offsets == pytest.approx([offsets[0]] * 6, abs=1e-5)


def test_features_are_part_of_the_objective_that_merges_clusters() -> None:
    features = np.random.default_rng(0).normal(size=(24, 3)) / 4 + np.eye(3)[(LABELS + 1) // 2]  # 1 and 2 are alike
    model = HoscClustering(4, random_state=0, max_epochs=20, feature_weight=0.9, n_neighbors=5)
    model.fit(as_graph(TWO_LEVELS, features=features))
    assert model.feature_weight_ == 0.9
    alike = similarity_graph(FeatureMap.fit(np.float32(features), 0)(np.float32(features)), 5, 0).toarray()
    s = np.eye(4)[model.labels_]
    np.testing.assert_array_equal(model.coarse_.matrices["features"], s.T @ alike @ s)
    assert _hard(model.coarse_.matrices, s.sum(axis=0)) == pytest.approx(model.objective_, abs=1e-5)
    pairs = list(itertools.combinations(range(4), 2))
    merged = [np.delete(np.where(np.arange(4) == a, s[:, [b]] + s, s), b, axis=1) for a, b in pairs]
    onto = [s.T @ m > 0 for m in merged]
    objectives = [
        _hard({name: o.T @ matrix @ o for name, matrix in model.coarse_.matrices.items()}, m.sum(axis=0))
        for o, m in zip(onto, merged, strict=True)
    ]
    best = merged[int(np.argmin(objectives))].argmax(axis=1)
    assert adjusted_rand_score(model.hierarchy([3])[0].labels, best) == 1
    assert {0, 1} != set(LABELS[best == np.bincount(best).argmax()].tolist())  # which the edges alone would merge


def _hard(matrices: Any, sizes: Any) -> float:
    """0.1 · (½ edge + ½ triangle) cut + 0.9 cut of the features + orthogonality of hard clusters."""
    k = len(sizes)
    weights = {"edge": 0.05, "triangle": 0.05, "features": 0.9}
    cuts = {name: -np.mean(np.diag(matrices[name]) / matrices[name].sum(axis=1)) for name in weights}
    spread = (np.sqrt(k) - np.sqrt(sizes / sizes.sum()).sum()) / (np.sqrt(k) - 1)
    return float(sum(weights[name] * cuts[name] for name in weights) + spread)


def test_levels_are_nested_and_carry_their_graphs() -> None:
    graph = as_graph(TWO_LEVELS, features=np.eye(4)[LABELS])
    model = HoscClustering(4, random_state=0, max_epochs=50).fit(graph)
    four, two, one = model.hierarchy([1, 2, 4])
    assert [level.n_clusters for level in (four, two, one)] == [4, 2, 1]
    for fine, coarse in itertools.pairwise((four, two, one)):
        assert len(set(zip(fine.labels.tolist(), coarse.labels.tolist(), strict=True))) == fine.n_clusters
    groups = [set(LABELS[two.labels == k].tolist()) for k in range(2)]
    assert sorted(map(sorted, groups)) == [[0, 1], [2, 3]]
    np.testing.assert_allclose(two.assignment.sum(axis=1), 1, rtol=1e-5)
    assert two.graph.adjacency.toarray().tolist() == [[0, 1], [1, 0]]
    pooled: Any = two.graph.features
    np.testing.assert_array_equal(pooled.sum(axis=0), [6, 6, 6, 6])
    assert four.graph.adjacency.sum() == 2 * 7


@pytest.mark.parametrize("wanted", [[], [0], [5]])
def test_levels_that_cannot_be(wanted: list[int]) -> None:
    model = HoscClustering(4, random_state=0, max_epochs=20).fit(as_graph(TWO_LEVELS))
    with pytest.raises(ValueError, match="expected numbers from 1 to 4"):
        model.hierarchy(wanted)
