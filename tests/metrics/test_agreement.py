from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from hoscpool.metrics import accuracy, ari, completeness, homogeneity, nmi
from metrics.direct import adjusted_rand, best_accuracy, conditional_entropy, entropy

ALL = [nmi, ari, homogeneity, completeness, accuracy]
Metric = Callable[[Any, Any], float]


def cases() -> list[tuple[list[int], list[int]]]:
    rng = np.random.default_rng(0)
    sizes = [(2, 2), (3, 4), (4, 2), (5, 5)]
    return [(rng.integers(a, size=12).tolist(), rng.integers(b, size=12).tolist()) for a, b in sizes]


@pytest.mark.parametrize(("y", "labels"), cases())
def test_every_metric_is_its_direct_sum(y: list[int], labels: list[int]) -> None:
    information = entropy(labels) - conditional_entropy(labels, y)
    assert nmi(y, labels) == pytest.approx(information / math.sqrt(entropy(labels) * entropy(y)))
    assert homogeneity(y, labels) == pytest.approx(1 - conditional_entropy(y, labels) / entropy(y))
    assert completeness(y, labels) == pytest.approx(1 - conditional_entropy(labels, y) / entropy(labels))
    assert ari(y, labels) == pytest.approx(adjusted_rand(y, labels))
    assert accuracy(y, labels) == pytest.approx(best_accuracy(y, labels))


@pytest.mark.parametrize("metric", ALL)
def test_names_of_clusters_do_not_matter(metric: Metric) -> None:
    y, labels = cases()[1]
    renamed = [{0: 7, 1: -1, 2: 100, 3: 4}[k] for k in labels]
    assert metric(y, renamed) == pytest.approx(metric(y, labels))
    assert metric([f"class {k}" for k in y], torch.tensor(labels)) == pytest.approx(metric(y, labels))


@pytest.mark.parametrize("metric", ALL)
def test_a_perfect_clustering_scores_one(metric: Metric) -> None:
    assert metric([0, 0, 1, 1, 2], [5, 5, 0, 0, 3]) == pytest.approx(1)


def test_one_cluster() -> None:
    y, one = [0, 0, 1, 1], [0, 0, 0, 0]
    assert [metric(y, one) for metric in ALL] == [0, 0, 0, 1, 0.5]
    assert [metric(one, one) for metric in ALL] == [1, 1, 1, 1, 1]


@pytest.mark.parametrize("metric", ALL)
def test_no_nodes_agree(metric: Metric) -> None:
    assert metric([], []) == 1


@pytest.mark.parametrize("metric", ALL)
@pytest.mark.parametrize(
    ("y", "labels", "message"),
    [
        ([0, 1], [0, 1, 1], "labels: expected 2 labels, as many as in y, got 3"),
        ([0, 1], [0.0, math.nan], "labels: expected whole numbers"),
        ([0, 0.5], [0, 1], "y: expected whole numbers"),
        ([0, 1], [[0.9, 0.1], [0.2, 0.8]], "labels: .* take the argmax"),
        ([0, 1], 1, "labels: .* got a single value"),
        ([0, 1], [None, 1], "labels: expected real numbers"),
    ],
)
def test_what_is_not_a_labelling_is_refused(metric: Metric, y: Any, labels: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        metric(y, labels)
