"""Table 4: properties of the graph classification datasets."""

from __future__ import annotations

from hoscpool.experiments.catalog import TARGETS
from hoscpool.experiments.published import published
from hoscpool.experiments.results import Results
from hoscpool.experiments.tables.model import Comparison, View

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
