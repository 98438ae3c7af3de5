"""Table 4: properties of the graph classification datasets."""

from __future__ import annotations

from hoscpool.experiments.catalog import TARGETS, title
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
    comparisons = [
        Comparison(
            title(dataset),
            short,
            published("Table 4", dataset, "", metric),
            results.summary(target.experiment, dataset, method, metric),
            digits,
            len(results.failed(target.experiment, dataset, method)),
        )
        for dataset in [*target.datasets, *results.datasets(target.experiment, target.more_datasets)]
        for metric, method, short, digits in _COLUMNS
    ]
    return View("table4", "Properties of the graph classification datasets", "Table 4", comparisons)
