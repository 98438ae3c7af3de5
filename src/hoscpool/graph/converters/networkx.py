"""NetworkX graphs of all four classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hoscpool.graph.raw import RawGraph, names_or_none


def from_networkx(graph: Any, *, weight: str = "weight", node_data: bool = True) -> RawGraph:
    """Raw arcs of a NetworkX graph. Node order and node names stay.

    The edge attribute that ``weight`` names gives the weights, 1 where it is missing. With ``node_data``, the node
    attributes ``x`` (a list of numbers) and ``y`` (a whole number or text) become features and labels. PyG uses the
    same names.

    Raises:
        ValueError: A weight is not a number.
    """
    nodes = list(graph.nodes)
    position = {node: index for index, node in enumerate(nodes)}
    edges = list(graph.edges(data=weight))
    raw = RawGraph(
        rows=np.fromiter((position[edge[0]] for edge in edges), dtype=np.int64, count=len(edges)),
        cols=np.fromiter((position[edge[1]] for edge in edges), dtype=np.int64, count=len(edges)),
        weights=_weights(edges),
        num_nodes=len(nodes),
        directed=bool(graph.is_directed()),
        node_names=names_or_none(nodes),
    )
    if raw.weights is None:
        _note_unused(graph, raw, weight)
    if node_data:
        raw.features = _attribute(graph, "x", raw, _is_vector, "a list of numbers")
        raw.labels = _attribute(graph, "y", raw, _is_class, "a whole number or text")
    return raw


def _note_unused(graph: Any, raw: RawGraph, weight: str) -> None:
    """Name the numeric edge attributes that the user may have meant as weights."""
    keys = {key for *_, data in graph.edges(data=True) for key, value in data.items() if isinstance(value, int | float)}
    if keys:
        named = ", ".join(sorted(map(repr, keys)))
        raw.notes.note(f"the edge attributes {named} were not used; weights are read from {weight!r}")


def _weights(edges: list[tuple[Any, Any, Any]]) -> Any:
    """The weights as float64, or ``None`` if no edge has one."""
    if all(weight is None for _, _, weight in edges):
        return None
    weights = np.ones(len(edges))
    for index, (source, target, weight) in enumerate(edges):
        if weight is not None:
            weights[index] = _number(weight, source, target)
    return weights


def _number(weight: Any, source: Any, target: Any) -> float:
    if isinstance(weight, complex) or (isinstance(weight, str) and "_" in weight):
        weight = object()
    try:
        return float(weight)
    except OverflowError:
        raise ValueError(f"weights: the edge {source!r} – {target!r} has a weight beyond 64-bit floats") from None
    except (TypeError, ValueError):
        raise ValueError(f"weights: the edge {source!r} – {target!r} has a weight that is not a real number") from None


def _attribute(graph: Any, key: str, raw: RawGraph, fits: Any, expected: str) -> list[Any] | None:
    """The node attribute as a list, if every node has it in the expected form. Otherwise add a note."""
    values = [value for _, value in graph.nodes(data=key)]
    if all(value is None for value in values):
        return None
    if all(fits(value) for value in values):
        return values
    raw.notes.note(f"the node attribute {key!r} was ignored: expected {expected} on every node")
    return None


def _is_vector(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)


def _is_class(value: Any) -> bool:
    return isinstance(value, str | int | np.integer)
