"""Features as the MUSAE graphs have them: a JSON object with the list of the features of every node."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from hoscpool.graph.raw import Notes
from hoscpool.graph.readers.interchange.node_link import load_json
from hoscpool.graph.readers.opening import FileFormatError
from hoscpool.graph.validate import count_of, first_few, names_as_text

MOST_FEATURES = 50_000_000
"""Largest number of a feature."""


def read_feature_lists(path: Path, names: Sequence[Any]) -> sp.csr_array:
    """The features of every node: 1 for those in its list, else 0.

    Raises:
        ValueError: It is not such a file, or no node is in it. Nodes without a list are said.
    """
    content = load_json(path)
    if not isinstance(content, dict):
        raise FileFormatError(path, f"expected an object node → features, got a {type(content).__name__}")
    wanted = names_as_text(names)
    lists = [_numbers(path, name, content[name]) for name in wanted if name in content]
    missing = [name for name in wanted if name not in content]
    if not lists:
        raise FileFormatError(path, f"expected the features of nodes such as {first_few(wanted, 3)}, got none of them")
    counts = np.zeros(len(wanted), np.int64)
    counts[[name in content for name in wanted]] = [len(numbers) for numbers in lists]
    columns = np.concatenate([np.array(numbers, dtype=np.int64) for numbers in lists])
    width = int(columns.max()) + 1 if len(columns) else 1
    indptr = np.concatenate([[0], np.cumsum(counts)])
    table = sp.csr_array((np.ones(len(columns), np.float32), columns, indptr), shape=(len(wanted), width))
    notes = Notes()
    if missing:
        notes.warn(f"{path}: no features for {count_of(len(missing), 'node')} ({first_few(missing, 3)}); they are 0")
    notes.emit()
    return table


def _numbers(path: Path, name: str, found: Any) -> list[int]:
    """The features of one node, each once."""
    is_fit = isinstance(found, list) and all(type(one) is int and 0 <= one < MOST_FEATURES for one in found)
    if not is_fit:
        raise FileFormatError(path, f"node {name!r:.60}: expected a list of whole numbers ≥ 0, got {found!r:.60}")
    return sorted(set(found))
