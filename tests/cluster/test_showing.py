"""What a fitted model shows of itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import hoscpool as hp

HOSTILE = "<img src=x onerror='alert(1)'>"
GRAPH = nx.relabel_nodes(nx.ring_of_cliques(3, 5), {0: HOSTILE})


@pytest.fixture(scope="module")
def model() -> hp.HoscClustering:
    return hp.HoscClustering(3, solver="multilevel", random_state=0).fit(GRAPH)


def test_a_row_for_every_node(model: hp.HoscClustering) -> None:
    frame = model.to_frame()
    assert frame.columns.tolist() == ["node", "cluster", "confidence", "second_choice"]
    assert frame["node"].tolist() == list(GRAPH)
    assert np.array_equal(frame["cluster"], model.labels_)
    assert np.array_equal(frame["confidence"], model.confidence_)
    assert (frame["second_choice"] == model.second_choice_).all()


def test_titles_and_a_single_cluster() -> None:
    graph = hp.as_graph(nx.path_graph(3), node_names=["a", "b", "c"])
    graph = replace(graph, node_titles=("A", "B", "C"))
    with pytest.warns(UserWarning, match="no triangle"):
        frame = hp.HoscClustering(1, solver="multilevel", random_state=0).fit(graph).to_frame()
    assert frame["title"].tolist() == ["A", "B", "C"]
    assert frame["second_choice"].isna().all(), "there is no second cluster"


def test_a_loaded_model_keeps_its_table_and_asks_for_the_graph(model: hp.HoscClustering, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    loaded = hp.HoscClustering.load(tmp_path / "model")
    frame = loaded.to_frame()
    pd.testing.assert_frame_equal(frame.drop(columns="node"), model.to_frame().drop(columns="node"))
    with pytest.raises(ValueError, match="graph: expected the graph of the fit, which is not saved"):
        loaded.report(tmp_path / "page.html")
    with pytest.raises(ValueError, match="graph: expected the 15 nodes of the fit, got 4"):
        loaded.report(tmp_path / "page.html", graph=nx.path_graph(4))
    assert not (tmp_path / "page.html").exists()
    assert loaded.report(tmp_path / "page.html", graph=GRAPH).exists()


def test_the_page_shows_every_clustering_and_the_confidence(model: hp.HoscClustering, tmp_path: Path) -> None:
    html = model.report(tmp_path / "page.html").read_text()
    assert HOSTILE not in html
    assert "How probable it is that a node belongs to its community." in html


def test_before_a_fit_there_is_nothing_to_show() -> None:
    model = hp.HoscClustering(3)
    for call in (model.to_frame, lambda: model.report("page.html")):
        with pytest.raises(NotFittedError):
            call()
    assert "HoscClustering(n_clusters=3)" in model._repr_html_()


def test_a_notebook_shows_the_clusters(model: hp.HoscClustering) -> None:
    html = model._repr_html_()
    assert len(ElementTree.fromstring(html).findall(".//tbody/tr")) == 3
    assert model._repr_mimebundle_() == {"text/plain": repr(model), "text/html": html}
    assert len(html) < 3_000
