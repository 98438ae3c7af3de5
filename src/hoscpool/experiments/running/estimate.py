"""Estimates the time of cells from records of the same work, or from the size of the dataset."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from hoscpool.datasets import dataset_info
from hoscpool.experiments.experiment import find_experiment
from hoscpool.experiments.running.cell import Cell

_SECONDS_PER_NODE, _SECONDS_PER_EDGE = 1e-3, 2.5e-4
"""Rough values for a fit of 500 epochs on one core, used until there are records."""


class Estimator:
    """Expected seconds of cells.

    Args:
        records: The records so far.
    """

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._seen: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for record in records:
            self.learn(record)

    def learn(self, record: Mapping[str, Any]) -> None:
        """Take one more measurement into account."""
        if record["status"] == "ok":
            name = (record["experiment"], record["dataset"], record["method"])
            self._seen[name].append(record["seconds"]["wall"])

    def seconds(self, cell: Cell) -> float:
        """Expected seconds of one cell."""
        seen = self._seen.get((cell.experiment, cell.dataset, cell.method))
        return statistics.median(seen) if seen else self._guess(cell)

    def is_known(self, cell: Cell) -> bool:
        """Whether the estimate comes from a record of the same method on the same dataset."""
        return (cell.experiment, cell.dataset, cell.method) in self._seen

    def _guess(self, cell: Cell) -> float:
        info, experiment = dataset_info(cell.dataset), find_experiment(cell.experiment)
        whole = 1 + _SECONDS_PER_NODE * info.nodes + _SECONDS_PER_EDGE * info.edges
        whole *= experiment.cost
        return whole / 50 if cell.method in experiment.cheap else whole


def duration(seconds: float) -> str:
    """A time as readable text.

    Examples:
        >>> duration(42), duration(160), duration(9000)
        ('42 s', '3 min', '2 h 30 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
