"""A cell: the smallest piece of an experiment. It is run once and recorded. And the cells of some tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hoscpool.experiments.experiment import experiments, find_experiment
from hoscpool.experiments.paper_tables import PaperTable
from hoscpool.support.names import did_you_mean

Key = tuple[str, str, str, int, str]
HASH_LENGTH = 12


@dataclass(frozen=True)
class Cell:
    """One fit of one method to one dataset with one seed.

    Attributes:
        experiment: Name of the experiment, and of its file of records.
        dataset: Name of the dataset.
        method: Name of the method.
        seed: Seed of everything random.
        settings: Every value that the result depends on, with all defaults. A changed default makes another cell.
    """

    experiment: str
    dataset: str
    method: str
    seed: int
    settings: Mapping[str, Any]

    @cached_property
    def hash(self) -> str:
        """Twelve digits that identify the settings."""
        return settings_hash(self.settings)

    @property
    def key(self) -> Key:
        """What identifies the cell and its record."""
        return self.experiment, self.dataset, self.method, self.seed, self.hash

    def __str__(self) -> str:
        return f"{self.experiment} {self.dataset} {self.method} seed {self.seed}"


def settings_hash(settings: Mapping[str, Any]) -> str:
    """A hash of settings that does not depend on the order of their names.

    Raises:
        TypeError: A value is not plain data (text, numbers, truth values, lists, mappings).

    Examples:
        >>> settings_hash({"mu": 0.1, "epochs": 500}) == settings_hash({"epochs": 500, "mu": 0.1})
        True
        >>> settings_hash({"mu": 0.1}) == settings_hash({"mu": 0.2})
        False
    """
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def switched_on(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings without those that are off (``None``, ``False``). So a new setting that is off does not change a hash.

    Turning a setting on or off still makes another cell, because its name is added or removed.

    Examples:
        >>> switched_on({"mu": 0.0, "consensus": False, "levels": None})
        {'mu': 0.0}
    """
    return {name: value for name, value in settings.items() if value is not None and value is not False}


def record_key(record: Mapping[str, Any]) -> Key:
    """The key of the cell that a record is about."""
    return record["experiment"], record["dataset"], record["method"], record["seed"], record["hash"]


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
