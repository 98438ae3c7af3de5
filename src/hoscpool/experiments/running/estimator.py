"""How long cells take, from the processor time of the records there are."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hoscpool.datasets import dataset_info
from hoscpool.experiments.experiment import find_experiment
from hoscpool.experiments.running.cell import Cell

_SECONDS_PER_NODE, _SECONDS_PER_EDGE = 1e-3, 2.5e-4
"""Rough values for a fit of 500 epochs on one core, used until there are records."""
_Name = tuple[str, str, str]


class Estimator:
    """Expected seconds of cells on one core.

    1. A cell with a record of the same settings and another seed takes the median processor time of these records.
    2. For another cell, the time of a rough formula in nodes and edges is multiplied by two factors from the records of
       its experiment: how much longer the method took than the formula says, and how much longer the dataset took.
    3. Processor time is not time on the clock when the machine has other work. So both are multiplied by the ratio of
       the two in the cells that `learn` was told of, those of the present run.

    Args:
        records: The records so far.
    """

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._exact: dict[tuple[_Name, str], list[float]] = defaultdict(list)
        self._clock: dict[tuple[_Name, str], list[float]] = defaultdict(list)
        self._times: dict[str, dict[_Name, list[float]]] = defaultdict(lambda: defaultdict(list))
        self._factors: dict[str, _Factors] = {}
        self._waits: list[float] = []
        for record in records:
            self._add(record)

    def learn(self, record: Mapping[str, Any]) -> None:
        """Take a cell of the present run into account."""
        self._add(record)
        if record["status"] == "ok" and record["seconds"]["cpu"] > 0:
            self._waits.append(record["seconds"]["wall"] / record["seconds"]["cpu"])

    def _add(self, record: Mapping[str, Any]) -> None:
        if record["status"] == "ok":
            name = (record["experiment"], record["dataset"], record["method"])
            self._exact[name, record["hash"]].append(record["seconds"]["cpu"])
            self._clock[name, record["hash"]].append(record["seconds"]["wall"])
            self._times[name[0]][name].append(record["seconds"]["cpu"])
            self._factors.pop(name[0], None)

    def seconds(self, cell: Cell) -> float:
        """Expected seconds of one cell."""
        seen = self._exact.get(_key(cell))
        wait = max(1.0, statistics.median(self._waits)) if self._waits else 1.0
        return wait * (statistics.median(seen) if seen else self._guess(cell))

    def seconds_on_the_clock(self, cell: Cell) -> float:
        """How long the same cell took with other seeds, waiting included; 0 if none was run."""
        seen = self._clock.get(_key(cell))
        return statistics.median(seen) if seen else 0.0

    def is_known(self, cell: Cell) -> bool:
        """Whether the estimate comes from a record of the same settings on the same dataset."""
        return _key(cell) in self._exact

    def _guess(self, cell: Cell) -> float:
        name = cell.experiment
        if name not in self._factors:
            self._factors[name] = _Factors(self._times[name])
        return _rough(name, cell.dataset, cell.method) * self._factors[name].of(cell.dataset, cell.method)


class _Factors:
    """How much longer methods and datasets of an experiment took than the rough formula says.

    Least squares of the logarithms: what was measured is about formula · method · dataset.
    """

    def __init__(self, times: Mapping[_Name, list[float]]) -> None:
        seen = {name: max(statistics.median(found), _LEAST) / _rough(*name) for name, found in times.items()}
        columns = {column: i for i, column in enumerate(dict.fromkeys(c for name in seen for c in _columns(name)))}
        one_hot = np.zeros((len(seen), len(columns)))
        for row, name in enumerate(seen):
            one_hot[row, [columns[column] for column in _columns(name)]] = 1
        solution = np.linalg.lstsq(one_hot, np.log(list(seen.values())), rcond=None)[0]
        self._log = {column: float(solution[i]) for column, i in columns.items()}
        self._any = {part: _median(v for (kind, _), v in self._log.items() if kind == part) for part in _PARTS}

    def of(self, dataset: str, method: str) -> float:
        name = ("", dataset, method)
        return math.exp(sum(self._log.get(column, self._any[column[0]]) for column in _columns(name)))


_PARTS = ("dataset", "method")
_LEAST = 1e-3
"""Seconds of processor time below which nothing is told apart."""


def _columns(name: _Name) -> tuple[tuple[str, str], ...]:
    return tuple(zip(_PARTS, name[1:], strict=True))


def _median(values: Iterable[float]) -> float:
    found = list(values)
    return statistics.median(found) if found else 0.0


def _key(cell: Cell) -> tuple[_Name, str]:
    return (cell.experiment, cell.dataset, cell.method), cell.hash


def _rough(experiment: str, dataset: str, method: str) -> float:
    info, found = dataset_info(dataset), find_experiment(experiment)
    whole = found.cost * (1 + _SECONDS_PER_NODE * info.nodes + _SECONDS_PER_EDGE * info.edges)
    return whole / 50 if method in found.cheap else whole
