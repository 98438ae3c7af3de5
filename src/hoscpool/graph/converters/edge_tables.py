"""Edges in Python: data frames, lists of tuples and dicts of neighbours. This module does not import pandas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from hoscpool.graph.raw import Fields, RawGraph, describe_columns, find_ends, find_weight, names_or_none
from hoscpool.graph.validate import count_of, first_few

Edge = tuple[Any, Any, Any]
"""Two ends and a weight; ``None`` where an edge has no weight of its own."""


def from_data_frame(frame: Any, fields: Fields) -> RawGraph:
    """Raw arcs of a pandas data frame: a table of edges, or an adjacency matrix with the same names on both sides.

    Raises:
        ValueError: The columns of the ends are not known, a named column is missing, or a row is incomplete.
    """
    columns = list(frame.columns)
    ends = _named_ends(columns, fields)
    if ends is None and _is_matrix(frame):
        return _from_matrix(frame, fields)
    ends = find_ends([str(name) for name in columns]) if ends is None else ends
    ends = (0, 1) if ends is None and len(columns) in (2, 3) else ends  # as in files
    if ends is None:
        raise ValueError(
            f"graph: expected columns that are known as the ends of an edge, such as source and target, got "
            f"{first_few(columns, 8) or 'no columns'}; name them with source= and target="
        )
    source, target = ends
    weight = _weight_column(columns, ends, fields)
    raw = _from_columns(
        frame.iloc[:, source],
        frame.iloc[:, target],
        None if weight is None else frame.iloc[:, weight],
        fields,
        places=frame.index.tolist(),
    )
    raw.notes.note(describe_columns(columns, ends, weight))
    return raw


def from_edges(edges: Sequence[Any], fields: Fields) -> RawGraph:
    """Raw arcs of a list of pairs, or of triples whose third entry is a weight or a dict of edge data.

    A number in third place is a weight only with ``weight=2``: it may be a time.

    Raises:
        ValueError: An entry is not a pair or triple, or a weight is not a number.
    """
    rows, unused = [], 0
    for place, edge in enumerate(edges):
        if not isinstance(edge, tuple) or len(edge) not in (2, 3):
            raise ValueError(
                f"graph: expected a list of tuples (source, target) or (source, target, data), got {edge!r} at place "
                f"{place:,}; for a matrix pass a NumPy array"
            )
        data = edge[2] if len(edge) == 3 else None
        if isinstance(data, Mapping):
            data = _of_mapping(data, fields)
        elif fields.weight != 2:
            unused, data = unused + (data is not None), None
        rows.append((edge[0], edge[1], data))
    raw = number_edges(rows, fields)
    if unused and fields.weight is not None:
        raw.notes.warn(
            f"the third entry of {count_of(unused, 'edge')} was not used; pass weight=2 if it is a weight, or "
            "weight=None to say that it is not"
        )
    return raw


def from_neighbours(neighbours: Mapping[Any, Any], fields: Fields) -> RawGraph:
    """Raw arcs of a dict: node → its neighbours, or node → {neighbour: weight or dict of edge data}.

    Raises:
        ValueError: A value is not a collection of nodes, or a weight is not a number.
    """
    raw = number_edges(list(_walk(neighbours, fields)), fields, nodes=list(neighbours))
    raw.notes.note("the dict was read as node → neighbours")
    return raw


def _walk(neighbours: Mapping[Any, Any], fields: Fields) -> Iterator[Edge]:
    for node, others in neighbours.items():
        if isinstance(others, Mapping):
            for other, data in others.items():
                yield node, other, _of_mapping(data, fields) if isinstance(data, Mapping) else data
        elif isinstance(others, str) or not hasattr(others, "__iter__"):
            raise ValueError(f"graph: expected a list of neighbours for the node {node!r}, got {others!r}")
        else:
            yield from ((node, other, None) for other in others)


def _of_mapping(data: Mapping[str, Any], fields: Fields) -> Any:
    return None if fields.weight is None else data.get(fields.weight_key)


def number_edges(edges: Sequence[Edge], fields: Fields, nodes: Sequence[Any] = ()) -> RawGraph:
    """Raw arcs of edges between named nodes. ``nodes`` come first; they may have no edges."""
    weighted = fields.weight is not None and any(weight is not None for *_, weight in edges)
    weights = [1.0 if weight is None else weight for *_, weight in edges] if weighted else None
    return _from_columns([a for a, _, _ in edges], [b for _, b, _ in edges], weights, fields, nodes=nodes)


def _from_columns(
    sources: Sequence[Any],
    targets: Sequence[Any],
    weights: Sequence[Any] | None,
    fields: Fields,
    *,
    places: Sequence[Any] | None = None,
    nodes: Sequence[Any] = (),
) -> RawGraph:
    """Number the ends in the order of their first appearance; whole numbers are sorted."""
    import pandas as pd

    ends = np.empty(len(nodes) + 2 * len(sources), dtype=object)
    ends[: len(nodes)], ends[len(nodes) :: 2], ends[len(nodes) + 1 :: 2] = list(nodes), list(sources), list(targets)
    ends[[isinstance(end, str) and not end for end in ends]] = None
    try:
        codes, names = pd.factorize(ends)  # −1 for a missing end
    except TypeError as error:  # such as a list, which cannot be looked up
        raise ValueError(
            f"graph: expected ends of edges that can be compared, such as text or numbers ({error})"
        ) from None
    pairs = codes[len(nodes) :].reshape(-1, 2)
    is_good = (pairs >= 0).all(axis=1)
    values = None if weights is None else np.array(weights, dtype=object)
    if values is not None:
        is_good &= ~pd.isna(values)
    bad = np.flatnonzero(~is_good)
    if len(bad) and fields.on_bad_rows == "error":
        more = f", as have {len(bad) - 1:,} more" if len(bad) > 1 else ""
        raise ValueError(
            f"graph: row {(places or range(len(pairs)))[bad[0]]!r} has an empty cell{more}; expected two ends"
            f"{' and a weight' if weights is not None else ''} in every row; fill them, or leave these rows out with "
            "on_bad_rows='skip'"
        )
    raw = _numbered(pairs[is_good], list(names))
    raw.weights = None if values is None else _numbers(values[is_good])
    if len(bad):
        raw.notes.warn(f"{count_of(len(bad), 'row')} with an empty cell {'was' if len(bad) == 1 else 'were'} skipped")
    return raw


def _numbered(pairs: Any, names: list[Any]) -> RawGraph:
    used = np.arange(len(names))
    if all(isinstance(name, int | np.integer) and not isinstance(name, bool) for name in names):
        order = sorted(range(len(names)), key=lambda at: int(names[at]))
        used[order] = np.arange(len(names))
        names = [int(names[at]) for at in order]
    rows, cols = used[pairs].T if len(pairs) else np.empty((2, 0), dtype=np.int64)
    return RawGraph(rows, cols, None, len(names), directed=False, node_names=names_or_none(names))


def _numbers(values: Any) -> Any:
    wrong = [value for value in values if isinstance(value, bool) or not isinstance(value, Real)]
    if wrong:
        raise ValueError(f"weights: expected numbers, got {first_few(wrong)}; pass another column, or None, as weight")
    try:
        return values.astype(np.float64)
    except OverflowError:
        raise ValueError("weights: expected numbers within 64-bit floats, got a larger whole number") from None


def _named_ends(columns: list[Any], fields: Fields) -> tuple[int, int] | None:
    if fields.source is None and fields.target is None:
        return None
    if fields.source is None or fields.target is None:
        raise ValueError("source, target: expected both or neither, got one of them")
    return _place(columns, fields.source, "source"), _place(columns, fields.target, "target")


def _weight_column(columns: list[Any], ends: tuple[int, int], fields: Fields) -> int | None:
    """The column that the user named, or one that is called a weight."""
    if fields.weight is None:
        return None
    if not fields.guesses_weight:
        return _place(columns, fields.weight, "weight")
    return find_weight([str(name) for name in columns], ends)


def _place(columns: list[Any], wanted: Any, what: str) -> int:
    if wanted not in columns:
        raise ValueError(f"{what}: there is no column {wanted!r}; expected one of {first_few(columns, 12)}")
    return columns.index(wanted)


def _is_matrix(frame: Any) -> bool:
    """Whether rows and columns have the same names, and all cells are numbers."""
    return bool(
        frame.shape[0] == frame.shape[1]
        and list(frame.index) == list(frame.columns)
        and all(dtype.kind in "buif" for dtype in frame.dtypes)
    )


def _from_matrix(frame: Any, fields: Fields) -> RawGraph:
    values = frame.to_numpy(dtype=np.float64)
    if np.isnan(values).any():
        raise ValueError("graph: expected a number in every cell of the adjacency, got NaN; use fillna(0)")
    rows, cols = values.nonzero()
    weights = None if fields.weight is None else values[rows, cols]
    raw = RawGraph(rows, cols, weights, len(values), node_names=names_or_none(list(frame.index)))
    raw.notes.note("the data frame was read as an adjacency matrix, because its rows and columns have the same names")
    return raw
