"""Tables 1, 2, 6 and 7 and the four-node extension: views of clustering cells."""

from __future__ import annotations

from collections.abc import Callable

from hoscpool.experiments.running.store import Record
from hoscpool.experiments.tables.published import published
from hoscpool.experiments.tables.summaries import Results
from hoscpool.experiments.tables.view import Comparison, View
from hoscpool.experiments.targets import TARGETS, Target, title

_TABLE7 = {
    "modularity": "Mod",
    "conductance": "Cond",
    "motif_conductance": "M.Cond",
    "homogeneity": "Homog",
}
_SHARES = {"conductance": "conductance_share", "motif_conductance": "motif_conductance_share"}
"""Under which name records hold the average of Table 7."""


def cpu_seconds(record: Record) -> float:
    """Processor time of the fit."""
    return float(record["seconds"]["cpu"])


def table1(results: Results) -> View:
    """NMI."""
    return _by_method(results, TARGETS["table1"], "Table 1", "nmi", "nmi")


def table2(results: Results) -> View:
    """Time of one fit."""
    return _by_method(results, TARGETS["table2"], "Table 2", "seconds", cpu_seconds, digits=1, printed_digits=0)


def table7(results: Results) -> View:
    """Modularity, conductance, motif conductance, homogeneity."""
    target, comparisons = TARGETS["table7"], []
    for dataset in results.datasets(target):
        for method in results.methods(target):
            for metric, short in _TABLE7.items():
                comparisons.append(
                    Comparison(
                        dataset,
                        method,
                        f"{title(method)} {short}",
                        published("Table 7", dataset, method, metric),
                        results.summary("clustering", dataset, method, _SHARES.get(metric, metric)),
                        failures=len(results.failed("clustering", dataset, method)),
                    )
                )
    return View("table7", "All metrics of clusterings", "Table 7", comparisons)


def table6(results: Results) -> View:
    """NMI of two-layer clustering."""
    return _by_method(results, TARGETS["table6"], "Table 6", "nmi", "nmi")


def four_node(results: Results) -> View:
    """NMI with motifs of four nodes."""
    return _by_method(results, TARGETS["four-node"], "", "nmi", "nmi")


def _by_method(
    results: Results,
    target: Target,
    place: str,
    metric: str,
    measured: str | Callable[[Record], float],
    digits: int = 3,
    printed_digits: int | None = None,
) -> View:
    comparisons = [
        Comparison(
            dataset,
            method,
            title(method),
            published(place, dataset, method, metric),
            results.summary(target.experiment, dataset, method, measured),
            digits,
            len(results.failed(target.experiment, dataset, method)),
            printed_digits,
        )
        for dataset in results.datasets(target)
        for method in results.methods(target)
    ]
    return View(target.name, target.title[0].upper() + target.title[1:], place, comparisons)
