"""Every picture of `hp.plot` holds what it is about."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import hoscpool as hp
from hoscpool.plot import figures
from hoscpool.plot.of_models import halves

RING = nx.relabel_nodes(nx.ring_of_cliques(4, 5), {0: "<b>Ann</b>"})
LABELS = ["a & b"] * 5 + ["c"] * 15


@pytest.fixture(scope="module")
def trained() -> Any:
    return hp.HoscClustering(4, max_epochs=4, n_init=1, random_state=0).fit(RING)


def test_a_graph_by_labels_by_classes_and_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = hp.plot.graph(RING, LABELS, title="t")
    points = {trace.name: len(trace.x) for trace in figure.data[1:]}
    assert points == {"a & b": 5, "c": 15}
    assert figure.layout.title.text == "t"
    assert all("<b>" not in text for trace in figure.data[1:] for text in trace.text)
    classes = hp.plot.graph(hp.as_graph(RING, labels=np.arange(20) % 2))
    assert [trace.name for trace in classes.data[1:]] == ["class 0", "class 1"]
    alone = hp.plot.graph(RING)
    assert len(alone.data) == 2
    assert not alone.layout.showlegend
    monkeypatch.setattr(figures.nodes_to_draw, "__defaults__", (6,))
    assert "shows those 6 with most neighbours" in hp.plot.graph(RING).layout.title.text


def test_clusters_of_a_model_and_of_labels(trained: Any) -> None:
    assert len(hp.plot.clusters(trained).data[-1].text) == len(np.unique(trained.labels_))
    figure = hp.plot.clusters(RING, LABELS)
    assert figure.data[-1].text == ("a & b", "c")
    assert "weight 2" in figure.data[-2].text[0], "two edges of the ring leave the first clique"
    with pytest.raises(ValueError, match="labels: expected the cluster of every node, got none"):
        hp.plot.clusters(RING)
    with pytest.raises(ValueError, match="labels: expected one for each of 20 nodes"):
        hp.plot.clusters(RING, [0, 1])


def test_motifs_are_counted_or_taken_from_a_profile() -> None:
    bars = hp.plot.motifs(nx.complete_graph(5), ["edge", "triangle", "clique4"]).data[0]
    assert dict(zip(bars.x, bars.y, strict=True)) == {"edge": 10, "triangle": 10, "clique4": 5}
    assert "wedge" in hp.plot.motifs(RING).data[0].x
    profile = hp.motif_profile(RING, ["triangle"], samples=5, random_state=0)
    assert isinstance(profile, pd.DataFrame)
    assert hp.plot.motifs(profile).data[0].y == pytest.approx(profile["z"].to_numpy())


def test_training_has_a_curve_for_every_loss(trained: Any) -> None:
    figure = hp.plot.training(trained)
    assert {trace.name for trace in figure.data} == set(trained.history_)
    assert len(figure.data[0].x) == trained.n_iter_
    quick = hp.HoscClustering(4, solver="multilevel", random_state=0).fit(RING)
    with pytest.raises(ValueError, match="expected a fit that trained a network"):
        hp.plot.training(quick)


def test_a_hierarchy_is_nested_and_counts_every_node_once_a_level() -> None:
    model = hp.HoscClustering(4, solver="multilevel", random_state=0).fit(RING)
    boxes = hp.plot.hierarchy(model).data[0]
    size, parent = dict(zip(boxes.ids, boxes.values, strict=True)), dict(zip(boxes.ids, boxes.parents, strict=True))
    for box in size:
        inside = [child for child in parent if parent[child] == box]
        assert not inside or sum(size[child] for child in inside) == size[box]
    assert [sum(1 for box in size if box.startswith(f"{k}:")) for k in (4, 2)] == [4, 2]
    assert len(hp.plot.hierarchy(model, [3]).data[0].ids) == 4


@pytest.mark.parametrize(("used", "levels"), [(1, [1]), (2, [2]), (3, [3]), (9, [9, 4, 2])])
def test_halves(used: int, levels: list[int]) -> None:
    assert halves(used) == levels
