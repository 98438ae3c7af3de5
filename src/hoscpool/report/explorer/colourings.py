"""By what the nodes of the map can be coloured: features that set communities apart, and categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hoscpool.graph import Graph
from hoscpool.report.explorer.portraits import Community

COLOURABLE = 12
"""Number of features by which nodes can be coloured: those that set communities apart most."""


@dataclass(frozen=True)
class Category:
    """A column of words, such as a city, that stands in the features as one column for every word.

    Attributes:
        name: What the column is called.
        values: Its words. The last one stands for "not known" if some node has none.
        codes: The place of every node's word ``[N]``.
        columns: Its columns in the features.
    """

    name: str
    values: list[str]
    codes: npt.NDArray[np.uint8]
    columns: frozenset[int]


def categories_of(graph: Graph) -> list[Category]:
    """The categories that `as_graph(…, nodes=…)` made features of: columns ``city=Oslo``, ``city=Porto`` of 0 and 1."""
    groups: dict[str, list[int]] = {}
    for at, feature in enumerate(graph.feature_names or ()):
        name, sign, _ = feature.partition("=")
        if sign:
            groups.setdefault(name, []).append(at)
    found = []
    for name, columns in groups.items():
        chosen: Any = graph.features[:, columns]  # type: ignore[index]  # there are names, so there are features
        table = np.asarray(chosen.todense() if sp.issparse(chosen) else chosen)
        if len(columns) > 200 or not np.isin(table, (0, 1)).all() or (table.sum(axis=1) > 1).any():
            continue
        known = table.any(axis=1)
        values = [graph.feature_names[at].partition("=")[2] for at in columns]  # type: ignore[index]
        codes = np.where(known, table.argmax(axis=1), len(columns)).astype(np.uint8)
        found.append(Category(name, values if known.all() else [*values, "not known"], codes, frozenset(columns)))
    return found


def colourable(
    graph: Graph, described: Mapping[str, list[Community]], names: Sequence[str] | None, leave_out: frozenset[int]
) -> tuple[npt.NDArray[np.uint8], list[str], list[tuple[float, float]]]:
    """The features that set communities apart most, scaled to 0 … 255, ``[F, N]``, their names, and their ranges.

    Args:
        graph: The graph.
        described: The communities of every clustering.
        names: Name of every feature. Default: their numbers.
        leave_out: Columns that are shown in another way.
    """
    if graph.features is None:
        return np.zeros((0, graph.num_nodes), dtype=np.uint8), [], []
    all_names = [f"feature {at}" for at in range(graph.num_features)] if names is None else list(map(str, names))
    place = {name: at for at, name in enumerate(all_names)}
    strongest: dict[str, float] = {}
    for found in described.values():
        for community in found:
            for name, value in community.traits:
                if place[name] not in leave_out:
                    strongest[name] = max(strongest.get(name, 0.0), abs(value))
    chosen = sorted(strongest, key=lambda name: -strongest[name])[:COLOURABLE]
    columns = graph.features[:, [place[name] for name in chosen]]
    table = np.asarray(columns.todense() if sp.issparse(columns) else columns, dtype=np.float64)
    if not table.size:
        return np.zeros((len(chosen), len(table)), dtype=np.uint8), chosen, [(0.0, 1.0)] * len(chosen)
    low, high = table.min(axis=0), table.max(axis=0)
    scaled = np.round(255 * (table - low) / np.where(high > low, high - low, 1)).astype(np.uint8)
    return np.ascontiguousarray(scaled.T), chosen, list(zip(low.tolist(), high.tolist(), strict=True))
