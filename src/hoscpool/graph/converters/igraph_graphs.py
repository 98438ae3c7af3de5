"""igraph graphs. This module does not import igraph."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hoscpool.graph.raw import Fields, RawGraph, names_or_none


def from_igraph(graph: Any, fields: Fields) -> RawGraph:
    """Raw arcs of an igraph graph. The vertex attribute ``name`` gives the names, the edge attribute the weights.

    Raises:
        ValueError: There is no edge attribute of the name that the user gave, or it is not a number.
    """
    pairs = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    attributes = graph.es.attributes()
    weights = None
    if fields.weight is not None and fields.weight_key in attributes:
        weights = _numbers(graph.es[fields.weight_key])
    elif fields.weight is not None and not fields.guesses_weight:
        raise ValueError(f"weight: the edges have no attribute {fields.weight!r}; expected one of {attributes}")
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else None
    return RawGraph(
        rows=pairs[:, 0],
        cols=pairs[:, 1],
        weights=weights,
        num_nodes=graph.vcount(),
        directed=bool(graph.is_directed()),
        node_names=None if names is None else names_or_none(names),
    )


def _numbers(values: list[Any]) -> npt.NDArray[np.float64]:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"weights: expected a number within 64-bit floats on every edge ({error})") from None
