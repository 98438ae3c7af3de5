"""Training on ranks as a benchmark: the same labels, and numbers for every column."""

from __future__ import annotations

import numpy as np
import pytest

from hoscpool.bench.graphs.labelled_graphs import Task, planted
from hoscpool.bench.harness.cases import CaseResult, Outcome
from hoscpool.bench.suites.rank_cases import COLUMNS, labels_differ, measures_of, rank_cases, rank_grid, train


def test_cases_compare_one_process_with_ranks() -> None:
    (case,) = rank_cases(["100k"])
    assert [contender.name for contender in case.contenders] == ["one process", "2 ranks", "4 ranks"]


def test_every_measured_contender_has_a_row() -> None:
    (case,) = rank_cases(["100k"])
    measured = Outcome(case.contenders[1], measures=dict.fromkeys(COLUMNS, 1234.5))
    grid = rank_grid([CaseResult(case, [Outcome(case.contenders[0]), measured], {"edges": 5000})])
    assert grid.rows == [("5,000 edges, 2 ranks", *["1.23e+03"] * 4)]


def test_labels_may_differ_by_rounding_only() -> None:
    labels = {"labels": np.zeros(2000, int)}
    assert labels_differ(labels, {"labels": np.arange(2000) == 7}) is None
    assert labels_differ(labels, {"labels": np.arange(2000) < 20}) is not None


@pytest.mark.slow
def test_two_ranks_find_what_one_process_finds() -> None:
    task = Task(planted(100_000), 5)
    one, two = train(1, task), train(2, task)
    assert labels_differ(one, two) is None
    measures = measures_of(task, two)
    assert set(measures) == set(COLUMNS)
    assert measures["MB sent an epoch"] > 0
    assert measures_of(task, one)["MB sent an epoch"] == 0
