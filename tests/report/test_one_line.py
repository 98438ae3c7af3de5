"""`hp.cluster`: from any data to communities in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.report.one_line import Communities

HOSTILE = "<img src=x onerror='alert(1)'>"


@pytest.fixture(scope="module")
def found() -> Communities:
    pairs = nx.to_pandas_edgelist(nx.relabel_nodes(nx.ring_of_cliques(4, 5), {0: HOSTILE}), "from", "to")
    result: Communities = hp.cluster(pairs, source="from", target="to", solver="multilevel")
    return result


def test_a_data_frame_becomes_communities(found: Communities) -> None:
    assert repr(found) == "Communities(4 of Graph(20 nodes, 44 edges, undirected))"
    assert found.labels.shape == (20,)
    assert set(found.table["node"].astype(str)) == {HOSTILE, *map(str, range(1, 20))}
    sizes = found.communities.set_index("cluster")["nodes"].to_dict()
    assert sizes == dict(enumerate(np.bincount(found.labels).tolist()))
    assert found.communities["in words"].str.contains("5 nodes around").all()
    assert sum(len(trace.x) for trace in found.plot().data[1:]) == 20


def test_it_shows_itself_and_writes_its_page(found: Communities, tmp_path: Path) -> None:
    html = found._repr_html_()
    root = ElementTree.fromstring(html)
    assert len(root.findall(".//circle")) == 20
    assert len(root.findall(".//tbody/tr")) == 4
    assert "<img" not in html
    assert len(html) < 10_000
    assert found.report(tmp_path / "page.html").stat().st_size > 1_000_000


def test_options_go_to_the_graph_or_to_the_model_and_others_are_refused() -> None:
    graph = nx.karate_club_graph()
    one, other = (hp.cluster(graph, 3, motifs={"edge": 1.0}, mu=0.5, solver="multilevel") for _ in range(2))
    assert one.model.motifs_ == {"edge": 1.0}
    assert np.array_equal(one.labels, other.labels), "the same seed by default"
    with pytest.raises(ValueError, match="motfs: no such option; did you mean 'motifs'"):
        hp.cluster(graph, 3, motfs={"edge": 1.0})
    as_module: Any = hp.cluster
    assert as_module.HoscClustering is hp.HoscClustering
