"""The page of a clustering, as text and in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import pytest

import hoscpool as hp
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
    assert "<title>ring &lt;of&gt; cliques: 3 communities</title>" in html
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


def test_a_long_table_shows_the_largest_clusters(result: Clustering) -> None:
    assert len(cluster_table(result, 2)[1]) == 2


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
    assert {button.lower() for button in buttons} == {"download plot as a png", "zoom", "pan", "reset axes"}, (
        "none that sends the figure to a server"
    )
