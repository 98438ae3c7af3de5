from __future__ import annotations

import math
from typing import Any

import pytest

from hoscpool.metrics import SizeStatistics, cluster_sizes, size_statistics
from metrics.direct import entropy


def test_sizes_with_empty_clusters() -> None:
    assert cluster_sizes([0, 3, 3]).tolist() == [1, 0, 0, 2]
    assert cluster_sizes([0, 3, 3], n_clusters=6).tolist() == [1, 0, 0, 2, 0, 0]
    assert cluster_sizes(["b", "a", "b"]).tolist() == [1, 2]
    assert cluster_sizes([]).tolist() == []


def test_the_statistics_are_the_direct_sums() -> None:
    labels = [0, 0, 0, 1, 1, 4]
    found = size_statistics(labels, n_clusters=5)
    assert (found.n_clusters, found.live, found.smallest, found.largest) == (5, 3, 1, 3)
    assert found.largest_share == 0.5
    assert found.entropy == pytest.approx(entropy(labels))
    assert found.balance == pytest.approx(entropy(labels) / math.log(5))


@pytest.mark.parametrize(
    ("labels", "n_clusters", "expected"),
    [
        ([0, 0, 0], None, SizeStatistics(1, 1, 3, 3, 1.0, 0.0, 1.0)),
        ([1, 1, 1], 4, SizeStatistics(4, 1, 3, 3, 1.0, 0.0, 0.0)),
        ([], 3, SizeStatistics(3, 0, 0, 0, 0.0, 0.0, 0.0)),
        ([], None, SizeStatistics(0, 0, 0, 0, 0.0, 0.0, 1.0)),
    ],
)
def test_collapsed_and_empty_clusterings(labels: list[int], n_clusters: int | None, expected: SizeStatistics) -> None:
    found = size_statistics(labels, n_clusters)
    assert found == expected
    assert math.copysign(1, found.entropy) == 1


def test_equal_clusters_are_balanced() -> None:
    assert size_statistics([0, 1, 2, 0, 1, 2]).balance == pytest.approx(1)


@pytest.mark.parametrize(
    ("labels", "n_clusters", "message"),
    [
        ([0, -1], None, "labels: expected numbers ≥ 0, got -1"),
        ([0, 4], 4, "labels: expected 0 to 3 for n_clusters=4, got 4"),
        ([0.5], None, "labels: expected whole numbers"),
    ],
)
def test_wrong_labels_are_refused(labels: Any, n_clusters: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        size_statistics(labels, n_clusters)
