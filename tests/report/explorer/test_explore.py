from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp


def test_labels_from_anywhere_make_a_page(tmp_path: Path) -> None:
    graph = nx.karate_club_graph()
    clubs = [graph.nodes[i]["club"] for i in graph]
    path = hp.explore(graph, {"clubs": clubs, "halves": np.arange(34) // 17}, path=tmp_path / "club.html")
    html = path.read_text()
    assert path == tmp_path / "club.html"
    assert "id='explorer-data'" in html
    assert "<p>34 nodes, 78 ties. The communities are clearly separated: 89% of the ties (by chance 50%)" in html
    assert hp.explore(graph, clubs, path=tmp_path / "edge.html", motif="edge", titles=list("x" * 34)).exists()


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        ([0, 1], {}, "labels: expected 34 labels"),
        ({}, {}, "labels: expected at least one clustering, got none"),
        ([0] * 34, {"titles": ["a"]}, "titles: expected 34, got 1"),
        ([0] * 34, {"feature_names": ["a"]}, "feature_names: expected 0, got 1"),
        ([0] * 34, {"motif": "M1"}, "motif: expected an undirected motif, got 'M1'"),
        ([0] * 34, {"motif": "trianglee"}, "unknown motif"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    labels: Any, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        hp.explore(nx.karate_club_graph(), labels, path=tmp_path / "page.html", **options)
    assert list(tmp_path.iterdir()) == []
