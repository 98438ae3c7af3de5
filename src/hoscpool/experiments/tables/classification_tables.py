"""Tables 3 and 5: accuracy of graph classification."""

from __future__ import annotations

from hoscpool.experiments.running.store import Record
from hoscpool.experiments.tables.published import published
from hoscpool.experiments.tables.summaries import Results
from hoscpool.experiments.tables.view import Comparison, View
from hoscpool.experiments.targets import TARGETS, title


def percent(record: Record) -> float:
    """Test accuracy in per cent, as the paper prints it."""
    return 100 * float(record["metrics"]["accuracy"])


def table3(results: Results) -> View:
    """Poolings."""
    return _accuracies(results, "table3", "Table 3")


def table5(results: Results) -> View:
    """Ablations."""
    return _accuracies(results, "table5", "Table 5")


def _accuracies(results: Results, name: str, place: str) -> View:
    target = TARGETS[name]
    comparisons = [
        Comparison(
            dataset,
            method,
            "Base" if (name, method) == ("table5", "hosc") else title(method),
            published(place, dataset, method, "accuracy"),
            results.summary(target.experiment, dataset, method, percent),
            digits=1,
            failures=len(results.failed(target.experiment, dataset, method)),
        )
        for dataset in results.datasets(target)
        for method in results.methods(target)
    ]
    return View(name, target.title[0].upper() + target.title[1:], place, comparisons)


_COLUMNS = (
    ("graphs", "statistics", "graphs", 0),
    ("edges", "statistics", "edges", 0),
    ("mean_nodes", "statistics", "mean nodes", 1),
    ("labels", "statistics", "labels", 0),
    ("clustering_coefficient", "statistics", "cc", 3),
    ("triangles", "statistics", "triangle", 3),
    ("transitivity", "statistics", "transi", 3),
    ("homophily", "statistics", "homo", 3),
    ("label_share", "statistics", "diff-labels", 3),
    ("motif_conductance", "spectral", "msc", 3),
    ("conductance", "spectral", "sc", 3),
    ("modularity", "spectral", "sc-mod", 3),
    ("nmi", "hosc", "NMI", 2),
)
"""Metric, the cell that has it, the paper's title of the column, and digits."""


def table4(results: Results) -> View:
    """All properties."""
    target = TARGETS["table4"]
    places = [_compare(results, dataset, *column) for dataset in results.datasets(target) for column in _COLUMNS]
    comparisons = [place for place in places if place is not None]
    return View("table4", "Properties of the graph classification datasets", "Table 4", comparisons)


def _compare(results: Results, dataset: str, metric: str, method: str, short: str, digits: int) -> Comparison | None:
    """One property, or ``None`` where neither the paper nor a finished cell has it: graphs without node labels."""
    experiment = TARGETS["table4"].experiment
    there, here = published("Table 4", dataset, "", metric), results.summary(experiment, dataset, method, metric)
    if there is None and here is None and results.finished(experiment, dataset, method):
        return None
    failures = len(results.failed(experiment, dataset, method))
    return Comparison(dataset, method, short, there, here, digits, failures)
