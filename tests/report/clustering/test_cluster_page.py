"""The page of a clustering, as text and in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.report.clustering import cluster_figures
from hoscpool.report.clustering.cluster_figures import clusters_figure, coarse_figure, nodes_to_draw
from hoscpool.report.clustering.cluster_page import cluster_table, write_cluster_page
from hoscpool.report.clustering.summary import Clustering, describe_clusters, score
from report.browser import drawn, needs_browser


@pytest.fixture(scope="module")
def result() -> Clustering:
    graph = nx.relabel_nodes(nx.ring_of_cliques(3, 5), {0: "<b>Ann & co</b>"})
    found = hp.as_graph(graph, name="ring <of> cliques")
    model = hp.HoscClustering(3, n_init=1, max_epochs=3, random_state=0).fit(found)
    scores = score(found, model.labels_, model.motifs_)
    return Clustering(found, model, scores, describe_clusters(found, model), 0.5)


@pytest.fixture(scope="module")
def page(result: Clustering, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cluster_page(tmp_path_factory.mktemp("page") / "report.html", result)


def test_page_is_self_contained_and_escaped(page: Path) -> None:
    html = page.read_text()
    assert "<title>ring &lt;of&gt; cliques: 3 clusters</title>" in html
    assert "<b>Ann" not in html
    assert not re.search(r"<(script|img|iframe)[^>]* src=|<link", html)
    assert "<td>0.0909</td>" in html


def test_a_page_without_training_has_no_empty_figure(page: Path, tmp_path: Path) -> None:
    graph = hp.as_graph(nx.ring_of_cliques(3, 5))
    model = hp.HoscClustering(3, solver="multilevel", n_init=2, random_state=0).fit(graph)
    scores = score(graph, model.labels_, model.motifs_)
    result = Clustering(graph, model, scores, describe_clusters(graph, model), 0.5)
    html = write_cluster_page(tmp_path / "report.html", result).read_text()
    assert "multilevel solver, motifs: edge 0.5" in html
    assert "<summary>How was it found?</summary>" in html
    assert "<div class='figures'></div>" not in html
    trained = page.read_text()
    assert trained.count("class='figure'") - html.count("class='figure'") == 2, "the two of the losses"


def test_one_colour_for_a_cluster_everywhere(result: Clustering) -> None:
    everyone = np.arange(result.graph.num_nodes)
    figure = clusters_figure(result.graph, result.model.labels_, everyone, "t")
    markers = {trace.name: trace.marker.color for trace in figure.data if trace.mode == "markers"}
    discs = coarse_figure(result.model.coarse_.matrices["edge"], result.model.coarse_.sizes, "t").data[-1]
    assert {f"cluster {name}": colour for name, colour in zip(discs.text, discs.marker.color, strict=True)} == markers
    assert sum(len(trace.x) for trace in figure.data if trace.mode == "markers") == 15


def test_a_large_graph_is_drawn_in_part_and_says_so(result: Clustering) -> None:
    star = hp.as_graph(nx.star_graph(20))
    nodes, notice = nodes_to_draw(star, limit=5)
    assert len(nodes) == 5
    assert nodes[0] == 0, "the centre has most neighbours"
    assert notice is not None
    assert "21 nodes" in notice
    everyone, notice = nodes_to_draw(star)
    assert everyone.tolist() == list(range(21))
    assert notice is None
    assert len(cluster_table(result, 2)[1]) == 2


def test_many_edges_are_thinned(result: Clustering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_figures, "MAX_EDGES", 7)
    figure = clusters_figure(result.graph, result.model.labels_, np.arange(15), "t")
    assert len(figure.data[0].x) == 7 * 3
    assert figure.data[0].name == "edges (7 of 33)"


def test_a_coarsened_graph_without_links_or_with_an_empty_cluster() -> None:
    figure: Any = coarse_figure(np.diag([4.0, 0.0, 2.0]), np.array([3.0, 0.0, 2.0]), "t")
    assert list(figure.data[-1].text) == ["0", "2"]


# Open the folded sections.
OPEN = """
setTimeout(() => { for (const fold of document.querySelectorAll('details')) fold.open = true; }, 1000);
"""


@pytest.mark.browser
@needs_browser
def test_folded_figures_are_drawn_when_they_are_opened(page: Path, tmp_path: Path) -> None:
    assert drawn(page, tmp_path).count('class="figure js-plotly-plot"') == 0
    dom = drawn(page, tmp_path, OPEN)
    assert dom.count('class="figure js-plotly-plot"') == 4
    buttons = set(re.findall(r'class="modebar-btn[^>]*data-title="([^"]*)"', dom))
    assert buttons == {"Download plot as a PNG", "Zoom", "Pan", "Reset axes"}, "none that sends the figure to a server"
