"""From a name on the command line to cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hoscpool.bench.names import did_you_mean
from hoscpool.experiments.catalog import TARGETS, Target, experiment_module
from hoscpool.experiments.cell import Cell, Key

ALL = "all"


def find_targets(name: str) -> list[Target]:
    """The targets of a name: one, or all.

    Raises:
        ValueError: There is none.
    """
    if name == ALL:
        return list(TARGETS.values())
    if name not in TARGETS:
        raise ValueError(f"name: expected one of {', '.join((*TARGETS, ALL))}, got {name!r}")
    return [TARGETS[name]]


def plan_cells(
    targets: Iterable[Target],
    datasets: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    seeds: int | None = None,
) -> list[Cell]:
    """All cells of some targets, each once; seed by seed, so that a run cut short has something of everything.

    Args:
        targets: What is wanted.
        datasets: These instead of the targets' own; a target is asked for those that it has.
        methods: These instead of the targets' own.
        seeds: Number of seeds instead of the targets' own.

    Raises:
        ValueError: A dataset or method is in none of the targets, or there is no cell that has both.
    """
    targets = list(targets)
    _check("datasets", datasets, [(*target.datasets, *target.more_datasets) for target in targets])
    _check("methods", methods, [(*target.methods, *target.more_methods) for target in targets])
    cells: dict[Key, Cell] = {}
    for target in targets:
        for cell in _cells(target, datasets, methods, seeds or target.seeds):
            cells.setdefault(cell.key, cell)
    if not cells:
        raise ValueError("--datasets, --methods: none of the tables has one of the datasets and one of the methods")
    return sorted(cells.values(), key=lambda cell: cell.seed)


def _cells(target: Target, datasets: Sequence[str] | None, methods: Sequence[str] | None, seeds: int) -> list[Cell]:
    module = experiment_module(target.experiment)
    chosen_datasets = _choose(datasets, target.datasets, target.more_datasets)
    chosen_methods = _choose(methods, target.methods, target.more_methods)
    found = []
    for dataset in chosen_datasets:
        for method in chosen_methods:
            settings = module.settings(dataset, method)
            found += [Cell(target.experiment, dataset, method, seed, settings) for seed in range(seeds)]
    return found


def _choose(asked: Sequence[str] | None, default: Sequence[str], more: Sequence[str]) -> list[str]:
    return list(default) if asked is None else [name for name in (*default, *more) if name in asked]


def _check(what: str, asked: Sequence[str] | None, known: Iterable[Sequence[str]]) -> None:
    names = list(dict.fromkeys(name for group in known for name in group))
    for name in asked or ():
        if name not in names:
            raise ValueError(f"--{what}: expected some of {', '.join(names)}, got {name!r}{did_you_mean(name, names)}")
