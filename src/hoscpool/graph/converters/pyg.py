"""PyTorch Geometric ``Data``. This module does not import PyG."""

from __future__ import annotations

from typing import Any

from hoscpool.graph.converters.tensors import from_edge_index, from_tensor, to_numpy
from hoscpool.graph.raw import RawGraph


def from_pyg(data: Any, num_nodes: int | None = None, weight: str | None = None) -> RawGraph:
    """Raw arcs and node data of a PyG ``Data``.

    The weights are the tensor that ``weight`` names, else ``edge_weight``, or ``weight``, the name that PyG's
    ``from_networkx`` uses. ``edge_attr`` is never used as weights, unless it is named. ``x`` gives the features, and
    ``y`` the labels if it has one entry for every node.

    Raises:
        ValueError: It is heterogeneous, or has neither ``edge_index`` nor ``adj_t``.
    """
    if not hasattr(data, "edge_index"):
        raise ValueError(f"PyG {type(data).__name__}: expected a homogeneous Data; call .to_homogeneous() first")
    raw = _arcs(data, _num_nodes(data, num_nodes), weight)
    if data.x is not None:
        raw.features = to_numpy(data.x)
    _set_labels(data, raw)
    if data.edge_attr is not None and raw.weights is None:
        raw.notes.note("edge_attr was not used; to give the edges weights, set edge_weight")
    return raw


def _arcs(data: Any, num_nodes: int | None, weight: str | None) -> RawGraph:
    if data.edge_index is not None:
        names = ("edge_weight", "weight") if weight is None else (weight,)
        values = next((data[name] for name in names if data.get(name) is not None), None)
        if values is None and weight is not None:
            raise ValueError(f"weight: the Data has no {weight!r}; expected one of {', '.join(map(str, data.keys()))}")
        return from_edge_index(to_numpy(data.edge_index), num_nodes, _edge_weights(values))
    if hasattr(data.get("adj_t"), "layout"):
        raw = from_tensor(data.adj_t)
        raw.rows, raw.cols = raw.cols, raw.rows
        return raw
    raise ValueError("PyG Data: expected edge_index of shape (2, E) or a torch sparse adj_t, got neither")


def _edge_weights(weight: Any) -> Any:
    """One number for every edge. A single column counts as a vector."""
    if weight is None:
        return None
    values = to_numpy(weight)
    return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values


def _num_nodes(data: Any, num_nodes: int | None) -> int | None:
    """The number of nodes. PyG's own guess from ``edge_index`` would warn, so it is not used."""
    if num_nodes is not None:
        return num_nodes
    if data.get("num_nodes") is not None:
        return int(data.num_nodes)
    known = next((data[key] for key in ("x", "pos", "batch") if data.get(key) is not None), None)
    return None if known is None else int(known.shape[0])


def _set_labels(data: Any, raw: RawGraph) -> None:
    if data.y is None:
        return
    labels = to_numpy(data.y) if hasattr(data.y, "detach") else data.y
    shape = getattr(labels, "shape", ())
    if shape in ((raw.num_nodes,), (raw.num_nodes, 1)) and (labels == labels.round()).all():
        raw.labels = labels
    else:
        raw.notes.note(f"y of shape {tuple(shape)} was not used: it does not have one class for every node")
