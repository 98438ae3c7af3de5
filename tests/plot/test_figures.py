"""Figures of a clustering: one colour a cluster, and a part of what is too large to draw."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.plot import figures as module
from hoscpool.plot.figures import clusters_figure, coarse_figure, nodes_to_draw

GRAPH = hp.as_graph(nx.relabel_nodes(nx.ring_of_cliques(3, 5), {0: "<b>Ann & co</b>"}))


@pytest.fixture(scope="module")
def model() -> hp.HoscClustering:
    return hp.HoscClustering(3, solver="multilevel", random_state=0).fit(GRAPH)


def test_one_colour_for_a_cluster_everywhere(model: hp.HoscClustering) -> None:
    everyone = np.arange(15)
    figure = clusters_figure(GRAPH, model.labels_, everyone, "t")
    markers = {trace.name: trace.marker.color for trace in figure.data if trace.mode == "markers"}
    discs = coarse_figure(model.coarse_.matrices["edge"], model.coarse_.sizes, "t").data[-1]
    assert {f"cluster {name}": colour for name, colour in zip(discs.text, discs.marker.color, strict=True)} == markers
    assert sum(len(trace.x) for trace in figure.data if trace.mode == "markers") == 15


def test_a_large_graph_is_drawn_in_part_and_says_so() -> None:
    star = hp.as_graph(nx.star_graph(20))
    nodes, notice = nodes_to_draw(star, limit=5)
    assert len(nodes) == 5
    assert nodes[0] == 0, "the centre has most neighbours"
    assert notice is not None
    assert "21 nodes" in notice
    everyone, notice = nodes_to_draw(star)
    assert everyone.tolist() == list(range(21))
    assert notice is None


def test_many_edges_are_thinned(model: hp.HoscClustering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_EDGES", 7)
    figure = clusters_figure(GRAPH, model.labels_, np.arange(15), "t")
    assert len(figure.data[0].x) == 7 * 3
    assert figure.data[0].name == "edges (7 of 33)"


def test_a_coarsened_graph_without_links_or_with_an_empty_cluster() -> None:
    figure: Any = coarse_figure(np.diag([4.0, 0.0, 2.0]), np.array([3.0, 0.0, 2.0]), "t")
    assert list(figure.data[-1].text) == ["0", "2"]
