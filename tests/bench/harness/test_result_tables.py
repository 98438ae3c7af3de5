"""Tables, pages and records of one made-up run with every kind of outcome."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from hoscpool.bench.harness.cases import Case, CaseResult, Contender, Outcome, Target
from hoscpool.bench.harness.contender_process import Run
from hoscpool.bench.harness.measure import Settings
from hoscpool.bench.harness.result_files import SuiteRun
from hoscpool.bench.harness.result_tables import case_grid, disturbance, ratio_grids, target_text, verdict
from hoscpool.bench.harness.suite_run import exit_code, print_summary
from hoscpool.support.machine import machine_summary, versions
from hoscpool.support.text_tables import to_markdown


def outcome(name: str, seconds: float | None, target: Target = Target(), **options: Any) -> Outcome:  # noqa: B008
    runs = [] if seconds is None else [Run(2 * seconds, seconds), Run(seconds, seconds)]
    return Outcome(Contender(name, len, target=target), runs=runs, **options)


def result_of(on: str, *outcomes: Outcome, **options: Any) -> CaseResult:
    return CaseResult(Case("count", on, dict, tuple(o.contender for o in outcomes)), list(outcomes), **options)


@pytest.fixture
def results() -> list[CaseResult]:
    ours = outcome("HoscPool", 0.02, memory=2_000_000)
    everything = result_of(
        "toy",
        ours,
        outcome("fast", 0.03, Target(ratio=2), memory=3_000_000_000),
        outcome("slow", 3.0, Target(ratio=50)),
        outcome("wrong", 0.5, status="differs", note="differs in 1 of 3 values"),
        outcome("late", None, status="skipped", note="> 60 s"),
        outcome("big", None, status="failed", note="out of memory: 22 GiB"),
        outcome("absent", None, status="not installed", note="pip install absent"),
        facts={"nodes": 1_000, "triangles": 12},
    )
    nothing = CaseResult(Case("count", "real", dict, (ours.contender,)), note="no data: set HOSCPOOL_DATA")
    return [everything, nothing]


def test_details(results: list[CaseResult]) -> None:
    grid = case_grid(results[0])
    assert grid.title == "count, toy (1,000 nodes, 12 triangles)"
    rows = [dict(zip(grid.columns, row, strict=True)) for row in grid.rows]
    assert rows[0]["time"] == "20.0 ms"
    assert rows[0]["memory"] == "2.00 MB"
    assert rows[0]["result"] == "reference"
    assert [row["ratio"] for row in rows] == ["–", "1.50×", "150×", "25.0×", "–", "–", "–"]
    assert [row[""] for row in rows] == ["", "✗", "✓", "", "", "", ""]
    assert [row["result"] for row in rows[1:]] == [
        "same result",
        "same result",
        "differs in 1 of 3 values",
        "skipped: > 60 s",
        "failed: out of memory: 22 GiB",
        "not installed: pip install absent",
    ]


def test_remarks_and_what_is_not_compared() -> None:
    def words(**options: Any) -> str:
        peer = outcome("peer", 0.1)
        peer.contender = replace(peer.contender, **options)
        return verdict(result_of("toy", outcome("HoscPool", 0.1), peer), peer)

    assert words(compared=False) == "not compared"
    assert words(compared=False, remark="with a stand-in") == "not compared; with a stand-in"
    assert words(remark="with a stand-in") == "same result; with a stand-in"


def test_a_case_without_data_says_so(results: list[CaseResult]) -> None:
    assert case_grid(results[1]).title == "count, real: no data: set HOSCPOOL_DATA"
    assert to_markdown(case_grid(results[1])) == "**count, real: no data: set HOSCPOOL_DATA**\n"


def test_ratios(results: list[CaseResult]) -> None:
    (grid,) = ratio_grids(results)
    peers = ("fast", "slow", "wrong", "late", "big", "absent")
    assert grid.columns == ("on", "nodes", "triangles", "HoscPool", *peers)
    shown = ("1.50× ✗", "150× ✓", "differs", "> 60 s", "out of memory", "not installed")
    assert grid.rows[0] == ("toy", "1,000", "12", "20.0 ms", *shown)
    assert grid.rows[1] == ("real", "–", "–", *["no data"] * 7)


def test_a_ratio_is_marked_only_if_it_has_a_target() -> None:
    (grid,) = ratio_grids([result_of("x", outcome("HoscPool", 1.0), outcome("b", 1.0, Target(seconds=2)))])
    assert grid.rows == [("x", "1.00 s", "1.00×")]


def test_tasks_and_peers_keep_their_order() -> None:
    first, second = (
        result_of("x", outcome("HoscPool", 1.0), outcome("b", 1.0)),
        result_of("y", outcome("HoscPool", 1.0)),
    )
    (grid,) = ratio_grids([first, second])
    assert grid.rows[1] == ("y", "1.00 s", "–")


def test_markdown_is_a_table(results: list[CaseResult]) -> None:
    lines = to_markdown(case_grid(results[0])).splitlines()
    assert lines[0] == "**count, toy (1,000 nodes, 12 triangles)**"
    assert len({line.count("|") for line in lines[2:]}) == 1
    assert len(lines) == 2 + 2 + 7


def test_page(results: list[CaseResult]) -> None:
    page = SuiteRun("toy", "How toys are compared.", Settings(5, 60.0), results).to_markdown()
    assert page.startswith("## `hoscpool bench toy`\n\nHow toys are compared.")
    for part in (machine_summary()["processor"], "hoscpool ", "Best of up to 5 runs", "150× ✓", "no data"):
        assert part in page


def test_records(results: list[CaseResult]) -> None:
    content = json.loads(json.dumps(SuiteRun("toy", "", Settings(), results).to_json()))
    slow = next(record for record in content["records"] if record["contender"] == "slow")
    assert slow["ratio"] == 150
    assert slow["runs"] == [6.0, 3.0]
    assert slow["target"] == {"ratio": 50}
    assert slow["reached"] is True
    assert content["records"][-1]["status"] == "no data"
    assert content["settings"] == {"repeats": 5, "budget": 60.0}


def test_summary_lists_missed_targets(results: list[CaseResult]) -> None:
    console = Console(width=150)
    with console.capture() as capture:
        print_summary(results, console)
    assert "target missed: count, toy: fast" in capture.get()
    assert "count, toy: slow" not in capture.get()


def test_a_busy_machine_is_mentioned(results: list[CaseResult]) -> None:
    assert disturbance(results) == ""
    results[0].outcomes[1].runs = [Run(2.0, 1.0)]
    console = Console(width=150)
    with console.capture() as capture:
        print_summary(results, console)
    assert "The machine was busy: 1 of 7 contenders" in capture.get()
    assert "The machine was busy: 1 of 7" in SuiteRun("toy", "", Settings(), results).to_markdown()


def test_exit_code() -> None:
    good, bad = outcome("HoscPool", 1.0), outcome("a", 1.0, status="differs")
    assert exit_code([result_of("x", good, outcome("a", None, status="skipped"))]) == 0
    assert exit_code([result_of("x", good, bad)]) == 1
    assert exit_code([result_of("x", outcome("HoscPool", None, status="failed"))]) == 1
    assert exit_code([CaseResult(Case("count", "x", dict, ()))]) == 0


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (Target(), ""),
        (Target(ratio=1.5), "≥ 1.5×"),
        (Target(ratio=50), "≥ 50×"),
        (Target(seconds=60, memory=4e9), "≤ 60 s, ≤ 4 GB"),
    ],
)
def test_target_in_words(target: Target, text: str) -> None:
    assert target_text(target) == text


def test_versions_leave_out_what_is_not_there() -> None:
    found = versions(["numpy", "no-such-package"])
    assert list(found) == ["python", "numpy"]
