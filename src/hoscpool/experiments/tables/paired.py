"""Tables 3 and 5 split by split: what the other methods have more than HoscPool."""

from __future__ import annotations

from hoscpool.bench.tables import Grid
from hoscpool.experiments.catalog import TARGETS, title
from hoscpool.experiments.results import Results, Summary
from hoscpool.experiments.tables.classification import percent
from hoscpool.experiments.tables.render import NOTHING, difference_text

PAIRED = ("table3", "table5")
"""Tables whose methods were all run on the same splits."""
BASE = "hosc"
FEWEST = 3
"""Splits that an interval takes."""
EQUAL = 1e-6
ABOVE, BELOW = "▲", "▼"


def paired_grid(results: Results, name: str) -> Grid:
    """A row for every dataset, a column for every other method: mean, half of its 95 % interval, splits, and a mark."""
    target = TARGETS[name]
    others = [method for method in results.methods(target) if method != BASE]
    rows: list[tuple[str, ...]] = [
        (
            title(dataset),
            *(_cell(results.difference(target.experiment, dataset, other, BASE, percent)) for other in others),
        )
        for dataset in results.datasets(target)
    ]
    return Grid("Points more than HoscPool on the same splits (number of splits)", ("", *map(title, others)), rows)


def _cell(found: Summary | None) -> str:
    """Two splits, or three with the same difference, are no interval: test parts of few graphs have such by chance."""
    if found is None:
        return NOTHING
    margin = found.margin if found.count >= FEWEST and found.sd > EQUAL else None
    mark = "" if margin is None or abs(found.mean) <= margin else ABOVE if found.mean > 0 else BELOW
    return f"{difference_text(found.mean, margin, 1)} ({found.count}) {mark}".rstrip()
