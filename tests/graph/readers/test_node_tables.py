from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from hoscpool import as_graph
from hoscpool.graph.readers import read_features, read_labels
from hoscpool.support.errors import GraphWarning

Write = Callable[[str, str], Path]
PEOPLE = ["ann", "bob", "cid"]
NUMBERS = [10, 20, 30]
PLAIN = range(3)

FEATURES: list[tuple[str, str, Any, list[list[float]]]] = [
    ("in node order", "1,2\n3,4\n5,6\n", PEOPLE, [[1, 2], [3, 4], [5, 6]]),
    ("header, in node order", "age,size\n1,2\n3,4\n5,6\n", PEOPLE, [[1, 2], [3, 4], [5, 6]]),
    ("one column", "1\n2\n3\n", PLAIN, [[1], [2], [3]]),
    ("one column with header", "age\n1\n2\n3\n", PLAIN, [[1], [2], [3]]),
    ("by name", "bob,3,4\ncid,5,6\nann,1,2\n", PEOPLE, [[1, 2], [3, 4], [5, 6]]),
    ("by name under a header", "who,age\nbob,2\ncid,3\nann,1\n", PEOPLE, [[1], [2], [3]]),
    ("by integer id", "node,age\n30,3\n10,1\n20,2\n", NUMBERS, [[1], [2], [3]]),
    ("by index", "id\tage\n2\t3\n0\t1\n1\t2\n", PLAIN, [[1], [2], [3]]),
    ("ids exactly under any header", "station,age\n30,3\n10,1\n20,2\n", NUMBERS, [[1], [2], [3]]),
    ("data frame", ",0,1\nbob,3,4\ncid,5,6\nann,1,2\n", PEOPLE, [[1, 2], [3, 4], [5, 6]]),
    ("comments", "# c\n1 2\n\n3 4\n5 6\n", PLAIN, [[1, 2], [3, 4], [5, 6]]),
    ("quotes", '"ann",1\n"cid",3\n"bob",2\n', PEOPLE, [[1], [2], [3]]),
]


@pytest.mark.parametrize("suffix", [".csv", ".txt.gz"])
@pytest.mark.parametrize(("text", "names", "expected"), [case[1:] for case in FEATURES], ids=[c[0] for c in FEATURES])
def test_feature_tables(text: str, names: Any, expected: list[list[float]], suffix: str, write: Write) -> None:
    table = read_features(write(f"x{suffix}", text), names)
    assert table.dtype == np.float32
    np.testing.assert_array_equal(table, expected)


BAD_FEATURES = [
    ("too few rows", "1,2\n3,4\n", PEOPLE, "features: expected 3 rows, one for every node, got 2"),
    ("too many rows", "1\n2\n3\n4\n", PEOPLE, "features: expected 3 rows, one for every node, got 4"),
    (
        "missing node",
        "ann,1\nbob,2\n",
        PEOPLE,
        "expected 3 rows, one for every node, with its name in the first column, got 2: no row for the nodes 'cid'",
    ),
    ("unknown node", "ann,1\nbob,2\ncid,3\ndan,4\n", PEOPLE, "rows for names that are not in the graph 'dan'"),
    ("node twice", "ann,1\nbob,2\ncid,3\nann,4\n", PEOPLE, "several rows for 'ann'"),
    (
        "other nodes",
        "x,1\ny,2\nz,3\n",
        PEOPLE,
        "no row for the nodes 'ann', 'bob', 'cid'; rows for names .* 'x', 'y', 'z'",
    ),
    ("ragged", "1,2\n3\n", PLAIN, "line 2: expected 2 cells as in the first line, got 1"),
    ("not a number", "1,2\n3,x\n5,6\n", PLAIN, "line 2: expected a number, got 'x'"),
    ("empty cell", "a,b\n1,2\n3,\n5,6\n", PLAIN, "line 3: expected a number, got ''"),
    ("NaN", "1,2\n3,nan\n5,6\n", PLAIN, "x.csv: features: expected finite numbers .* row 1, column 1"),
    ("nothing", "# c\n", PLAIN, "the file has no rows"),
]


