from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hoscpool import as_graph
from hoscpool.graph import Notes
from hoscpool.graph.readers.parquet import read_parts
from hoscpool.support.errors import MissingDependencyError

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(folder: Path, **columns: Any) -> Path:
    path = folder / "g.parquet"
    pd.DataFrame(columns).to_parquet(path)
    return path


def test_integers_are_sorted_and_unused_columns_are_reported(tmp_path: Path) -> None:
    graph = as_graph(write(tmp_path, when=[1, 2], weight=[0.5, 2.0], target=[3, 9], source=[7, 3]))
    assert graph.names == (3, 7, 9)
    np.testing.assert_array_equal(graph.adjacency.toarray(), [[0, 0.5, 2], [0.5, 0, 0], [2, 0, 0]])
    assert (
        "columns: 'source' and 'target' are the ends of an edge, 'weight' its weight; 'when' is not used" in graph.notes
    )
    assert not graph.is_directed


@pytest.mark.parametrize("kind", ["object", "category"])
def test_names_stay_text_in_the_order_of_their_first_appearance(kind: str, tmp_path: Path) -> None:
    ends = [pd.Series(values, dtype=kind) for values in (["zoe", "ann"], ["ann", "007"])]
    graph = as_graph(write(tmp_path, a=ends[0], b=ends[1]))
    assert graph.names == ("zoe", "ann", "007")


def test_it_is_the_graph_of_the_same_csv(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"source": rng.integers(50, size=300), "target": 50 + rng.integers(50, size=300)})
    table.to_csv(tmp_path / "g.csv", index=False)
    table.to_parquet(tmp_path / "g.parquet")
    with pytest.warns(match="repeated"):
        one, other = (as_graph(tmp_path / name) for name in ("g.csv", "g.parquet"))
    np.testing.assert_array_equal(one.indices, other.indices)
    np.testing.assert_array_equal(one.weights, other.weights)
    assert one.names == other.names


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": [1.5], "target": [2]}, "column 'source': expected integers or text as ids, got double"),
        ({"source": [1], "target": ["b"]}, "expected ids of one kind"),
        ({"source": ["a", None], "target": ["b", "c"]}, "column 'source': expected an id in every row, got 1 missing"),
        ({"a": [1], "b": [2], "w": [-1.0]}, "column 'w': expected weights that are finite numbers"),
        ({"a": [1], "b": [2], "w": ["x"]}, "column 'w': expected numbers as weights"),
        ({"a": [1]}, "expected 2 or 3 columns"),
        ({"source": np.zeros(0, np.int64), "target": np.zeros(0, np.int64)}, "has no rows"),
    ],
)
def test_wrong_tables(columns: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message) as found:
        as_graph(write(tmp_path, **columns))
    assert "g.parquet" in str(found.value)


@pytest.mark.parametrize("end", [4, 40, -9])
def test_damaged_files(end: int, tmp_path: Path) -> None:
    path = write(tmp_path, source=[1, 2], target=[2, 3])
    path.write_bytes(path.read_bytes()[:end])
    with pytest.raises(ValueError, match="cannot be read as a Parquet file"):
        as_graph(path)


def test_a_small_file_that_unpacks_to_a_large_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSCPOOL_MAX_UNPACKED", "1MB")
    with pytest.raises(ValueError, match="HOSCPOOL_MAX_UNPACKED"):
        as_graph(write(tmp_path, source=np.zeros(100_000, int), target=np.ones(100_000, int)))


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, source=[1], target=[2])
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingDependencyError, match=r"hoscpool\[parquet\]"):
        as_graph(path)


@pytest.mark.filterwarnings("ignore::hoscpool.support.errors.GraphWarning")
def test_one_long_text_in_every_row_is_kept_once(tmp_path: Path) -> None:
    """A few hundred bytes of a file that stand for 40 GB of text."""
    text = "a" * 2_000_000
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(10_000, np.int32)), pa.array([text]))
    other = pa.DictionaryArray.from_arrays(pa.array(np.arange(10_000) % 2), pa.array([text, "b"]))
    pq.write_table(pa.table({"source": column, "target": other}), tmp_path / "g.parquet", compression="zstd")
    graph = as_graph(tmp_path / "g.parquet")
    assert (graph.names, graph.num_edges) == ((text, "b"), 1)


def test_texts_of_several_row_groups_are_numbered_together(tmp_path: Path) -> None:
    table = pa.table({"source": list("abcab"), "target": list("bcddd")})
    for dictionary in (True, False):
        pq.write_table(table, tmp_path / "g.parquet", row_group_size=2, use_dictionary=dictionary)
        graph = as_graph(tmp_path / "g.parquet")
        assert graph.names == ("a", "b", "c", "d")
        assert graph.num_edges == 5


def test_texts_that_take_more_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSCPOOL_MAX_UNPACKED", "1MB")
    with pytest.raises(ValueError, match=r"the table takes.*HOSCPOOL_MAX_UNPACKED"):
        as_graph(write(tmp_path, source=["a" * 1_100_000], target=["b"]))


def test_parts_do_not_stay_in_memory(tmp_path: Path) -> None:
    import pyarrow as pa

    rows = 50_000
    ends = np.random.default_rng(0).integers(0, 10**12, 20 * rows)
    pd.DataFrame({"source": ends, "target": ends[::-1]}).to_parquet(tmp_path / "g.parquet", row_group_size=rows)
    before = pa.total_allocated_bytes()
    parts = read_parts(tmp_path / "g.parquet", rows, Notes())
    allocated = [pa.total_allocated_bytes() - before for _ in parts]
    assert len(allocated) == 20
    assert max(allocated) < 20 * rows * 8  # half of what all rows take
