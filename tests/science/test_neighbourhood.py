from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import hoscpool as hp
from hoscpool.motifs import get_motif
from hoscpool.science.neighbourhood import ball, diameter, induced


@pytest.mark.parametrize("radius", [0, 1, 2, 3])
def test_balls_and_their_subgraphs(radius: int) -> None:
    graph = nx.gnp_random_graph(60, 0.04, seed=2)
    given = hp.as_graph(graph)
    nodes = ball(given, np.array([3, 40]), radius)
    near = [v for v in graph if min(nx.shortest_path_length(graph, s).get(v, 99) for s in (3, 40)) <= radius]
    assert nodes.tolist() == near
    part, read = induced(given, nodes)
    np.testing.assert_array_equal(part.adjacency.toarray(), nx.to_numpy_array(graph, near))
    assert read == sum(d for _, d in graph.degree(near))


@pytest.mark.parametrize(
    ("name", "steps"), [("edge", 1), ("triangle", 1), ("wedge", 2), ("path4", 3), ("cycle4", 2), ("M9", 2)]
)
def test_diameters(name: str, steps: int) -> None:
    assert diameter(get_motif(name)) == steps
