"""Results as tables, for the terminal and for markdown alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hoscpool.bench.harness import numbers as cells
from hoscpool.bench.harness.cases import CaseResult, Outcome

if TYPE_CHECKING:
    from rich.table import Table

COLUMNS = ("contender", "threads", "time", "ratio", "target", "", "memory", "CPU", "runs", "result")


@dataclass(frozen=True)
class Grid:
    """A table as text: a title, the column names, and the rows; the first column is aligned left."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def case_grid(result: CaseResult) -> Grid:
    """Everything about one case, a row for every contender."""
    facts = ", ".join(f"{value:,} {name}" for name, value in result.facts.items())
    title = f"{result.case.title} ({facts})" if facts else f"{result.case.title}: {result.note or 'nothing measured'}"
    return Grid(title, COLUMNS, [_row(result, outcome) for outcome in result.outcomes])


def _row(result: CaseResult, outcome: Outcome) -> tuple[str, ...]:
    contender, best, ratio = outcome.contender, outcome.best, result.ratio(outcome)
    return (
        contender.name,
        str(contender.threads),
        cells.seconds(best.seconds) if best else cells.NOTHING,
        cells.ratio(ratio) if ratio else cells.NOTHING,
        cells.target(contender.target),
        cells.mark(result.is_reached(outcome)),
        cells.memory(outcome.memory) if outcome.memory is not None else cells.NOTHING,
        f"{best.cpu_seconds / best.seconds:.1f}" if best else cells.NOTHING,
        str(len(outcome.runs)),
        cells.verdict(result, outcome),
    )


def ratio_grids(results: Iterable[CaseResult]) -> list[Grid]:
    """One table for every task: how many times slower than ours each contender is, a row for every workload."""
    by_task: dict[tuple[str, int], list[CaseResult]] = {}
    for result in results:
        by_task.setdefault((result.case.task, result.case.contenders[0].threads), []).append(result)
    return [_ratio_grid(task, threads, group) for (task, threads), group in by_task.items()]


def _ratio_grid(task: str, threads: int, results: list[CaseResult]) -> Grid:
    facts = list(dict.fromkeys(fact for result in results for fact in result.facts))
    peers = list(dict.fromkeys(peer.name for result in results for peer in result.case.contenders[1:]))
    rows = [
        (
            result.case.on,
            *(f"{result.facts[fact]:,}" if fact in result.facts else cells.NOTHING for fact in facts),
            *(_ratio_cell(result, name) for name in (None, *peers)),
        )
        for result in results
    ]
    return Grid(f"{task} (threads: {threads})", ("on", *facts, "HoscPool", *peers), rows)


def _ratio_cell(result: CaseResult, name: str | None) -> str:
    """Our time, or the ratio of the contender of that name."""
    if not result.outcomes:
        return "no data"
    ours = result.outcomes[0]
    if name is None:
        return cells.seconds(ours.best.seconds) if ours.best else ours.status
    for outcome in result.outcomes[1:]:
        if outcome.contender.name == name:
            return _judged(result, outcome)
    return cells.NOTHING


def _judged(result: CaseResult, outcome: Outcome) -> str:
    ratio = result.ratio(outcome)
    if outcome.status != "ok" or ratio is None:
        if outcome.status == "failed":
            return outcome.note.partition(":")[0]  # the table of this case has all of it
        return outcome.note if outcome.status == "skipped" else outcome.status
    reached = result.is_reached(outcome) if outcome.contender.target.ratio is not None else None
    return f"{cells.ratio(ratio)} {cells.mark(reached)}".rstrip()


def disturbance(results: Iterable[CaseResult]) -> str:
    """A warning if the machine was busy with something else, or nothing."""
    outcomes = [outcome for result in results for outcome in result.outcomes]
    disturbed = sum(outcome.is_disturbed for outcome in outcomes)
    if not disturbed:
        return ""
    return (
        f"The machine was busy: {disturbed} of {len(outcomes)} contenders had to wait for a processor (CPU below 0.85)."
    )


def to_rich(grid: Grid) -> Table:
    """The table for the terminal."""
    from rich import box
    from rich.table import Table

    table = Table(title=grid.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, column in enumerate(grid.columns):
        left = number == 0 or column == "result"
        table.add_column(column, justify="left" if left else "right", overflow="fold")
    for row in grid.rows:
        table.add_row(*row)
    return table


def to_markdown(grid: Grid) -> str:
    """The table in markdown, under its title in bold."""
    lines = [grid.columns, ("---", *("---:" for _ in grid.columns[1:])), *grid.rows]
    table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    return f"**{grid.title}**\n\n{table}\n" if grid.rows else f"**{grid.title}**\n"
