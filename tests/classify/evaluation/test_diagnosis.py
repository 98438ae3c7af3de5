"""The diagnosis of assignments that are known, and the levels of a graph."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from hoscpool.classify import GraphClassifier, collate, evaluate_split, stratified_splits
from hoscpool.classify.evaluation.diagnosis import PoolDiagnosis, diagnose_pools
from hoscpool.nn import PoolingOutput

QUICK: dict[str, Any] = {"max_epochs": 2, "random_state": 0, "hidden": 8, "batch_size": 8}
PADDING = torch.zeros(())


def dense(assignment: list[list[float]], sizes: tuple[int, ...]) -> PoolingOutput:
    s = torch.tensor(assignment)
    k, batch = s.size(1), torch.repeat_interleave(torch.tensor(sizes))
    x, adjacency = torch.zeros(len(sizes), k, 1), torch.zeros(len(sizes), k, k)
    return PoolingOutput(x, s, batch, sizes, PADDING, PADDING, adjacency=adjacency)


def diagnose(*outputs: PoolingOutput) -> PoolDiagnosis:
    return diagnose_pools([[output] for output in outputs])[0]


def test_even_hard_clusters() -> None:
    found = diagnose(dense([[1, 0], [0, 1], [1, 0], [0, 1]], (2, 2)))
    assert (found.clusters, found.live, found.live_share) == (2, 2, 1)
    assert (found.entropy, found.balance, found.largest, found.kept) == (0, 1, 0.5, 1)
    assert found.verdict == "in use"


def test_rows_that_differ_are_counted_within_every_graph() -> None:
    rows = [[0.5, 0.5], [0.5, 0.5], [0.2, 0.8], [0.5, 0.5], [0.20001, 0.79999], [0.2, 0.8]]
    assert diagnose(dense(rows, (3, 3))).distinct == 2
    assert diagnose(dense(rows[:1], (1,)), dense(rows[:3], (3,))).distinct == 1.5
    assert diagnose(dense([[1.0], [1.0]], (2,))).distinct is None


def test_all_in_one() -> None:
    found = diagnose(dense([[0.9, 0.1, 0, 0, 0]] * 6, (6,)))
    assert (found.live, found.live_share, found.balance, found.largest) == (1, 0.2, 0, 1)
    assert found.verdict == "collapsed"


def test_uniform_rows_are_undecided() -> None:
    rows = [[0.26, 0.25, 0.25, 0.24], [0.24, 0.26, 0.25, 0.25], [0.25, 0.24, 0.26, 0.25], [0.25, 0.25, 0.24, 0.26]]
    found = diagnose(dense(rows, (4,)))
    assert found.entropy == pytest.approx(1, abs=1e-3)
    assert found.verdict == "undecided"


def test_a_graph_of_fewer_nodes_than_clusters_can_still_be_in_full_use() -> None:
    found = diagnose(dense([[1, 0, 0, 0], [0, 1, 0, 0]], (2,)))
    assert (found.live, found.live_share, found.balance) == (2, 1, 1)


def test_a_cluster_that_nobody_joined_is_not_offered() -> None:
    out = dense([[0, 0, 1], [1, 0, 0], [0, 0, 1]], (3,))
    found = diagnose(replace(out, mask=torch.tensor([[True, False, True]])))
    assert (found.clusters, found.live, found.live_share) == (2, 2, 1)
    assert found.largest == pytest.approx(2 / 3)


def test_batches_are_joined_by_graphs_and_nodes() -> None:
    found = diagnose(dense([[1.0, 0.0]], (1,)), dense([[0.5, 0.5]] * 3, (3,)))
    assert found.entropy == pytest.approx(0.75)
    assert found.largest == 1
    assert found.balance == pytest.approx(0.5), "a single node is in balance, three in one cluster are not"


def test_dropped_nodes() -> None:
    entries = torch.sparse_coo_tensor(torch.tensor([[0, 2], [0, 1]]), torch.ones(2), (3, 2), check_invariants=False)
    out = PoolingOutput(
        torch.zeros(2, 1), entries.coalesce(), torch.tensor([0, 0, 1]), (2, 1), PADDING, PADDING,
        edge_index=torch.zeros(2, 0, dtype=torch.int64), batch=torch.tensor([0, 1]),
    )  # fmt: skip
    found = diagnose(out)
    assert found.kept == pytest.approx(2 / 3)
    assert (found.clusters, found.live, found.entropy) == (1, 1, None)
    assert found.verdict == "single"
    assert diagnose_pools([[], []]) == []


@pytest.mark.parametrize("pooling", ["hosc", "random", "eigen", "topk", "asap", "edge", "gmt", "none"])
def test_levels_of_a_graph(graphs: list[Data], pooling: str) -> None:
    model = GraphClassifier(**QUICK, pooling=pooling, ratio=0.5).fit(graphs)
    levels = model.assignments(graphs[4])
    nodes = rows = graphs[4].num_nodes
    for level in levels:
        assert level.labels.shape == (nodes,)
        assert level.labels.max() < level.num_supernodes == len(level.adjacency)
        assert level.assignment.shape == (rows, level.num_supernodes)
        assert level.sizes.sum() == (level.labels >= 0).sum()
        rows = level.num_supernodes if pooling not in ("random", "eigen") else int((level.sizes > 0).sum())
    assert len(levels) == (1 if pooling == "gmt" else 2)
    if pooling == "none":
        assert levels[1].labels.tolist() == list(range(nodes))


def test_the_second_level_is_the_second_pool_of_the_first(graphs: list[Data]) -> None:
    first, second = GraphClassifier(**QUICK, ratio=0.5).fit(graphs).assignments(graphs[0])
    np.testing.assert_array_equal(first.labels, first.assignment.argmax(axis=1))
    np.testing.assert_array_equal(second.labels, second.assignment.argmax(axis=1)[first.labels])


def test_a_split_from_training_to_test(graphs: list[Data]) -> None:
    found = collate(graphs)
    split = stratified_splits(found.labels)[0]
    model = GraphClassifier(**QUICK)
    result = evaluate_split(model, found, split, 3)
    assert result.split == 3
    assert result.accuracy == model.score(found[split.test])
    assert [pool["level"] for pool in result.pools] == [1, 2]
    assert result.as_dict()["validation_accuracy"] == model.validation_score_
