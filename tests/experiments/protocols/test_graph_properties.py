from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from hoscpool import as_graph
from hoscpool.experiments.protocols import graph_properties as properties
from hoscpool.experiments.protocols.graph_properties import (
    homophily,
    labelled_graphs,
    set_statistics,
    triangle_statistics,
)
from hoscpool.experiments.running.cell import Cell

FEW = {"hosc": {"max_epochs": 3}}


def _data(graph: nx.Graph, labels: list[int] | None, width: int = 3) -> Data:
    edges = torch.tensor([*graph.edges, *((v, u) for u, v in graph.edges)]).T
    x = None if labels is None else torch.eye(width)[labels]
    return Data(edge_index=edges, x=x, y=torch.tensor([0]), num_nodes=graph.number_of_nodes())


def test_triangle_statistics_are_those_of_networkx() -> None:
    for seed in range(5):
        graph = nx.gnp_random_graph(20, 0.3, seed=seed)
        coefficient, triangles, transitivity = triangle_statistics(as_graph(graph))
        assert coefficient == pytest.approx(nx.average_clustering(graph))
        assert triangles == pytest.approx(sum(nx.triangles(graph).values()) / 3 / 20)
        assert transitivity == pytest.approx(nx.transitivity(graph))


def test_triangle_statistics_without_wedges() -> None:
    assert triangle_statistics(as_graph(nx.path_graph(2))) == (0, 0, 0)


def test_homophily_by_hand() -> None:
    assert homophily(as_graph(nx.path_graph(4)), np.array([0, 0, 1, 1])) == pytest.approx(2 / 3)


def test_statistics_of_a_set_by_hand() -> None:
    graphs = labelled_graphs([_data(nx.complete_graph(3), [0, 0, 1]), _data(nx.path_graph(2), [1, 1])])
    found = set_statistics(graphs)
    assert (found["graphs"], found["edges"], found["mean_nodes"], found["labels"]) == (2, 4, 2.5, 3)
    assert found["homophily"] == pytest.approx((1 / 3 + 1) / 2)
    assert found["label_share"] == pytest.approx((1 + 0.5) / 2)  # two labels occur
    assert found["triangles"] == pytest.approx(1 / 6)


def test_a_set_without_labels_has_no_homophily() -> None:
    found = set_statistics(labelled_graphs([_data(nx.complete_graph(3), None)]))
    assert "homophily" not in found
    assert found["clustering_coefficient"] == 1


@pytest.mark.parametrize("method", ["statistics", "spectral", "hosc"])
def test_every_method_runs(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = nx.ring_of_cliques(2, 4)
    monkeypatch.setattr(properties, "load_graphs", lambda *_: [_data(ring, [0] * 4 + [1] * 4)] * 2)
    monkeypatch.setattr(properties, "SAMPLE", 1)
    make = properties._model
    monkeypatch.setattr(properties, "_model", lambda m, k, s: make(m, k, s).set_params(**FEW.get(m, {})))
    found = properties.run(Cell("properties", "toy", method, 0, {}))["metrics"]
    if method == "spectral":  # the two cliques: 2 of 14 end points of edges lead out of each, no triangle does
        assert found == {"motif_conductance": 0, "conductance": round(2 / 14, 6), "modularity": round(12 / 14 - 0.5, 6)}
    elif method == "hosc":
        assert found["graphs"] == 1
        assert 0 <= found["nmi"] <= 1
    else:
        assert found["graphs"] == 2


@pytest.mark.data
def test_counts_of_cox2_md_are_the_papers() -> None:
    found = properties.run(Cell("properties", "cox2-md", "statistics", 0, {}))["metrics"]
    assert (found["graphs"], found["labels"], found["clustering_coefficient"]) == (303, 7, 1.0)
    assert round(found["triangles"]) == 103
