"""Numbers for readers: three significant figures and a unit."""

from __future__ import annotations

from hoscpool.bench.harness.cases import CaseResult, Outcome, Target

NOTHING = "–"


def seconds(value: float) -> str:
    """A time.

    Examples:
        >>> seconds(0.01234), seconds(1.5), seconds(123.4)
        ('12.3 ms', '1.50 s', '123 s')
    """
    return f"{figures(value * 1e3)} ms" if value < 1 else f"{figures(value)} s"


def memory(n_bytes: float) -> str:
    """An amount of memory.

    Examples:
        >>> memory(2_500_000), memory(4e9)
        ('2.50 MB', '4.00 GB')
    """
    return f"{figures(n_bytes / 1e6)} MB" if n_bytes < 1e9 else f"{figures(n_bytes / 1e9)} GB"


def ratio(value: float) -> str:
    """A ratio.

    Examples:
        >>> ratio(12.34)
        '12.3×'
    """
    return f"{figures(value)}×"


def figures(value: float) -> str:
    """Three significant figures, without an exponent."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def target(wanted: Target) -> str:
    """The target as text."""
    parts = [
        f"≥ {wanted.ratio:g}×" if wanted.ratio is not None else "",
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
    return "; ".join(filter(None, [outcome.note or same, contender.remark]))
