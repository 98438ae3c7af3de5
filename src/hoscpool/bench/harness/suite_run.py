"""Runs the cases of a suite and prints their tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from hoscpool.bench.harness.cases import Case, CaseResult
from hoscpool.bench.harness.measure import Settings, measure
from hoscpool.bench.harness.result_tables import case_grid, disturbance, ratio_grids
from hoscpool.support.text_tables import Grid, to_rich


def run_cases(
    cases: Sequence[Case],
    settings: Settings,
    console: Console,
    after_case: Callable[[list[CaseResult]], None] = lambda _: None,
) -> list[CaseResult]:
    """Measure the cases one after the other, and print each table as soon as it is ready.

    Args:
        cases: What to measure.
        settings: How to measure.
        console: Where to print.
        after_case: Called with all results so far.
    """
    columns = (BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    results: list[CaseResult] = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=len(cases))
        for case in cases:
            result = measure(case, settings, lambda text: progress.update(bar, description=text))
            console.print(to_rich(case_grid(result)))
            results.append(result)
            after_case(results)
            progress.advance(bar)
    return results


def print_summary(results: Sequence[CaseResult], console: Console, closing: Sequence[Grid] = ()) -> None:
    """The ratios of the whole run, further tables, and the targets that were missed."""
    for grid in (*ratio_grids(results), *closing):
        console.print(to_rich(grid))
    for result in results:
        for outcome in result.outcomes:
            if result.is_reached(outcome) is False:
                console.print(f"target missed: {result.case.title}: {outcome.contender.name}", markup=False)
    if disturbance(results):
        console.print(disturbance(results), markup=False)


def exit_code(results: Sequence[CaseResult]) -> int:
    """1 if an answer differs from ours or ours failed, otherwise 0. A missed target or missing peer is no failure."""
    statuses = [outcome.status for result in results for outcome in result.outcomes]
    ours = [result.outcomes[0].status for result in results if result.outcomes]
    return int("differs" in statuses or any(status != "ok" for status in ours))
