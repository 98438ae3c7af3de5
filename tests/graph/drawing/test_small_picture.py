"""What a notebook shows of a graph: light, escaped, and with a picture only if it is small."""

from __future__ import annotations

from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp

HOSTILE = "<img src=x onerror='alert(1)'>\u202e"


def test_a_small_graph_has_facts_and_a_picture() -> None:
    graph = hp.as_graph(
        nx.relabel_nodes(nx.ring_of_cliques(2, 4), {0: HOSTILE}), name=HOSTILE, labels=np.arange(8) // 4
    )
    html = graph._repr_html_()
    root = ElementTree.fromstring(html)
    assert len(root.findall(".//circle")) == 8
    assert len({circle.get("fill") for circle in root.findall(".//circle")}) == 2
    path = root.find(".//path")
    assert path is not None
    assert (path.get("d") or "").count("M") == graph.num_edges
    assert "<img" not in html
    assert "\u202e" not in html
    assert "8" in html


@pytest.mark.parametrize("nodes", [0, 1, 2])
def test_tiny_graphs(nodes: int) -> None:
    html = hp.as_graph(sp.csr_array((nodes, nodes)))._repr_html_()
    assert ElementTree.fromstring(html) is not None
    assert "nan" not in html


def test_a_large_graph_is_a_table_and_stays_light() -> None:
    ring = sp.diags_array([np.full(4_999, 2.5)] * 2, offsets=[-1, 1])
    graph = hp.as_graph(sp.csr_array(ring), features=np.eye(5_000, 3))
    html = graph._repr_html_()
    assert "<svg" not in html
    assert "features" in html
    assert "weights" in html
    assert len(html) < 3_000
