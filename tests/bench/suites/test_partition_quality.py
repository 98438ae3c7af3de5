from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import torch

from hoscpool.bench.graphs.labelled_graphs import Task
from hoscpool.bench.suites.partition_quality import MOTIFS, MU, judge
from hoscpool.graph import Graph, as_graph
from hoscpool.metrics import conductance, motif_conductance
from hoscpool.motifs import motif_adjacencies
from hoscpool.objectives import hosc_loss


@pytest.fixture
def task() -> Task:
    graph = as_graph(nx.gnp_random_graph(40, 0.25, seed=1))
    return Task(Graph(graph.indptr, graph.indices, labels=np.arange(40) % 3), 3)


def test_f_is_the_loss_of_the_one_hot_assignment(task: Task) -> None:
    labels = np.random.default_rng(0).integers(5, size=40)
    hard = torch.nn.functional.one_hot(torch.from_numpy(labels)).double()
    matrices = motif_adjacencies(task.graph, ["edge", "triangle"])
    expected = float(hosc_loss(matrices, hard, MOTIFS, MU).total)
    found = judge(task, labels + 7)  # numbers may have gaps
    assert found["F"] == pytest.approx(expected, abs=1e-12)
    assert found["K"] == 5
    assert found["edge φ"] == pytest.approx(conductance(task.graph, labels))
    assert found["triangle φ"] == pytest.approx(motif_conductance(task.graph, labels, "triangle"))


def test_the_classes_agree_with_themselves(task: Task) -> None:
    assert task.graph.labels is not None
    assert judge(task, task.graph.labels)["NMI"] == pytest.approx(1)


def test_a_graph_without_triangles() -> None:
    graph = as_graph(nx.path_graph(6))
    task = Task(Graph(graph.indptr, graph.indices, labels=np.arange(6) // 3), 2)
    found = judge(task, np.arange(6) // 3)
    assert found["triangle φ"] == 0
    assert found["F"] == pytest.approx(-0.5 * 0.8)  # each half has 4 of its 5 edge ends inside; sizes are equal


def test_wrong_labels_are_refused(task: Task) -> None:
    with pytest.raises(ValueError, match=r"expected 40 labels, got an array of shape \(39,\)"):
        judge(task, np.zeros(39, dtype=np.int64))
