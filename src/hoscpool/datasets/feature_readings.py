"""Readings of features that the paper mentions and does not describe, each a dataset under a name of its own.

The paper has ten features for Karate, Polblogs, Email-eu and the synthetic graphs. What they are decides whether some
of its rows can be reproduced. A reading keeps a graph and its classes and replaces its features. A reading that looks
at the classes says so in its title (``uses_labels`` of its `DatasetInfo`): it is there to test a claim of the paper,
not to cluster.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hoscpool.datasets.dataset_catalog import DatasetInfo
    from hoscpool.graph import Graph

STRONG = 0.95
"""Correlation of the first feature with the class in the readings that use classes."""
SYN1_CORRELATIONS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Correlations of Syn1's first feature with the class that have a name; `syn1` itself has about .38."""


def _statistics(graph: Graph) -> Any:
    return _module("node_statistics").standardised_statistics(graph)


def _unscaled_statistics(graph: Graph) -> Any:
    return _module("node_statistics").node_statistics(graph).astype("float32")


def _triangles(graph: Graph) -> Any:
    return _unscaled_statistics(graph)[:, _module("node_statistics").TRIANGLES, None]


def _with_label(graph: Graph) -> Any:
    return _module("synthetic").correlated_features(graph.labels, STRONG)


def _module(name: str) -> Any:
    """A file of this package, imported late: listing datasets needs neither NumPy nor NetworkX."""
    return importlib.import_module(f"hoscpool.datasets.{name}")


_READINGS: dict[str, tuple[str, Callable[[Graph], Any]]] = {
    "stats": ("ten graph statistics, standardised, as Syn2 has them", _statistics),
    "raw": ("ten graph statistics, not standardised", _unscaled_statistics),
    "triangles": ("the number of triangles of a node, not standardised", _triangles),
    "label": (f"Gaussian features, the first correlated {STRONG} with the class: uses the classes", _with_label),
}
"""What a reading is, and how its features are made, by the end of its name."""
_GRAPHS: dict[str, tuple[str, ...]] = {
    "karate": ("stats", "raw", "label"),
    "polblogs": ("stats", "raw", "label"),
    "email-eu": ("stats", "raw", "label"),
    "syn2": ("raw", "triangles", "label"),
    "syn3": ("stats", "label"),
}
"""The readings of every graph. Without features (as Karate, Polblogs and Email-eu are) a fit uses spectral ones."""


def readings_of(entries: Iterable[DatasetInfo]) -> Iterator[DatasetInfo]:
    """The entries of all readings of these datasets."""
    for info in entries:
        for end in _GRAPHS.get(info.name, ()):
            title, make = _READINGS[end]
            yield _entry(info, end, title, _replace_features(info.name, make), uses_labels=end == "label")
        if info.name == "syn1":
            for r in SYN1_CORRELATIONS:
                title = f"the first feature correlated {r:g} with the class"
                yield _entry(info, f"r{round(100 * r):02}", title, _syn1_with(r), uses_labels=r > 0)


def _entry(info: DatasetInfo, end: str, what: str, loader: Any, *, uses_labels: bool) -> DatasetInfo:
    return replace(
        info,
        name=f"{info.name}-{end}",
        title=f"{info.label} with other features: {what}",
        short_title=f"{info.label}, {_SHORT.get(end, f'r = .{end[1:]}')}",
        features=1 if end == "triangles" else 10,
        directed=False,
        edges=_UNDIRECTED.get(info.name, info.edges),
        loader=loader,
        paper=MappingProxyType({}),
        note="A reading of features that the paper does not describe.",
        reading_of=info.name,
        uses_labels=uses_labels,
    )


_UNDIRECTED = {"polblogs": 16_715, "email-eu": 16_064}
_SHORT = {"stats": "statistics", "raw": "raw statistics", "triangles": "triangles", "label": "label-correlated"}


def _replace_features(name: str, make: Callable[[Graph], Any]) -> Callable[[Any], Graph]:
    """A loader of a graph without directions and with these features."""

    def load_reading(data_root: Any) -> Graph:
        graph: Graph = _module("loading").load(name, data_root).undirected()
        return replace(graph, features=make(graph))

    return load_reading


def _syn1_with(correlation: float) -> Callable[[Any], Graph]:
    return lambda _data_root: _module("synthetic").syn1(correlation=correlation)
