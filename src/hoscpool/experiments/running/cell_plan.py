"""The cells of some tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hoscpool.experiments.experiment import experiments, find_experiment
from hoscpool.experiments.paper_tables import PaperTable
from hoscpool.experiments.running.cell import Cell, Key
from hoscpool.support.names import did_you_mean


def plan_cells(
    tables: Iterable[PaperTable],
    datasets: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    seeds: int | None = None,
) -> list[Cell]:
    """All cells of some tables, each once. They are in order of seeds, so a run that stops early has every method.

    Args:
        tables: The tables.
        datasets: Datasets instead of the default ones. A table without one of them skips it.
        methods: Methods instead of the default ones.
        seeds: Number of seeds instead of the default one.

    Returns:
        The cells by seed; within a seed from cheap to expensive experiments.

    Raises:
        ValueError: A dataset or method is in none of the tables, or no table has one of each.
    """
    tables = list(tables)
    _check("datasets", datasets, [(*table.datasets, *table.more_datasets) for table in tables])
    _check("methods", methods, [(*table.methods, *table.more_methods) for table in tables])
    cells: dict[Key, Cell] = {}
    for table in tables:
        for cell in _cells(table, datasets, methods, seeds or table.seeds):
            cells.setdefault(cell.key, cell)
    if not cells:
        raise ValueError("--datasets, --methods: no table has one of these datasets together with one of these methods")
    order = list(experiments())
    return sorted(cells.values(), key=lambda cell: (cell.seed, order.index(cell.experiment)))


def _cells(table: PaperTable, datasets: Sequence[str] | None, methods: Sequence[str] | None, seeds: int) -> list[Cell]:
    experiment = find_experiment(table.experiment)
    found = []
    for dataset in _choose(datasets, table.datasets, table.more_datasets):
        for method in _choose(methods, table.methods, table.more_methods):
            settings = experiment.settings(dataset, method)
            found += [Cell(table.experiment, dataset, method, seed, settings) for seed in range(seeds)]
    return found


def _choose(asked: Sequence[str] | None, default: Sequence[str], more: Sequence[str]) -> list[str]:
    return list(default) if asked is None else [name for name in (*default, *more) if name in asked]


def _check(what: str, asked: Sequence[str] | None, known: Iterable[Sequence[str]]) -> None:
    names = list(dict.fromkeys(name for group in known for name in group))
    for name in asked or ():
        if name not in names:
            raise ValueError(f"--{what}: expected some of {', '.join(names)}, got {name!r}{did_you_mean(name, names)}")
