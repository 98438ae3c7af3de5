"""Tables by name."""

from __future__ import annotations

from collections.abc import Callable

from hoscpool.experiments.tables import classification_tables as classification
from hoscpool.experiments.tables import classification_tables as properties
from hoscpool.experiments.tables import clustering_tables as clustering
from hoscpool.experiments.tables.summaries import Results
from hoscpool.experiments.tables.view import View

VIEWS: dict[str, Callable[[Results], View]] = {
    "table1": clustering.table1,
    "table2": clustering.table2,
    "table3": classification.table3,
    "table4": properties.table4,
    "table5": classification.table5,
    "table6": clustering.table6,
    "table7": clustering.table7,
    "four-node": clustering.four_node,
}


def make_view(name: str, results: Results) -> View:
    """One table from the records.

    Raises:
        ValueError: There is no table of that name.
    """
    if name not in VIEWS:
        raise ValueError(f"name: expected one of {', '.join(VIEWS)}, got {name!r}")
    return VIEWS[name](results)


def make_views(results: Results) -> list[View]:
    """All tables in their order."""
    return [view(results) for view in VIEWS.values()]
