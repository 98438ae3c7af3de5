"""Results of a suite as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hoscpool.bench.harness.cases import CaseResult, Outcome, Target
from hoscpool.support.text_tables import Grid

NOTHING = "–"
COLUMNS = ("contender", "threads", "time", "ratio", "target", "", "memory", "CPU", "runs", "result")


def case_grid(result: CaseResult) -> Grid:
    """Everything about one case, a row for every contender."""
    facts = ", ".join(f"{value:,} {name}" for name, value in result.facts.items())
    title = f"{result.case.title} ({facts})" if facts else f"{result.case.title}: {result.note or 'nothing measured'}"
    names = list(dict.fromkeys(name for outcome in result.outcomes for name in outcome.measures))
    columns = (*COLUMNS[:2], time_column(result), *COLUMNS[3:-1], *names, COLUMNS[-1])
    return Grid(title, columns, [_row(result, outcome, names) for outcome in result.outcomes])


def time_column(result: CaseResult) -> str:
    """The heading of times: which clock they are from."""
    return "time" if result.case.clock == "seconds" else "CPU time"


def _row(result: CaseResult, outcome: Outcome, names: Sequence[str]) -> tuple[str, ...]:
    contender, best, ratio = outcome.contender, outcome.best, result.ratio(outcome)
    return (
        contender.name,
        str(contender.threads),
        NOTHING if outcome.time is None else seconds_text(outcome.time),
        ratio_text(ratio) if ratio else NOTHING,
        target_text(contender.target),
        mark(result.is_reached(outcome)),
        memory_text(outcome.memory) if outcome.memory is not None else NOTHING,
        f"{best.cpu_seconds / best.seconds:.1f}" if best else NOTHING,
        str(len(outcome.runs)),
        *(measure_text(outcome.measures.get(name)) for name in names),
        verdict(result, outcome),
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
            *(f"{result.facts[fact]:,}" if fact in result.facts else NOTHING for fact in facts),
            *(_ratio_cell(result, name) for name in (None, *peers)),
        )
        for result in results
    ]
    return Grid(f"{task} (threads: {threads})", ("on", *facts, results[0].case.contenders[0].name, *peers), rows)


def _ratio_cell(result: CaseResult, name: str | None) -> str:
    """Our time, or the ratio of the contender of that name."""
    if not result.outcomes:
        return "no data"
    ours = result.outcomes[0]
    if name is None:
        return ours.status if ours.time is None else seconds_text(ours.time)
    for outcome in result.outcomes[1:]:
        if outcome.contender.name == name:
            return _judged(result, outcome)
    return NOTHING


def _judged(result: CaseResult, outcome: Outcome) -> str:
    ratio = result.ratio(outcome)
    if outcome.status != "ok" or ratio is None:
        if outcome.status == "failed":
            return outcome.note.partition(":")[0]  # the table of this case has all of it
        return outcome.note if outcome.status == "skipped" else outcome.status
    reached = result.is_reached(outcome) if outcome.contender.target.ratio is not None else None
    return f"{ratio_text(ratio)} {mark(reached)}".rstrip()


def disturbance(results: Iterable[CaseResult]) -> str:
    """A warning if the machine was busy with something else, or nothing."""
    outcomes = [outcome for result in results for outcome in result.outcomes]
    disturbed = sum(outcome.is_disturbed for outcome in outcomes)
    if not disturbed:
        return ""
    return (
        f"The machine was busy: {disturbed} of {len(outcomes)} contenders had to wait for a processor (CPU below 0.85)."
    )


def seconds_text(value: float) -> str:
    """A time.

    Examples:
        >>> seconds_text(0.01234), seconds_text(1.5), seconds_text(123.4)
        ('12.3 ms', '1.50 s', '123 s')
    """
    return f"{figures(value * 1e3)} ms" if value < 1 else f"{figures(value)} s"


def memory_text(n_bytes: float) -> str:
    """An amount of memory.

    Examples:
        >>> memory_text(2_500_000), memory_text(4e9)
        ('2.50 MB', '4.00 GB')
    """
    return f"{figures(n_bytes / 1e6)} MB" if n_bytes < 1e9 else f"{figures(n_bytes / 1e9)} GB"


def measure_text(value: float | None) -> str:
    """A measure of quality.

    Examples:
        >>> measure_text(0.98765), measure_text(47), measure_text(None)
        ('0.9877', '47', '–')
    """
    return NOTHING if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def ratio_text(value: float) -> str:
    """A ratio.

    Examples:
        >>> ratio_text(12.34)
        '12.3×'
    """
    return f"{figures(value)}×"


def figures(value: float) -> str:
    """Three significant figures, without an exponent."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def target_text(wanted: Target) -> str:
    """The target as text."""
    parts = [
        f"≥ {wanted.ratio:.3g}×" if wanted.ratio is not None else "",
        f"≤ {wanted.seconds:g} s" if wanted.seconds is not None else "",
        f"≤ {wanted.memory / 1e9:g} GB" if wanted.memory is not None else "",
    ]
    return ", ".join(filter(None, parts))


def mark(reached: bool | None) -> str:
    """A mark for a target: reached, missed, or none."""
    return {True: "✓", False: "✗", None: ""}[reached]


def verdict(result: CaseResult, outcome: Outcome) -> str:
    """The result of a contender in words."""
    if outcome.status not in ("ok", "differs"):
        return f"{outcome.status}: {outcome.note}"
    contender, is_ours = outcome.contender, outcome is result.outcomes[0]
    same = "reference" if is_ours else "same result" if contender.compared else "not compared"
    if result.case.judge is not None and not contender.compared:
        same = "checked"
    return "; ".join(filter(None, [outcome.note or same, contender.remark]))
