"""What a notebook shows of a graph: light, escaped, and with a picture only if it is small."""

from __future__ import annotations

from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import hoscpool as hp
from hoscpool.graph.small_picture import spring_positions
from hoscpool.motifs import get_motif

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


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_any_size_is_finite(count: int) -> None:
    positions = spring_positions(sp.csr_array((count, count)))
    assert positions.shape == (count, 2)
    assert np.isfinite(positions).all()
    assert len(np.unique(positions, axis=0)) == count


@pytest.mark.parametrize("scale", [1e-300, 1e-40, 1e40, 1e307])
def test_the_scale_of_weights_does_not_matter(scale: float) -> None:
    weights = nx.to_scipy_sparse_array(nx.karate_club_graph(), dtype=float)
    np.testing.assert_allclose(spring_positions(weights * scale), spring_positions(weights), atol=1e-3)


def test_one_force_against_the_sum_over_pairs() -> None:
    """One round is the sum over all pairs that Fruchterman & Reingold write down; edges pull by their weights."""
    count, weights = 8, [1, 1, 2, 1, 3, 1, 61]
    graph = nx.path_graph(count)
    nx.set_edge_attributes(graph, {(i, i + 1): weight for i, weight in enumerate(weights)}, "weight")
    pull = {1: 0.1, 2: 0.2, 3: 0.3, 61: 5}  # the mean weight is 10, and no edge pulls more than five times as much
    adjacency = nx.to_scipy_sparse_array(graph)
    start = np.random.default_rng(3).uniform(-0.5, 0.5, size=(count, 2)).astype(np.float32)
    ideal, expected = 1 / np.sqrt(count), []
    for i in range(count):
        force = -0.8 * start[i].astype(float)
        for j in set(range(count)) - {i}:
            arrow = (start[i] - start[j]).astype(float)
            distance = max(np.linalg.norm(arrow), 0.05 * ideal)
            force += ideal**2 / distance**2 * arrow
            if graph.has_edge(i, j):
                force -= pull[graph.edges[i, j]["weight"]] * np.linalg.norm(arrow) / ideal * arrow
        length = np.linalg.norm(force)
        expected.append(start[i] + force / length * min(length, 0.1))
    moved = spring_positions(adjacency, seed=3, iterations=1)
    assert moved == pytest.approx(np.array(expected) - np.mean(expected, axis=0), abs=1e-5)


def test_cliques_come_apart_and_seeds_repeat() -> None:
    adjacency = nx.to_scipy_sparse_array(nx.ring_of_cliques(3, 8))
    positions = spring_positions(adjacency, seed=1)
    assert np.array_equal(positions, spring_positions(adjacency, seed=1))
    assert not np.array_equal(positions, spring_positions(adjacency, seed=2))
    centres = positions.reshape(3, 8, 2).mean(axis=1)
    within = np.linalg.norm(positions.reshape(3, 8, 2) - centres[:, None], axis=2).mean()
    between = np.linalg.norm(centres - np.roll(centres, 1, axis=0), axis=1).min()
    assert between > 1.5 * within


def test_a_directed_motif_is_drawn_with_arrows() -> None:
    def corners(name: str) -> list[list[float]]:
        heads = get_motif(name)._repr_html_().partition("fill='none'/>")[2].partition("<path d='")[2].partition("'")[0]
        return [[float(x) for x in head.replace("L", " ").split()] for head in heads.replace("M", "").split("Z")[:-1]]

    assert {name: len(corners(name)) for name in ("triangle", "M5", "M4")} == {"triangle": 0, "M5": 3, "M4": 6}
    size, (tip_x, tip_y) = 90, corners("mutual")[0][:2]  # from role 0 at the top to role 1 at the bottom
    assert tip_x == pytest.approx(size / 2)
    assert tip_y > 0.75 * size
    assert corners("mutual")[1][1] < 0.25 * size
