"""Stratified splits 80/10/10 that are the same on every machine."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]
PARTS = 10
"""One tenth is for validation, one tenth for the test."""


class Split(NamedTuple):
    """The numbers of the graphs of every part, ascending."""

    train: Indices
    validation: Indices
    test: Indices


def stratified_splits(labels: Any, n_splits: int = 10, random_state: int = 0) -> list[Split]:
    """Independent splits into 80 % training, 10 % validation and 10 % test.

    The graphs are shuffled, sorted by class and taken ten at a time. Two of the ten, drawn at random, go to validation
    and test. So every part holds each class in proportion, to within one graph. Split number i depends only on the
    labels, the seed and i. NumPy's legacy generator never changes, so the seed is enough to repeat it.

    Args:
        labels: The class of every graph, ``[n]``, n ≥ 10.
        n_splits: Number of splits. The first ones are the same for every number.
        random_state: The seed.

    Returns:
        The splits.

    Raises:
        ValueError: There are fewer than ten graphs, or a number is out of range.

    Examples:
        >>> first = stratified_splits([0] * 10 + [1] * 10, n_splits=1)[0]
        >>> first.validation.tolist(), first.test.tolist()
        ([9, 14], [5, 11])
    """
    classes = np.unique(_check_labels(labels), return_inverse=True)[1]
    if isinstance(n_splits, bool) or not isinstance(n_splits, int) or n_splits < 1:
        raise ValueError(f"n_splits: expected a whole number ≥ 1, got {n_splits!r}")
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer) or random_state < 0:
        raise ValueError(f"random_state: expected a whole number ≥ 0, got {random_state!r}")
    return [_split(classes, np.random.RandomState([int(random_state), i])) for i in range(n_splits)]


def hold_out(labels: Any, random_state: int) -> tuple[Indices, Indices]:
    """Nine tenths for training and one tenth for validation, stratified in the same way.

    The only graph of a class stays in training.

    Raises:
        ValueError: There are fewer than ten graphs.
    """
    split, classes = stratified_splits(labels, 1, random_state)[0], np.asarray(labels)
    kept, held = np.concatenate([split.train, split.test]), split.validation
    known = np.isin(classes[held], classes[kept])
    return np.sort(np.concatenate([kept, held[~known]])), held[known]


def _check_labels(labels: Any) -> npt.NDArray[Any]:
    array = np.asarray(labels)
    if array.ndim != 1 or len(array) < PARTS:
        raise ValueError(
            f"labels: expected the classes of at least {PARTS} graphs, got shape {list(array.shape)}; "
            "with fewer graphs choose the parts yourself"
        )
    return array


def _split(classes: Indices, rng: np.random.RandomState) -> Split:
    order = rng.permutation(len(classes))
    order = order[np.argsort(classes[order], kind="stable")]
    places = rng.permutation(PARTS)[:2]
    turn = np.arange(len(order)) % PARTS
    parts = (order[~np.isin(turn, places)], order[turn == places[0]], order[turn == places[1]])
    return Split(*(np.sort(part).astype(np.int64) for part in parts))
