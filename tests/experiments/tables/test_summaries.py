from __future__ import annotations

from pathlib import Path

import pytest

from experiments.made_up import make_record
from hoscpool.experiments.paper_tables import PaperTable
from hoscpool.experiments.running.store import Record, Store
from hoscpool.experiments.tables.published import Published
from hoscpool.experiments.tables.summaries import Results, Summary


def test_summary_by_hand() -> None:
    assert Summary.of([]) is None
    assert Summary.of([0.5]) == Summary(0.5, 0.0, 1)
    found = Summary.of([1.0, 2.0, 3.0])
    assert found == Summary(2.0, 1.0, 3)


@pytest.mark.parametrize(
    ("value", "sd", "excluded"),
    [
        # measured 0.500 ± 0.030 over 9 seeds: the error of the mean is 0.010, t(8) is 2.306, rounding adds 0.0005
        (0.5235, None, False),
        (0.5237, None, True),
        (0.4763, None, True),
        # with a published spread of 0.040 over ten runs: the error is √(0.0001 + 0.00016) = 0.01612, the degrees of
        # freedom 0.00026² / (0.0001² / 8 + 0.00016² / 9) = 16.5, t(16.5) 2.115: 0.01612 · 2.115 + 0.0005 = 0.0346
        (0.5345, 0.040, False),
        (0.5347, 0.040, True),
    ],
)
def test_the_interval_by_hand(value: float, sd: float | None, excluded: bool) -> None:
    margin = Summary(0.5, 0.03, 9).margin_to(Published("Table 1", value, sd), digits=3)
    assert margin is not None
    assert (abs(0.5 - value) > margin) is excluded


def test_one_seed_says_nothing_and_equal_ones_are_compared_to_the_printed_digit() -> None:
    assert Summary(0.5, 0.0, 1).margin_to(Published("Table 1", 0.9), 3) is None
    assert Summary(0.5, 0.0, 5).margin_to(Published("Table 1", 0.500), 3) == 0.0005


def test_the_interval_of_a_mean_by_hand() -> None:
    assert Summary(0.5, 0.03, 9).margin == pytest.approx(2.306 * 0.01, rel=1e-4)  # t(8) is 2.306
    assert Summary(0.5, 0.0, 1).margin is None


def test_differences_are_taken_seed_by_seed(store: Store) -> None:
    for seed, score in ((1, 0.5), (2, 0.9)):
        store.append(make_record("clustering", "karate", "msc", seed, {"nmi": score}))
    results = Results(store.folder)

    def nmi(record: Record) -> float:
        return float(record["metrics"]["nmi"])

    found = results.difference("clustering", "karate", "msc", "sc", nmi)
    assert found == Summary(pytest.approx(-0.1), 0.0, 1)  # type: ignore[arg-type]
    assert results.difference("clustering", "cora", "msc", "sc", nmi) is None


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store(tmp_path)
    for seed, score in enumerate((0.4, 0.6)):
        found.append(make_record("clustering", "karate", "sc", seed, {"nmi": score}))
    return found


def test_only_records_of_todays_settings_count(store: Store) -> None:
    store.append({**make_record("clustering", "karate", "sc", 0, {"nmi": 0.9}), "hash": "another"})
    store.append({**make_record("clustering", "karate", "sc", 0, {"nmi": 0.9}), "method": "gone", "hash": "another"})
    results = Results(store.folder)
    summary = results.summary("clustering", "karate", "sc", "nmi")
    assert summary is not None
    assert (summary.mean, summary.count) == (0.5, 2)
    table = PaperTable(
        *("table", "a table", "", "clustering"),
        datasets=("cora",),
        methods=("hosc",),
        more_datasets=("karate", "dblp"),
        more_methods=("sc", "gone", "msc"),
    )
    assert results.methods(table) == ["hosc", "sc"]
    assert results.datasets(table) == ["cora", "karate"]


def test_failures_do_not_count_until_they_are_mended(store: Store) -> None:
    failed = make_record("clustering", "karate", "sc", 2, status="failed", error="E")
    store.append({name: value for name, value in failed.items() if name not in ("metrics", "seconds")})
    results = Results(store.folder)
    assert len(results.finished("clustering", "karate", "sc")) == 2
    assert len(results.failed("clustering", "karate", "sc")) == 1
    store.append(make_record("clustering", "karate", "sc", 2, {"nmi": 0.5}))
    results = Results(store.folder)
    assert len(results.finished("clustering", "karate", "sc")) == 3
    assert results.failed("clustering", "karate", "sc") == []


def test_functions_of_records(store: Store) -> None:
    summary = Results(store.folder).summary("clustering", "karate", "sc", lambda record: record["seconds"]["cpu"])
    assert summary == Summary(1.0, 0.0, 2)
    assert Results(store.folder).summary("clustering", "cora", "sc", "nmi") is None
