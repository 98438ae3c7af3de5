from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hoscpool.bench.graphs.streamed import DEGREE, edge_parts, write_edges
from hoscpool.graph import as_graph


def test_the_graph_has_the_wanted_size_and_is_the_same_again() -> None:
    parts = list(edge_parts(40_000, shard=10_000))
    assert len(parts) == 5
    u, v = (np.concatenate(ends) for ends in zip(*parts, strict=True))
    assert abs(len(u) - 40_000) < 800
    nodes = 2 * 40_000 // DEGREE
    assert 0 <= min(u.min(), v.min()) <= max(u.max(), v.max()) < nodes
    assert len(np.unique(np.concatenate([u, v]))) > 0.99 * nodes
    pairs = np.minimum(u, v) * nodes + np.maximum(u, v)
    assert len(np.unique(pairs)) > 0.97 * len(u)
    again = [np.concatenate(ends) for ends in zip(*edge_parts(40_000, shard=10_000), strict=True)]
    np.testing.assert_array_equal(again, [u, v])


def test_a_file_holds_all_parts(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    parts = [(np.array([0, 1]), np.array([1, 2])), (np.array([2]), np.array([0]))]
    write_edges(tmp_path / "g.parquet", iter(parts))
    assert as_graph(tmp_path / "g.parquet").num_edges == 3
