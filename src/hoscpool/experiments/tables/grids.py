"""Tables as text: the overview, rows by columns, and the list of every number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hoscpool.datasets import dataset_info
from hoscpool.experiments.experiment import find_experiment
from hoscpool.experiments.paper_tables import PaperTable
from hoscpool.experiments.tables.summaries import Results, Summary
from hoscpool.experiments.tables.view import NOT_RUN, Comparison, View
from hoscpool.support.text_tables import Grid

NOTHING = "–"
MARKS = "≠: the 95 % interval of the measured mean excludes the published value; =: it does not"
LONG_COLUMNS = ("", "method", "published", "measured", "seeds", "difference ± 95 %", "")


def overview_grids(view: View) -> list[Grid]:
    """Measured numbers, one row per dataset: the columns that the paper has, and in a table of their own the others.

    Measured numbers stand beside published ones with a mark. Where the paper has none at all, they have their spread.
    """
    printed = {comparison.column for comparison in view.comparisons if comparison.published is not None}
    if not printed:
        return [_overview_grid(view, "mean ± standard deviation (number of seeds)", _with_seeds)]
    own = replace(view, comparisons=[c for c in view.comparisons if c.column in printed])
    others = replace(view, comparisons=[c for c in view.comparisons if c.column not in printed])
    grids = [_overview_grid(own, "measured (published)", _overview)]
    if others.comparisons:
        grids.append(_overview_grid(others, "columns that the paper does not have", _overview))
    return grids


def _overview_grid(view: View, what: str, text: Callable[[Comparison], str]) -> Grid:
    rows = []
    for row in view.rows:
        cells = [view.at(row, column) for column in view.columns]
        rows.append((row, *(NOTHING if cell is None else text(cell) for cell in cells)))
    return Grid(f"{view.title}: {what}", ("", *view.columns), rows)


def _with_seeds(comparison: Comparison) -> str:
    text = _measured(comparison)
    return text if comparison.measured is None else f"{text} ({comparison.measured.count})"


def long_grid(view: View) -> Grid:
    """Every number with its spread, its seeds, and its difference with half of the 95 % interval."""
    return Grid(view.title, LONG_COLUMNS, [_long(comparison) for comparison in view.comparisons])


def measured_text(summary: Summary | None, digits: int) -> str:
    """Mean and spread.

    Examples:
        >>> measured_text(Summary(0.5, 0.01, 10), 3), measured_text(None, 3)
        ('0.500 ± 0.010', 'not run')
    """
    if summary is None:
        return NOT_RUN
    spread = f" ± {summary.sd:,.{digits}f}" if summary.count > 1 else ""
    return f"{summary.mean:,.{digits}f}{spread}"


def difference_text(difference: float | None, margin: float | None, digits: int) -> str:
    """A difference and half of its 95 % interval.

    Examples:
        >>> difference_text(-2.54, 2.31, 1), difference_text(0.25, None, 1), difference_text(None, None, 1)
        ('−2.5 ± 2.3', '+0.2', '–')
    """
    if difference is None:
        return NOTHING
    interval = "" if margin is None else f" ± {margin:,.{digits}f}"
    return f"{difference:+z,.{digits}f}{interval}".replace("-", "−")


def published_text(comparison: Comparison) -> str:
    """The published number as the paper prints it."""
    found, digits = comparison.published, comparison.paper_digits
    if found is None:
        return NOTHING
    spread = "" if found.sd is None else f" ± {found.sd:.{digits}f}"
    return f"{found.value:,.{digits}f}{spread}"


def _overview(comparison: Comparison) -> str:
    measured = comparison.measured
    here = NOT_RUN if measured is None else f"{measured.mean:,.{comparison.digits}f}"
    if measured is None and comparison.failures:
        here = "failed"
    there = comparison.published
    return here if there is None else f"{here} ({there.value:,.{comparison.paper_digits}f}) {comparison.mark}".rstrip()


def _long(comparison: Comparison) -> tuple[str, ...]:
    return (
        comparison.row,
        comparison.column,
        published_text(comparison),
        _measured(comparison),
        str(comparison.measured.count) if comparison.measured else NOTHING,
        difference_text(comparison.difference, comparison.margin, comparison.digits),
        comparison.mark,
    )


def _measured(comparison: Comparison) -> str:
    text = measured_text(comparison.measured, comparison.digits)
    if not comparison.failures:
        return text
    failed = f"{comparison.failures} failed"
    return failed if comparison.measured is None else f"{text}, {failed}"


FEWEST = 3
"""Smallest number of splits for an interval."""
EQUAL = 1e-6
ABOVE, BELOW = "▲", "▼"


def paired_grid(results: Results, table: PaperTable) -> Grid:
    """Differences to other methods: mean, half of its 95 % interval, splits and a mark; one row per dataset."""
    experiment, base, measure = find_experiment(table.experiment), table.paired_with, table.numbers[0].measured
    others = [method for method in results.methods(table) if method != base]
    rows: list[tuple[str, ...]] = []
    for dataset in results.datasets(table):
        found = [results.difference(experiment.name, dataset, other, base, measure) for other in others]
        rows.append((dataset_info(dataset).label, *map(_cell, found)))
    title = f"Points more than {experiment.title(base)} on the same splits (number of splits)"
    return Grid(title, ("", *map(table.method_title, others)), rows)


def _cell(found: Summary | None) -> str:
    """Two splits, or three equal differences, give no interval: small test parts have equal differences by chance."""
    if found is None:
        return NOTHING
    margin = found.margin if found.count >= FEWEST and found.sd > EQUAL else None
    mark = "" if margin is None or abs(found.mean) <= margin else ABOVE if found.mean > 0 else BELOW
    return f"{difference_text(found.mean, margin, 1)} ({found.count}) {mark}".rstrip()