@pytest.mark.parametrize(
    ("text", "names", "message"), [case[1:] for case in BAD_FEATURES], ids=[c[0] for c in BAD_FEATURES]
)
def test_bad_feature_tables(text: str, names: Any, message: str, write: Write) -> None:
    with pytest.raises(ValueError, match=message):
        read_features(write("x.csv", text), names)


def test_a_first_column_that_looks_like_ids_is_warned_about(write: Write) -> None:
    with pytest.warns(GraphWarning, match="the first column looks like node ids but was read as a feature"):
        table = read_features(write("x.csv", "2,7\n0,5\n1,6\n"), PLAIN)
    np.testing.assert_array_equal(table, [[2, 7], [0, 5], [1, 6]])


def test_array_files(tmp_path: Path) -> None:
    dense, sparse = np.arange(6.0).reshape(3, 2), sp.csr_array(np.eye(3))
    np.save(tmp_path / "x.npy", dense)
    np.savez(tmp_path / "x.npz", anything=dense)
    sp.save_npz(tmp_path / "s.npz", sparse)
    np.testing.assert_array_equal(read_features(tmp_path / "x.npy", PLAIN), dense)
    np.testing.assert_array_equal(read_features(tmp_path / "x.npz", PLAIN), dense)
    kept = read_features(tmp_path / "s.npz", PLAIN)
    assert isinstance(kept, sp.csr_array)
    np.testing.assert_array_equal(kept.toarray(), np.eye(3))


def test_bad_array_files(tmp_path: Path) -> None:
    np.savez(tmp_path / "two.npz", a=np.ones(3), b=np.ones(3))
    with pytest.raises(ValueError, match="expected one array, got an archive of a, b"):
        read_features(tmp_path / "two.npz", PLAIN)
    np.save(tmp_path / "object.npy", np.array([[None]]), allow_pickle=True)
    with pytest.raises(ValueError, match="cannot be read as a NumPy array"):
        read_features(tmp_path / "object.npy", PLAIN)
    np.save(tmp_path / "short.npy", np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"short\.npy: features: expected 3 rows, one for every node, got 2"):
        read_features(tmp_path / "short.npy", PLAIN)


def test_missing_and_unknown_tables(tmp_path: Path, write: Write) -> None:
    with pytest.raises(FileNotFoundError, match=r"x\.csv: no such file"):
        read_features(tmp_path / "x.csv", PLAIN)
    for reader in (read_features, read_labels):
        with pytest.raises(ValueError, match=r"the extension '\.xls' is not known; expected one of \.csv, \.tsv"):
            reader(write("x.xls", "1\n"), PLAIN)


def test_truncated_table(tmp_path: Path) -> None:
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(b"1,2\n" * 1000)[:-20])
    with pytest.raises(ValueError, match="cannot be read as a table, it may be truncated"):
        read_features(path, PLAIN)


def test_nodes_of_a_graph() -> None:
    graph = as_graph(np.zeros((3, 3)), node_names=PEOPLE)
    assert as_graph(graph, features=np.ones((3, 1))).num_features == 1


LABELS: list[tuple[str, str, Any, list[int]]] = [
    ("in node order", "2\n0\n1\n", PLAIN, [2, 0, 1]),
    ("with header", "class\n2\n0\n1\n", PLAIN, [2, 0, 1]),
    ("text", "red\nblue\nred\n", PLAIN, [1, 0, 1]),
    ("text with header", "colour\nred\nblue\nred\n", PLAIN, [1, 0, 1]),
    ("by name", "cid,2\nann,0\nbob,1\n", PEOPLE, [0, 1, 2]),
    ("by name with header", "node,class\ncid,2\nann,0\nbob,1\n", PEOPLE, [0, 1, 2]),
    ("by id", "30 5\n10 3\n20 4\n", NUMBERS, [3, 4, 5]),
    ("by name, text", "cid;x\nann;z\nbob;y\n", PEOPLE, [2, 1, 0]),
    ("texts with spaces", "Mr. Hi\nOfficer\nMr. Hi\n", PLAIN, [0, 1, 0]),
    ("large", "9007199254740993\n9007199254740992\n5\n", PLAIN, [9007199254740993, 9007199254740992, 5]),
    ("padded", "01\n1\n01\n", PLAIN, [0, 1, 0]),
    ("with a point", "1.0\n2.0\n1.0\n", PLAIN, [1, 2, 1]),
]


