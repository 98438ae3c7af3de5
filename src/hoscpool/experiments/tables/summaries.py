"""Selects the records of the current settings, and summarises them over seeds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hoscpool.experiments.experiment import experiments, find_experiment
from hoscpool.experiments.paper_tables import Measure, PaperTable
from hoscpool.experiments.running.cell import settings_hash
from hoscpool.experiments.running.store import Record, Store
from hoscpool.experiments.tables.published import Published

PUBLISHED_RUNS = 10
"""Number of runs of a published mean."""
_CERTAINTY = 0.975


@dataclass(frozen=True)
class Summary:
    """A measured number over seeds.

    Attributes:
        mean: Mean.
        sd: Standard deviation of the sample; 0 for one seed.
        count: Number of seeds.
    """

    mean: float
    sd: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Summary | None:
        """Summarise some values; ``None`` if there are none."""
        if not values:
            return None
        return cls(statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0, len(values))

    @property
    def margin(self) -> float | None:
        """Half of the 95 % interval of the mean; ``None`` with one seed."""
        return None if self.count < 2 else _half_width(self.sd**2 / self.count, self.count)

    def margin_to(self, published: Published, digits: int) -> float | None:
        """Half of the 95 % interval of the difference to a published mean.

        It includes the error of the published mean, if its spread is printed (Welch's t-interval), and half a unit of
        the last printed digit. ``None`` with one seed.
        """
        if self.count < 2:
            return None
        ours, theirs = self.sd**2 / self.count, (published.sd or 0.0) ** 2 / PUBLISHED_RUNS
        return _half_width(ours, self.count, theirs, PUBLISHED_RUNS) + 0.5 * 10.0**-digits


def _half_width(one: float, n_one: int, other: float = 0.0, n_other: int = 2) -> float:
    """Half of Welch's 95 % interval of a difference of means, from their squared errors. By default of one mean."""
    from scipy.stats import t

    if one + other == 0:
        return 0.0
    freedom = (one + other) ** 2 / (one**2 / (n_one - 1) + other**2 / (n_other - 1))
    return float(t.ppf(_CERTAINTY, freedom)) * math.sqrt(one + other)


class Results:
    """All records of a folder.

    Args:
        folder: The folder of a `Store`.

    Raises:
        ValueError: A file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)

    @cached_property
    def by_name(self) -> dict[tuple[str, str, str], list[Record]]:
        """The last record of every cell with the current settings, by experiment, dataset and method."""
        found: dict[tuple[str, str, str], list[Record]] = {}
        for experiment in experiments():
            for record in self.store.latest(experiment).values():
                name = (experiment, record["dataset"], record["method"])
                if record["hash"] == self._current_hash(name):
                    found.setdefault(name, []).append(record)
        return {name: sorted(records, key=lambda record: record["seed"]) for name, records in found.items()}

    @cached_property
    def _hashes(self) -> dict[tuple[str, str, str], str | None]:
        return {}

    def _current_hash(self, name: tuple[str, str, str]) -> str | None:
        """The hash of the current settings; ``None`` for a method that was removed."""
        if name not in self._hashes:
            try:
                self._hashes[name] = settings_hash(find_experiment(name[0]).settings(*name[1:]))
            except ValueError:
                self._hashes[name] = None
        return self._hashes[name]

    def finished(self, experiment: str, dataset: str, method: str) -> list[Record]:
        """The records of cells that succeeded, by seed."""
        records = self.by_name.get((experiment, dataset, method), [])
        return [record for record in records if record["status"] == "ok"]

    def failed(self, experiment: str, dataset: str, method: str) -> list[Record]:
        """The records of cells that failed."""
        records = self.by_name.get((experiment, dataset, method), [])
        return [record for record in records if record["status"] != "ok"]

    def summary(self, experiment: str, dataset: str, method: str, metric: Measure) -> Summary | None:
        """A metric, or a function of the record, over the seeds; ``None`` if nothing was run."""
        return Summary.of(list(self._values(experiment, dataset, method, metric).values()))

    def difference(self, experiment: str, dataset: str, method: str, base: str, metric: Measure) -> Summary | None:
        """The difference of two methods, seed by seed; ``None`` if they have no seed in common."""
        one, other = (self._values(experiment, dataset, name, metric) for name in (method, base))
        return Summary.of([one[seed] - other[seed] for seed in one if seed in other])

    def _values(self, experiment: str, dataset: str, method: str, metric: Measure) -> dict[int, float]:
        """The values by seed. A record without this metric is left out."""
        records = self.finished(experiment, dataset, method)
        if callable(metric):
            return {record["seed"]: metric(record) for record in records}
        return {record["seed"]: record["metrics"][metric] for record in records if metric in record["metrics"]}

    def count_cells(self, table: PaperTable) -> tuple[int, int]:
        """How many of the default cells of a table succeeded, and how many there are."""
        rows = [(dataset, method) for dataset in table.datasets for method in table.methods]
        done = sum(r["seed"] < table.seeds for row in rows for r in self.finished(table.experiment, *row))
        return done, len(rows) * table.seeds

    def methods(self, table: PaperTable) -> list[str]:
        """The methods of a table: the default ones, and further ones that have a record on one of its datasets."""
        datasets = {*table.datasets, *table.more_datasets}
        there = {method for e, dataset, method in self.by_name if e == table.experiment and dataset in datasets}
        return [*table.methods, *(method for method in table.more_methods if method in there)]

    def datasets(self, table: PaperTable) -> list[str]:
        """The datasets of a table: the default ones, and further ones that have a record of one of its methods."""
        methods = {*table.methods, *table.more_methods}
        there = {dataset for e, dataset, method in self.by_name if e == table.experiment and method in methods}
        return [*table.datasets, *(dataset for dataset in table.more_datasets if dataset in there)]
