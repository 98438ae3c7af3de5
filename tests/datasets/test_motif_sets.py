from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from torch_geometric.data import Data
from torch_geometric.utils import to_networkx

from hoscpool.datasets import load_graphs, motif_communities


def equal_colours(data: Data) -> float:
    colour, (source, target) = data.x[:, 0].numpy(), data.edge_index.numpy()
    return float((colour[source] == colour[target]).mean())


def triangle_components(data: Data) -> list[set[int]]:
    """The components of the graph of edges that are in a triangle."""
    graph = to_networkx(data, to_undirected=True)
    kept = nx.Graph([(u, v) for u, v in graph.edges if set(graph[u]) & set(graph[v])])
    return list(nx.connected_components(kept))


@pytest.mark.parametrize("inside", [0.4, 0.5])
def test_edges_say_nothing_and_triangles_everything(inside: float) -> None:
    graphs = motif_communities(30, inside=inside)
    shares = {y: [equal_colours(data) for data in graphs if int(data.y) == y] for y in (0, 1)}
    assert np.mean(shares[0]) == pytest.approx(np.mean(shares[1]), abs=0.005)
    for data in graphs:
        colour = data.x[:, 0].numpy()
        parts = [colour[list(nodes)].mean() for nodes in triangle_components(data)]
        assert 4 <= len(parts) <= 18  # a community may fall into pieces, but none spans two
        pure = [share in (0, 1) for share in parts]
        assert all(pure) if int(data.y) == 0 else not any(share in (0, 1) for share in parts if share)


def test_classes_colours_and_degrees_are_even() -> None:
    graphs = motif_communities(40)
    assert sum(int(data.y) for data in graphs) == 20
    assert all(float(data.x[:, 0].mean()) == 0.5 for data in graphs)
    degrees = {y: np.mean([data.num_edges / data.num_nodes for data in graphs if int(data.y) == y]) for y in (0, 1)}
    assert degrees[0] == pytest.approx(degrees[1], rel=0.05)


def test_the_same_seed_gives_the_same_graphs() -> None:
    one, same, other = (motif_communities(4, random_state=seed) for seed in (3, 3, 4))
    for a, b in zip(one, same, strict=True):
        assert a.edge_index.equal(b.edge_index)
        assert a.x.equal(b.x)
    assert not any(a.x.equal(b.x) for a, b in zip(one, other, strict=True))


def test_numbers_out_of_range_are_refused() -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("num_graphs: expected at least 1", {"num_graphs": 0}),
        ("inside: expected a share", {"inside": 0.0}),
        ("noise: expected a number ≥ 0", {"noise": -1.0}),
    ]
    for message, options in wrong:
        with pytest.raises(ValueError, match=message):
            motif_communities(**options)


@pytest.mark.slow
def test_the_named_sets_have_the_stated_counts() -> None:
    from hoscpool.datasets import dataset_info

    for name in ("motifs-easy", "motifs-medium", "motifs-hard"):
        graphs, info = load_graphs(name), dataset_info(name)
        assert (len(graphs), sum(data.num_nodes for data in graphs)) == (info.graphs, info.nodes)
        assert sum(data.num_edges for data in graphs) == 2 * info.edges
