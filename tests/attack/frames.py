"""Data frames of edges and of nodes, from JSON: ``{"edges": {column: cells}, "nodes": {column: cells}}``."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hoscpool as hp
from attack.mutations import Case

NAME = "frames.json"
FRAMES: tuple[dict[str, Any], ...] = (
    {
        "edges": {"source": ["a", "b", "c", 7], "target": ["b", "c", "a", "a"], "weight": [1.5, 2, 1, 0.25]},
        "nodes": {"id": ["a", "b", "c", 7], "age": [30, 31.5, None, -1], "city": ["Rome", "Oslo", "Rome", ""]},
    },
    {"edges": {"from": [1, 2, 3], "to": [2, 3, 1], "year": [1999, 2000, 2001]}, "nodes": {"node": [1, 2, 3]}},
    {"edges": {"0": [0, 1, 0], "1": [1, 0, 2], "2": [0, 2, 0]}, "nodes": {"node": [0, 1], "full name": ["A", "B"]}},
)
ARGUMENT = r"(graph|edges|nodes|weights?|source|target|node.names|node_names|features|labels)\b.*:"
"""A message about a data frame begins with the argument that is wrong."""


def frame_cases() -> Sequence[Case]:
    """Frames with names, with numbers, and a matrix."""
    return [{NAME: json.dumps(content).encode()} for content in FRAMES]


def read_frames(folder: Path) -> object:
    """A graph of the frames, and everything that shows it. What is no frame at all is left out."""
    import pandas as pd

    try:
        content = json.loads((folder / NAME).read_bytes())
        edges, nodes = (pd.DataFrame({name: _column(cells) for name, cells in content[key].items()})
                        for key in ("edges", "nodes"))  # fmt: skip
    except Exception:
        return None
    try:
        graph = hp.as_graph(edges, nodes=nodes, on_bad_rows="skip")
        return [graph.to_pandas(), graph._repr_html_(), repr(graph), hp.as_graph(edges, weight=None)]
    except ValueError as error:
        if re.match(ARGUMENT, str(error)) is None:
            raise AssertionError(f"the message does not begin with the argument: {error}") from error
        raise ValueError(f"{NAME}: {error}") from error


def _column(cells: Any) -> Any:
    import pandas as pd

    return pd.Series(cells) if all(isinstance(cell, str | int | float | None) for cell in cells) else pd.Series(
        cells, dtype=object
    )  # fmt: skip
