"""Tables 3 and 5: accuracy of graph classification."""

from __future__ import annotations

from hoscpool.experiments.catalog import TARGETS, title
from hoscpool.experiments.published import published
from hoscpool.experiments.results import Results
from hoscpool.experiments.store import Record
from hoscpool.experiments.tables.model import Comparison, View


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