@pytest.mark.parametrize(("text", "names", "expected"), [case[1:] for case in LABELS], ids=[c[0] for c in LABELS])
def test_label_tables(text: str, names: Any, expected: list[int], write: Write) -> None:
    assert read_labels(write("y.csv", text), names).tolist() == expected


BAD_LABELS = [
    ("rows", "1\n2\n", "labels: expected 3 rows, one for every node, got 2"),
    ("columns", "a,1,2\n", r"expected one column \(class\) or two \(node, class\), got 3"),
    ("missing", "ann,1\nbob,2\n", "no row for the nodes 'cid'"),
    ("one too many", "9\n1\n2\n3\n", "expected 3 rows, one for every node, got 4"),
    ("one too many by name", "9,9\nann,1\nbob,2\ncid,3\n", "rows for names that are not in the graph '9'"),
    ("empty class", "ann,1\nbob,\ncid,2\n", "line 2: expected a class, got an empty cell"),
    ("columns swapped", "class,node\n1,ann\n1,bob\n2,cid\n", "in the first column.*several rows for '1'$"),
    ("fractions", "1.5\n2\n3\n", "labels: expected whole numbers or text"),
]


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in BAD_LABELS], ids=[c[0] for c in BAD_LABELS])
def test_bad_label_tables(text: str, message: str, write: Write) -> None:
    with pytest.raises(ValueError, match=message):
        read_labels(write("y.csv", text), PEOPLE)


def test_names_that_are_the_same_as_text_cannot_be_matched(write: Write) -> None:
    with pytest.raises(ValueError, match="expected different texts, got '1' for several nodes"):
        read_features(write("x.csv", "node,a\n1,5\n2,7\n"), [1, "1", 2])


def test_label_arrays(tmp_path: Path) -> None:
    np.save(tmp_path / "y.npy", np.array([4, 5, 6]))
    assert read_labels(tmp_path / "y.npy", PLAIN).tolist() == [4, 5, 6]


@pytest.mark.parametrize("read", [read_features, read_labels])
def test_a_quoted_cell_that_is_too_long_names_the_line(read: Any, write: Write) -> None:
    with pytest.raises(ValueError, match=r"x\.csv, line 2: a cell cannot be read"):
        read(write("x.csv", 'ann,1\n"' + "a" * 140_000 + '",1\n'), PEOPLE)


def test_classes_in_a_wider_table_are_found_by_the_name_of_their_column(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("team,id,age,cluster\nred,b,30,1\nblue,a,40,0\n")
    assert read_labels(path, ["a", "b"]).tolist() == [0, 1]
    assert read_labels(f"{path}:team", ["a", "b"]).tolist() == [0, 1]  # blue, red
    assert read_labels(f"{path}:age", ["a", "b"]).tolist() == [40, 30]
    with pytest.raises(
        ValueError, match=r"people\.csv, line 1: there is no column 'size'; expected one of 'team', 'id'"
    ):
        read_labels(f"{path}:size", ["a", "b"])
    path.write_text("team,id,age\nred,b,30\nblue,a,40\n")
    with pytest.raises(ValueError, match=r"name the column of the classes, as in people\.csv:age"):
        read_labels(path, ["a", "b"])
    colon = tmp_path / "a.csv:b.csv"  # a file of that name comes first
    colon.write_text("b,1\na,0\n")
    assert read_labels(colon, ["a", "b"]).tolist() == [0, 1]
