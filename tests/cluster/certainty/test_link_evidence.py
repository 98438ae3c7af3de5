"""Links by kind, their counts and their model."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from hoscpool.cluster.certainty import link_evidence
from hoscpool.cluster.certainty.link_evidence import KINDS, FeatureModel, LinkModel, Links
from hoscpool.cluster.inputs import motif_matrices
from hoscpool.datasets import planted_communities
from hoscpool.graph import as_graph

MOTIFS = {"edge": 0.5, "triangle": 0.5}


def test_kinds_tell_links_in_no_few_and_many_triangles() -> None:
    graph = nx.complete_graph(5)
    graph.add_edges_from([(0, 5), (5, 6), (6, 7), (7, 5)])
    found = as_graph(graph)
    links = Links.of(found, motif_matrices(found, MOTIFS), MOTIFS)
    kinds = {}
    for node in range(8):
        for at in range(found.indptr[node], found.indptr[node + 1]):
            kinds[node, int(found.indices[at])] = int(links.kinds[at])
    assert kinds[0, 5] == kinds[5, 0] == 0
    assert kinds[5, 6] == kinds[0, 1] == 1  # more than half of the links in triangles are in three
    assert set(kinds.values()) == {0, 1}
    graph.add_edges_from([(8, 9), (9, 10), (10, 8), (8, 11), (11, 9), (12, 13), (13, 14), (14, 12)])
    found = as_graph(graph)
    links = Links.of(found, motif_matrices(found, MOTIFS), MOTIFS)
    assert set(links.kinds.tolist()) == {0, 1, 2}


def test_counts_against_a_loop() -> None:
    graph = planted_communities(60, 300, 3, random_state=0)
    assert graph.labels is not None
    links = Links.of(graph, motif_matrices(graph, MOTIFS), MOTIFS)
    expected = np.zeros((60, 3 * KINDS))
    for node in range(60):
        for at in range(graph.indptr[node], graph.indptr[node + 1]):
            expected[node, graph.labels[graph.indices[at]] * KINDS + links.kinds[at]] += 1
    np.testing.assert_array_equal(links.counts(0, 60, graph.labels, 3).toarray(), expected)
    np.testing.assert_array_equal(links.counts(7, 23, graph.labels, 3).toarray(), expected[7:23])


def test_the_scale_of_weights_does_not_matter() -> None:
    plain = nx.les_miserables_graph()
    labels = np.arange(len(plain)) % 3
    found = []
    for scale in (1.0, 1000.0):
        graph = as_graph(nx.Graph([(a, b, {"weight": scale * w}) for a, b, w in plain.edges(data="weight")]))
        links = Links.of(graph, motif_matrices(graph, MOTIFS), MOTIFS)
        model = LinkModel.fit(links, labels, 3, [(0, len(labels))])
        found.append(model.log_likelihood(links.counts(0, len(labels), labels, 3)))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5)


def test_links_that_come_in_groups_are_fewer_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(900) % 3
    alone = nx.gnm_random_graph(900, 5000, seed=0)
    cliques = nx.Graph()
    for _ in range(900):
        members = rng.choice(np.flatnonzero(labels == rng.integers(3)), 5)
        cliques.add_edges_from((a, b) for a in members for b in [rng.integers(900)] * 1)
        target = rng.integers(3)
        node = int(rng.integers(900))
        cliques.add_edges_from((node, int(b)) for b in rng.choice(np.flatnonzero(labels == target), 12))
    cliques.remove_edges_from(nx.selfloop_edges(cliques))
    cliques.add_nodes_from(range(900))
    dispersions = []
    for made in (alone, cliques):
        graph = as_graph(made)
        own = labels[np.array([int(name) for name in graph.names])]
        links = Links.of(graph, {}, {})
        dispersions.append(LinkModel.fit(links, own, 3, [(0, 450), (450, 900)]).dispersion)
    assert dispersions[0] == pytest.approx(1.0, abs=0.1)
    assert dispersions[1] > 2
    monkeypatch.setattr("hoscpool.cluster.certainty.link_evidence.BLOCK", 100)
    sampled = LinkModel.fit(Links.of(graph, {}, {}), own, 3, [(0, 900)]).dispersion
    assert sampled == pytest.approx(dispersions[1], rel=1e-9)


def test_a_graph_without_links() -> None:
    graph = as_graph((np.empty((2, 0), np.int64), 4))
    labels = np.array([0, 0, 1, 1])
    model = LinkModel.fit(Links.of(graph, {}, {}), labels, 2, [(0, 4)])
    assert np.isfinite(model.log_shares).all()
    assert model.dispersion == 1.0


def test_on_a_complete_graph_the_weights_tell() -> None:
    rng, labels = np.random.default_rng(0), np.arange(90) % 3
    weights = np.triu(rng.gamma(2.0, 1.0, (90, 90)) * (1 + (labels[:, None] == labels)), 1)
    graph = as_graph(weights + weights.T)
    links = Links.of(graph, {"edge": graph.adjacency}, {"edge": 1.0})
    assert np.bincount(links.kinds).tolist() == pytest.approx([len(links.kinds) / KINDS] * KINDS, rel=0.01)
    found = LinkModel.fit(links, labels, 3, [(0, 90)]).log_likelihood(links.counts(0, 90, labels, 3))
    assert (found.argmax(axis=1) == labels).mean() > 0.95


def test_a_light_link_is_a_link() -> None:
    graph = nx.barbell_graph(6, 0)
    nx.set_edge_attributes(graph, 10.0, "weight")
    graph.add_edge(0, 12, weight=0.5)
    found = as_graph(graph)
    labels = np.array([0] * 6 + [1] * 6 + [0])
    links = Links.of(found, {"edge": found.adjacency}, {"edge": 1.0})
    score = LinkModel.fit(links, labels, 2, [(0, 13)]).log_likelihood(links.counts(12, 13, labels, 2))
    assert score[0, 0] > score[0, 1] + 0.5


def test_the_probabilities_are_those_of_discriminant_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_evidence, "RIDGE", 0.0)
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], [40, 100, 60])
    table = rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4)) + np.eye(3, 4)[labels]
    model = FeatureModel.fit(table, labels, 3)
    score = model.log_likelihood(table) + np.log(np.bincount(labels) / 200)
    found = np.exp(score - score.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    expected = LinearDiscriminantAnalysis(solver="lsqr").fit(table, labels).predict_proba(table)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_constant_columns_and_empty_clusters_give_numbers() -> None:
    table = np.column_stack([np.ones(6), np.arange(6.0)])
    model = FeatureModel.fit(table, np.array([0, 0, 0, 2, 2, 2]), 3)
    score = model.log_likelihood(table)
    assert np.isfinite(score).all()
    assert (score[:, [0, 2]].argmax(axis=1) == [0, 0, 0, 1, 1, 1]).all()
