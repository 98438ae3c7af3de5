"""The accuracies that graph classification was to reach, with no pooling and random clusters beside HoscPool."""

from __future__ import annotations

from hoscpool.datasets import dataset_info
from hoscpool.experiments import PAPER_TABLES, Results, find_experiment, measured_text
from hoscpool.support.text_tables import Grid

GOALS = {
    "proteins": 76, "nci1": 80, "mutagenicity": 82, "dd": 79, "reddit-b": 92, "bench-hard": 74, "er-md-bonds": 78,
    "cox2-md-bonds": 66,
}  # fmt: skip
"""The mean accuracy in per cent that HoscPool was to reach over ten splits, by set of graphs."""
_SPLITS = 10
_POOLS = ("none", "random", "mincut", "hosc")
_RECIPES = {"paper's network": "", "deep": "deep-"}
_MEASURE = PAPER_TABLES["deep"].numbers[0]


def goals_grid(results: Results) -> Grid:
    """One row a set and a recipe: four pools, and whether HoscPool reached the goal."""
    titles = map(find_experiment("classification").title, _POOLS)
    columns = ("", "recipe", "to reach", *titles, "HoscPool there")
    rows = [_row(results, name, recipe) for name in GOALS for recipe in _RECIPES]
    return Grid("Accuracy in %: mean ± standard deviation (number of splits)", columns, rows)


def _row(results: Results, dataset: str, recipe: str) -> tuple[str, ...]:
    names = [_RECIPES[recipe] + pool for pool in _POOLS]
    found = [results.summary("classification", dataset, name, _MEASURE.measured) for name in names]
    texts = (measured_text(s, _MEASURE.digits) + (f" ({s.count})" if s else "") for s in found)
    hosc = found[-1]
    mark = "" if hosc is None else "✓" if hosc.mean >= GOALS[dataset] else "✗"
    mark += " so far" if hosc is not None and hosc.count < _SPLITS else ""
    return (dataset_info(dataset).label, recipe, str(GOALS[dataset]), *texts, mark)
