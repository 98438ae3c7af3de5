"""What a converter or a reader hands over: arcs and node data as they came, not yet validated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.notes import Notes


@dataclass
class RawGraph:
    """Arcs and node data as they came, for `build_graph` to validate and canonicalise.

    Attributes:
        rows: Source of every arc.
        cols: Target of every arc.
        weights: Weight of every arc, or ``None``.
        num_nodes: Number of nodes.
        directed: ``True`` or ``False`` when the source says so, ``None`` when symmetry decides.
        features: Node features that came with the graph.
        labels: Node labels that came with the graph.
        node_names: The user's own names of the nodes.
        notes: What the reader did that the user should know.
    """

    rows: npt.NDArray[Any]
    cols: npt.NDArray[Any]
    weights: npt.NDArray[Any] | None
    num_nodes: int
    directed: bool | None = None
    features: Any = None
    labels: Any = None
    node_names: Any = None
    notes: Notes = field(default_factory=Notes)


def names_or_none(names: list[Any]) -> list[Any] | None:
    """``None`` when the names are just 0 … N−1 in order.

    Examples:
        >>> names_or_none([0, 1, 2]), names_or_none([3, 4])
        (None, [3, 4])
    """
    plain = all(type(name) in (int, np.int64) for name in names) and names == list(range(len(names)))
    return None if plain else names
