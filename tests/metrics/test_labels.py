from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from hoscpool import objectives
from hoscpool.graph import as_graph
from hoscpool.metrics.labels import association, number_clusters, read_labels, read_undirected, volume
from hoscpool.support.errors import GraphWarning
from metrics.direct import weighted_graph


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([2, 0, 2], [2, 0, 2]),
        (np.array([2.0, 0.0, 2.0]), [2, 0, 2]),
        (torch.tensor([[2], [0], [2]]), [2, 0, 2]),
        (["b", "a", "b"], [1, 0, 1]),
        (np.array([True, False, True]), [1, 0, 1]),
        ([-1, 0, -1], [-1, 0, -1]),
    ],
)
def test_labels_of_many_kinds(labels: Any, expected: list[int]) -> None:
    assert read_labels(labels).tolist() == expected


def test_clusters_are_numbered_without_gaps() -> None:
    cluster, count = number_clusters([9, -1, 9, 4], 4)
    assert (cluster.tolist(), count) == ([2, 0, 2, 1], 3)


def test_labels_of_other_nodes_are_refused() -> None:
    with pytest.raises(ValueError, match="labels: expected 3 labels, one for every node, got 2"):
        number_clusters([0, 1], 3)


def test_dropping_directions_is_said() -> None:
    arcs = as_graph(np.array([[0, 1], [0, 0]]), directed=True)
    with pytest.warns(GraphWarning, match="cutting ignores edge directions"):
        graph = read_undirected(arcs, "cutting")
    assert not graph.is_directed


@pytest.mark.parametrize("seed", range(5))
def test_they_are_those_of_a_one_hot_assignment(seed: int) -> None:
    matrix = sp.csr_array(weighted_graph(seed, size=12))
    cluster = np.random.default_rng(seed).integers(0, 4, 12).astype(np.int32)  # one of five clusters is empty
    s = torch.nn.functional.one_hot(torch.from_numpy(cluster).long(), 5).double()
    np.testing.assert_allclose(association(matrix, cluster, 5), objectives.association(matrix, s)[0])
    np.testing.assert_allclose(volume(matrix, cluster, 5), objectives.volume(matrix, s)[0])
