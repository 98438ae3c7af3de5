"""Features as MUSAE has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from hoscpool import as_graph
from hoscpool.graph import read_features
from hoscpool.support.errors import GraphWarning


def test_lists_become_a_sparse_table(tmp_path: Path) -> None:
    path = tmp_path / "features.json"
    path.write_text(json.dumps({"2": [0, 3], "0": [3, 3], "1": [], "9": [7]}))
    graph: Any = as_graph(nx.path_graph(3), features=path)
    np.testing.assert_array_equal(graph.features.toarray(), [[0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1]])
    with pytest.warns(GraphWarning, match=r"no features for 1 node \('x'\); they are 0"):
        found = read_features(path, ["2", "x"])
    assert found.toarray().tolist() == [[1, 0, 0, 1], [0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([1], "got a list"),
        ({"0": [1.5]}, "node '0': expected a list of whole numbers"),
        ({"0": [-1]}, "node '0': expected"),
        ({"0": [10**12]}, "node '0': expected"),
        ({"0": "x"}, "node '0': expected"),
        ({"q": [1]}, "got none of them"),
    ],
)
def test_wrong_files(content: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "features.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=message) as error:
        read_features(path, [0])
    assert "features.json" in str(error.value)
    path.write_text(json.dumps(content)[:-1])
    with pytest.raises(ValueError, match=r"features\.json, line 1: cannot be read as JSON"):
        read_features(path, [0])
