from __future__ import annotations

import numpy as np
import pytest

from hoscpool.bench.graphs import labelled_graphs
from hoscpool.bench.graphs.labelled_graphs import LABELLED, lfr, load_task
from hoscpool.support.errors import DatasetNotFoundError


def test_a_task_has_as_many_clusters_as_classes_and_no_features() -> None:
    task = load_task("planted-100k")
    assert task.graph.num_nodes == 4_000
    assert abs(task.graph.num_edges - 100_000) < 1_000
    assert task.n_clusters == 47
    assert task.graph.features is None


def test_lfr_graphs_mix_as_much_as_they_should() -> None:
    pytest.importorskip("networkit")
    graph = lfr(2_000, 0.3)
    labels = graph.labels
    assert labels is not None
    assert set(labels.tolist()) == set(range(labels.max() + 1))
    rows = np.repeat(np.arange(graph.num_nodes), graph.degree)
    assert (labels[rows] != labels[graph.indices]).mean() == pytest.approx(0.3, abs=0.02)
    again = lfr(2_000, 0.3)
    np.testing.assert_array_equal(again.indices, graph.indices)
    np.testing.assert_array_equal(again.labels, labels)


def test_lfr_without_networkit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled_graphs, "find_spec", lambda _: None)
    with pytest.raises(DatasetNotFoundError, match="pip install networkit"):
        lfr(1_000, 0.1)


def test_every_group_is_there() -> None:
    assert {recipe.group for recipe in LABELLED.values()} == {"planted", "LFR", "real"}
