"""Splits: a partition, stratified, and the same for ever."""

from __future__ import annotations

import numpy as np
import pytest

from hoscpool.classify import stratified_splits
from hoscpool.classify.evaluation.splits import hold_out

LABELS = np.repeat([7, 3, 5], [61, 33, 9])


@pytest.mark.parametrize("number", range(3))
def test_every_graph_is_in_one_part(number: int) -> None:
    split = stratified_splits(LABELS, 3, random_state=4)[number]
    assert sorted(np.concatenate(split)) == list(range(103))
    assert {len(split.validation), len(split.test)} <= {10, 11}


def test_every_part_has_its_share_of_every_class() -> None:
    for split in stratified_splits(LABELS):
        for label, count in ((7, 61), (3, 33), (5, 9)):
            for part, share in ((split.train, 0.8), (split.validation, 0.1), (split.test, 0.1)):
                assert abs((LABELS[part] == label).sum() - share * count) <= 1.8


def test_splits_differ_but_repeat() -> None:
    first, again, other = (stratified_splits(LABELS, n, random_state=s) for n, s in ((3, 0), (2, 0), (3, 1)))
    assert all(np.array_equal(a.test, b.test) for a, b in zip(first, again, strict=False))
    assert not np.array_equal(first[0].test, first[1].test)
    assert not np.array_equal(first[0].test, other[0].test)


def test_they_are_the_same_on_every_machine() -> None:
    assert stratified_splits(LABELS, 1)[0].test.tolist() == [5, 13, 17, 24, 33, 36, 52, 64, 72, 87, 90]


def test_shuffled_labels_give_shuffled_parts() -> None:
    order = np.random.default_rng(0).permutation(103)
    split = stratified_splits(LABELS[order], 1)[0]
    assert set(LABELS[order][split.test]) >= {3, 7}, "a class of ten or more is in every part"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": [0, 1]}, "at least 10 graphs"),
        ({"labels": LABELS, "n_splits": 0}, "n_splits"),
        ({"labels": LABELS, "random_state": -1}, "random_state"),
    ],
)
def test_bad_input(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        stratified_splits(**arguments)  # type: ignore[arg-type]


def test_holding_out_a_tenth() -> None:
    kept, held = hold_out(LABELS, 0)
    assert sorted([*kept, *held]) == list(range(103))
    assert len(held) in (10, 11)


def test_the_only_graph_of_a_class_is_not_held_out() -> None:
    labels = np.array([0] * 19 + [1])
    for seed in range(30):
        kept, held = hold_out(labels, seed)
        assert sorted([*kept, *held]) == list(range(20))
        assert 19 in kept
        assert len(held) >= 1
