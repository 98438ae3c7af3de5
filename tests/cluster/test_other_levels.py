"""The clusterings that a page shows beside the fitted one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.cluster import other_levels as module
from hoscpool.cluster.other_levels import clusterings_to_compare, match_numbers
from hoscpool.support.errors import GraphWarning

GRAPH = hp.as_graph(nx.ring_of_cliques(6, 5))


@pytest.fixture(scope="module")
def model() -> hp.HoscClustering:
    return hp.HoscClustering(6, solver="multilevel", random_state=0).fit(GRAPH)


def test_levels_are_nested_and_each_motif_stands_alone(model: hp.HoscClustering) -> None:
    found = clusterings_to_compare(model, GRAPH)
    merged, by_edges, by_triangles = found.values()
    assert list(found) == ["3 communities, merged", "6 communities by edges alone", "6 communities by triangles alone"]
    assert len(np.unique(merged)) == 3
    assert all(len(np.unique(merged[model.labels_ == k])) == 1 for k in range(6))
    for labels in (by_edges, by_triangles):
        assert np.array_equal(labels, model.labels_), "cliques are found by either, under the same numbers"


def test_large_or_plain_fits_are_not_clustered_again(model: hp.HoscClustering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EDGES", 5)
    monkeypatch.setattr(module, "MOST_MERGED", 5)
    assert clusterings_to_compare(model, GRAPH) == {}


def test_a_graph_without_triangles_has_no_clusters_by_them() -> None:
    with pytest.warns(GraphWarning, match="no triangle"):
        model = hp.HoscClustering(2, solver="multilevel", random_state=0).fit(nx.path_graph(8))
    assert list(clusterings_to_compare(model, hp.as_graph(nx.path_graph(8)))) == ["2 communities by edges alone"]


def test_numbers_follow_the_largest_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    labels, others = np.array([0, 0, 0, 1, 1, 2]), np.array([9, 9, 4, 4, 4, 7])
    assert match_numbers(labels, others).tolist() == [0, 0, 1, 1, 1, 2]
    assert match_numbers(labels, np.array([0, 1, 2, 3, 4, 5])).max() == 5, "more clusters than before"
    monkeypatch.setattr(module, "MOST_MATCHED", 2)
    assert match_numbers(labels, others) is others
