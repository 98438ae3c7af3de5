"""The rows of Table 1 under every reading of the features and every value of μ."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from hoscpool.datasets import CATALOG
from hoscpool.experiments.paper_tables import MU_VALUES, PAPER_TABLES
from hoscpool.experiments.tables.published import published
from hoscpool.experiments.tables.summaries import Results, Summary

TRAINED = ("mincut", *MU_VALUES)
"""The methods of a row that depend on features. DiffPool is left out: nearly all of its fits collapse."""
NEAR = 0.05
"""A measured mean that is at most this far from the published one is near it."""
_METRIC = "nmi"


@dataclass(frozen=True)
class Attempt:
    """One row of Table 1 under one reading and one μ.

    Attributes:
        dataset: The graph with these features.
        mu: μ of HP-1, HP-2 and HoscPool.
        scores: The NMI of every method of `TRAINED` that was run.
        printed: The published NMI of every method of `TRAINED`.
    """

    dataset: str
    mu: float
    scores: dict[str, Summary]
    printed: dict[str, float]

    @property
    def near(self) -> list[str]:
        """The methods whose mean is near the published one."""
        return [method for method in self.scores if self.distance(method) <= NEAR]

    @property
    def is_complete(self) -> bool:
        """Whether every method was run."""
        return self.scores.keys() == self.printed.keys()

    @property
    def seeds(self) -> int:
        """The number of seeds that every method has."""
        return min((summary.count for summary in self.scores.values()), default=0)

    @property
    def merit(self) -> tuple[int, float]:
        """What attempts are compared by: methods near the published number, then a small mean distance."""
        return len(self.near), -statistics.fmean(map(self.distance, self.scores))

    def distance(self, method: str) -> float:
        """How far the measured mean is from the published number."""
        return abs(self.scores[method].mean - self.printed[method])


def paper_rows() -> tuple[str, ...]:
    """The graphs of Table 1."""
    return PAPER_TABLES["table1"].datasets


def attempts(results: Results, dataset: str) -> list[Attempt]:
    """Every reading with every μ, run or not; the graph as it is comes first."""
    readings = [dataset, *(name for name, info in CATALOG.items() if info.reading_of == dataset)]
    numbers = {method: published("Table 1", dataset, method, _METRIC) for method in TRAINED}
    printed = {method: number.value for method, number in numbers.items() if number is not None}
    return [
        Attempt(reading, mu, dict(_scores(results, reading, mu)), printed)
        for reading in readings
        for mu in MU_VALUES["hosc"]
    ]


def _scores(results: Results, dataset: str, mu: float) -> Iterator[tuple[str, Summary]]:
    for method in TRAINED:
        name = MU_VALUES[method][mu] if method in MU_VALUES else method  # MinCutPool has no μ
        summary = results.summary("clustering", dataset, name, _METRIC)
        if summary is not None:
            yield method, summary


def best_attempt(found: list[Attempt]) -> Attempt | None:
    """The complete attempt that comes nearest to the published row; ``None`` if there is none."""
    return max((attempt for attempt in found if attempt.is_complete), key=lambda a: a.merit, default=None)


@dataclass(frozen=True)
class MuChoice:
    """NMI by μ of one method on one graph.

    Attributes:
        by_mu: The NMI of every μ that was run.
        unseen: The μ with the lowest objective of the labels, averaged over seeds. It sees no class.
        by_labels: The μ with the highest NMI. It was chosen by the classes.
    """

    by_mu: dict[float, Summary]
    unseen: float | None
    by_labels: float | None


def choose_mu(results: Results, dataset: str, method: str) -> MuChoice:
    """Both choices among the three values of μ; ``None`` where a value was not run.

    The objective of the labels weighs L_o by 1 whatever μ is, so fits with different μ can be compared by it.
    """
    names = MU_VALUES[method]
    by_mu, objective = (
        {mu: found for mu, name in names.items() if (found := results.summary("clustering", dataset, name, metric))}
        for metric in (_METRIC, "hard_objective")
    )
    if by_mu.keys() != names.keys() or objective.keys() != names.keys():
        return MuChoice(by_mu, None, None)
    lowest = min(objective, key=lambda mu: objective[mu].mean)
    return MuChoice(by_mu, lowest, max(by_mu, key=lambda mu: by_mu[mu].mean))
